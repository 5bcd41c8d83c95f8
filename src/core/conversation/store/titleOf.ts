/** The most characters of a title. */
const most = 60;

/** Returns a title from a person's words: their first line without a command's name, shortened between words. */
export function titleOf(words: string): string {
  const [line = ""] = words
    .trim()
    .replace(/^\/[a-z-]+\s+/i, "")
    .split("\n");
  const text = line.replaceAll(/\s+/g, " ").trim();
  if (text.length <= most) return text;
  const cut = text.slice(0, most).replace(/ \S*$/, "");
  return `${cut}…`;
}
