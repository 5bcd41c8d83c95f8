import type { Said } from "./words.js";

/** Characters. Of a longer text, it is not tried what may stand for its values. */
const longest = 10_000;

/**
 * Returns the words of which an English text that code has stored is made, so that it can be said in any language; a text
 * that is none of theirs as it is.
 *
 * @param templates messages; of several that fit, the first one counts
 */
export function readWords(text: string, templates: readonly string[]): Said {
  if (text.length > longest) return text;
  for (const template of templates) {
    const names: string[] = [];
    const pattern = template.replaceAll(/\{(\w+)\}|[^\w\s]/g, (found, name?: string) => {
      if (name === undefined) return `\\${found}`;
      names.push(name);
      return "(.+?)";
    });
    const values = RegExp(`^${pattern}$`, "s").exec(text)?.slice(1);
    if (values === undefined) continue;
    const params = Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
    return { template, params };
  }
  return text;
}
