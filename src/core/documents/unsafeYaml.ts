import { type Words, words } from "../text/words.js";

/**
 * Returns why a YAML text must not be parsed; `undefined` if it may be. Such text is in none of Rooroo's
 * documents, and the parser cannot bear it: it recurses, and from the depth of block marks it builds
 * expressions that end the process. `line` is 1-based.
 *
 * @param most characters that it may have
 */
export function unsafeYaml(
  text: string,
  most = 500_000,
): { line: number; message: Words } | undefined {
  if (text.length > most) return { line: 1, message: words("This is too long to be read.") };
  let depth = 0;
  for (const [index, line] of text.split("\n").entries()) {
    for (const character of line) {
      if (character === "[" || character === "{") depth++;
      else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
      if (depth > 50)
        return { line: index + 1, message: words("This is nested too deeply to be read.") };
    }
    if (/^\s{200}|(?:[-?:]\s+){12}/.test(line)) {
      return { line: index + 1, message: words("This is nested too deeply to be read.") };
    }
  }
  return undefined;
}
