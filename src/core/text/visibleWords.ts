import { visibleLine, visibleText } from "./visibleText.js";
import { withTexts } from "./withTexts.js";
import type { Words } from "./words.js";

/**
 * Returns words in which all that they name is visible.
 *
 * @param length the most characters of each text, which is then on one line. Absent: it stays whole
 */
export function visibleWords(said: Words, length?: number): Words {
  return withTexts(said, (text) =>
    length === undefined ? visibleText(text) : visibleLine(text, length),
  );
}
