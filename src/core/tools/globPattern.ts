import { expandBraces } from "./filePattern.js";

/**
 * Whether a path fits a glob as shells have it, all of it: `*` and `?` within a name, `**` for any
 * folders, `[a-z]`, `{a,b}`. Takes time in proportion to pattern times path, whatever they are.
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

/** Of a name: characters, and what stands for some. */
type NameToken = "*" | "?" | { readonly char: string } | { readonly range: RegExp };

function nameTokens(name: string): NameToken[] | "**" {
  if (/^\*{2,}$/.test(name)) return "**";
  return [...name.matchAll(/\*+|\[[!^]?\]?[^\]]*\]|[^]/gu)].flatMap(([text]): NameToken[] => {
    if (text.startsWith("*")) return ["*"];
    if (text === "?") return ["?"];
    const range = text.length > 2 ? rangeOf(text) : undefined;
    return range ? [range] : Array.from(text, (char) => ({ char }));
  });
}

/** Of `[a-z]` or `[!a-z]`; `undefined` for what is none. */
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

/** Whether items are what tokens stand for; on a wrong turn only the last of any number takes more. */
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
