import { createContext, Script } from "node:vm";
import { UserError } from "../core/errors.js";

/** Of one file. A sane expression needs milliseconds. */
const maxMs = 1000;
const maxLineLength = 20_000;

export interface LineMatch {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/**
 * Finds the lines of a text that match a regular expression of JavaScript. Throws a
 * {@link UserError} for an expression that is invalid or takes for ever.
 */
export function lineMatcher(source: string): (text: string) => LineMatch[] {
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
  // Backtracking can take longer than the universe has; only a script can be given a limit.
  const context = createContext({ matching, text: "" });
  return (text) => {
    context["text"] = text;
    try {
      return script.runInContext(context, { timeout: maxMs }) as LineMatch[];
    } catch (error) {
      // An error of the context's own world, which is no instance of this one's.
      const { code } = error as { readonly code?: unknown };
      if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new UserError(
        `The expression ${source} takes too long. Write it without repetitions inside repetitions.`,
      );
    }
  };
}

const script = new Script("matching(text)");

function compile(source: string): RegExp {
  const inline = /^\(\?([ims]+)\)/.exec(source);
  const pattern = inline ? source.slice(inline[0].length) : source;
  const flags = inline?.[1] ?? "";
  try {
    return new RegExp(pattern, `${flags}u`);
  } catch {
    // Without "u", needless escapes like \- are allowed.
  }
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `The regular expression cannot be read (${reason}). Escape special characters with a backslash.`,
    );
  }
}
