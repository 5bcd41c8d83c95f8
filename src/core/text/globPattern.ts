import { UserError } from "../errors.js";
import { IgnoreRules } from "./ignoreRules.js";

/** The most globs that braces may expand to; each pair can double them. */
const mostGlobs = 1000;

/**
 * Returns a test for a search's `filePattern`, the same for every search: a glob such as
 * `*.{ts,tsx}` or `src/**`, which counts from the workspace if it has a slash.
 *
 * @throws a `UserError` when the pattern has too many braces
 */
export function filePattern(pattern: string): (path: string) => boolean {
  const globs = expandBraces(pattern.replace(/^(\.?\/)+(?=.*\/)/, "/"));
  const wanted = new IgnoreRules(globs, { ignorecase: false });
  return (path) => wanted.ignores(path);
}

/**
 * Returns all patterns that braces such as `{a,b}` stand for.
 *
 * @throws a `UserError` when there are too many
 */
function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = /\{([^{}]*)\}/.exec(next);
    if (group === null) done.push(next);
    else {
      const [braces, choices = ""] = group;
      const end = group.index + braces.length;
      for (const choice of choices.split(",").reverse())
        waiting.push(next.slice(0, group.index) + choice + next.slice(end));
    }
    if (done.length + waiting.length > mostGlobs) {
      throw new UserError(
        "tooManyBraces",
        "The file pattern has too many braces. Search with a simpler one.",
      );
    }
  }
  return done;
}

/**
 * Returns a test for whole paths that match a glob as shells have it: `*` and `?` within a name,
 * `**` for any folders, `[a-z]`, `{a,b}`. The test takes time in proportion to pattern times path.
 *
 * @throws a `UserError` when the glob has too many braces
 */
export function globPattern(pattern: string): (path: string) => boolean {
  const globs = expandBraces(pattern).map((glob) => glob.split("/").map(nameTokens));
  return (path) => {
    const names = path.split("/");
    return globs.some((glob) =>
      fits(glob, names, isAnyFolders, (name, given) => isName(name, given)),
    );
  };
}

/** A part of a name in a glob: a wildcard, a character or a range of characters. */
type NameToken = "*" | "?" | { readonly char: string } | { readonly range: RegExp };

function nameTokens(name: string): NameToken[] | "**" {
  if (/^\*{2,}$/.test(name)) return "**";
  // Of what is behind the last bracket that closes, nothing is a range.
  const end = name.lastIndexOf("]") + 1;
  // Bounded: up to there, each bracket that opens has one that closes, and the search goes on behind it.
  const tokens = [...name.slice(0, end).matchAll(/\*+|\[[!^]?\]?[^\]]*\]|[^]/gu)];
  tokens.push(...name.slice(end).matchAll(/\*+|[^]/gu));
  return tokens.flatMap(([text]): NameToken[] => {
    if (text.startsWith("*")) return ["*"];
    if (text === "?") return ["?"];
    const range = text.length > 2 ? rangeOf(text) : undefined;
    return range ? [range] : Array.from(text, (char) => ({ char }));
  });
}

/** Reads a range such as `[a-z]` or `[!a-z]`; `undefined` if the text is not a valid one. */
function rangeOf(text: string): NameToken | undefined {
  const [, not = "", within = ""] = /^\[([!^]?)([^]*)\]$/.exec(text) ?? [];
  try {
    const escaped = within.replace(/[\\\][^&|~]/g, "\\$&");
    return { range: new RegExp(`^[${not === "" ? "" : "^"}${escaped}]$`, "u") };
  } catch {
    return undefined;
  }
}

const isAnyFolders = (name: NameToken[] | "**"): boolean => name === "**";

function isName(tokens: NameToken[] | "**", name: string): boolean {
  if (tokens === "**") return true;
  return fits(
    tokens,
    Array.from(name),
    (token) => token === "*",
    (token, character) => {
      if (typeof token === "string") return true;
      return "char" in token ? token.char === character : token.range.test(character);
    },
  );
}

/**
 * Returns whether the items match the tokens. After a mismatch, only the last wildcard takes more
 * items.
 */
function fits<Token, Item>(
  tokens: readonly Token[],
  items: readonly Item[],
  isAny: (token: Token) => boolean,
  isOne: (token: Token, item: Item) => boolean,
): boolean {
  let [at, item, anyAt, taken] = [0, 0, -1, 0];
  for (const length = items.length; item < length;) {
    const token = tokens[at];
    if (token !== undefined && isAny(token)) [anyAt, taken] = [at++, item];
    else if (token !== undefined && isOne(token, items[item] as Item))
      [at, item] = [at + 1, item + 1];
    else if (anyAt < 0) return false;
    else [at, item] = [anyAt + 1, ++taken];
  }
  return tokens.slice(at).every(isAny);
}
