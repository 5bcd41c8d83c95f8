import { visibleLine, visibleText } from "./visibleText.js";
import { isWords, type Said, type Words } from "./words.js";

/**
 * Returns words in which all that they name is visible.
 *
 * @param length the most characters of each text, which is then on one line. Absent: it stays whole
 */
export function visibleWords({ template, params }: Words, length?: number): Words {
  const shown = (text: string) =>
    length === undefined ? visibleText(text) : visibleLine(text, length);
  const values: Record<string, Said | number> = {};
  for (const [name, value] of Object.entries(params)) {
    values[name] =
      typeof value === "string"
        ? shown(value)
        : isWords(value)
          ? visibleWords(value, length)
          : value;
  }
  return { template, params: values };
}
