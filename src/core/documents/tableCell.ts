/** Spellings that stand for another text in a cell: a line break, an escaped pipe or underscore, an entity. */
const written = /\\[|_]|<br\s*\/?>|&(?:amp|lt|#\d{1,7});/gi;

/** Returns the text of a cell: `<br>` is a line break, `\|` a pipe, and `\_` an underscore, as some formatters write it. */
export function readCell(source: string): string {
  return source.trim().replace(written, (match) => {
    if (match.startsWith("\\")) return match.charAt(1);
    if (match.startsWith("<")) return "\n";
    const name = match.slice(1, -1).toLowerCase();
    if (name === "amp") return "&";
    if (name === "lt") return "<";
    const code = Number(name.slice(1));
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : match;
  });
}

/**
 * Returns a text as a cell can hold it: trimmed, with LF as line ends, and with U+FFFD for control characters
 * and lone surrogates.
 */
export function cellText(text: string): string {
  return text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/[\0-\x08\x0E-\x1F\x7F]|\p{Surrogate}/gu, "\uFFFD")
    .trim();
}

/**
 * Writes a text as a cell that {@link readCell} reads as its {@link cellText}, wherever it stands in a row.
 */
export function writeCell(text: string): string {
  return (
    cellText(text)
      .replace(/&(?=(?:amp|lt|#\d{1,7});)/gi, "&amp;")
      .replace(/<(?=br\s*\/?>)/gi, "&lt;")
      // Before a pipe, readers of Markdown disagree on what a backslash means; before an underscore it would go.
      .replace(/\\(?=[|_]|$)/g, "&#92;")
      .replaceAll("|", "\\|")
      .replaceAll("\n", "<br>")
  );
}
