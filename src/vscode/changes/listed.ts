import type { Translate } from "../../core/text/translator.js";
/** Returns the first eight of these words as lines, and how many more there are. */
export function listed(words: readonly string[], t: Translate): string {
  const more = words.length > 8 ? [t("… and {0, number} more", words.length - 8)] : [];
  return [...words.slice(0, 8), ...more].join("\n");
}
