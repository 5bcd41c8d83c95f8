import { type Context, createContext, Script } from "node:vm";
import { UserError } from "../../core/errors.js";
import type { PatternMatch, Patterns } from "../../core/ports/search.js";

/** Matches regular expressions within a time limit, so that they cannot block the process. */
export class TimedPatterns implements Patterns {
  find(
    { source, flags }: { readonly source: string; readonly flags: string },
    texts: readonly string[],
    limit: number,
  ): PatternMatch[] {
    const regex = compileRegex(source, flags.includes("g") ? flags : `${flags}g`);
    return withinScriptTime(source, () => {
      const matches: PatternMatch[] = [];
      for (const [text, content] of texts.entries()) {
        for (const match of content.matchAll(regex)) {
          if (matches.length >= limit) return matches;
          matches.push({ text, start: match.index, end: match.index + match[0].length });
        }
      }
      return matches;
    });
  }
}

/** Compiles a regular expression. Throws a {@link UserError} if JavaScript cannot read it. */
function compileRegex(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Without "u", needless escapes like \- are allowed.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      "patternInvalid",
      "The regular expression cannot be read ({reason}). Escape special characters with a backslash.",
      { reason },
    );
  }
}

/** The timeout in milliseconds; a sane expression needs only a few for a file. */
const maxMs = 1000;

const script = new Script("work()");

/** The global object of the script, with its work. All scripts share one context: it takes a millisecond to create. */
const global = { work: (): unknown => undefined };
let context: Context | undefined;

/**
 * Runs work with an untrusted regular expression. Throws a {@link UserError} if it takes too long:
 * backtracking can take practically for ever, and only a script can be given a time limit.
 */
function withinScriptTime<T>(source: string, work: () => T): T {
  context ??= createContext(global);
  global.work = work;
  try {
    return script.runInContext(context, { timeout: maxMs }) as T;
  } catch (error) {
    // The error belongs to the context's own realm, so that `instanceof` fails here.
    const { code } = error as { readonly code?: unknown };
    if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new UserError(
      "patternTooSlow",
      "The expression {source} takes too long. Write it without repetitions inside repetitions.",
      { source },
    );
  }
}

const maxLineLength = 20_000;

interface LineMatch {
  /** The number of the line; the first is 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * Returns a function that finds the lines of each text that match a regular expression of JavaScript.
 * Throws a `UserError` for an invalid expression; the function throws one if matching takes too long for a
 * text.
 */
export function lineMatcher(source: string): (texts: readonly string[]) => LineMatch[][] {
  const regex = compile(source);
  const matching = (text: string): LineMatch[] => {
    const matches: LineMatch[] = [];
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    for (const [index, raw] of lines.entries()) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (regex.test(line.slice(0, maxLineLength))) matches.push({ line: index + 1, text: line });
    }
    return matches;
  };
  return (texts) => {
    try {
      // A time limit costs as much as searching a small file, so that all texts share one at first.
      return withinScriptTime(source, () => texts.map(matching));
    } catch (error) {
      if (texts.length === 1 || !isTooSlow(error)) throw error;
      return texts.map((text) => withinScriptTime(source, () => matching(text)));
    }
  };
}

function isTooSlow(error: unknown): boolean {
  return error instanceof UserError && error.code === "patternTooSlow";
}

function compile(source: string): RegExp {
  const inline = /^\(\?([ims]+)\)/.exec(source);
  const pattern = inline ? source.slice(inline[0].length) : source;
  return compileRegex(pattern, inline?.[1] ?? "");
}
