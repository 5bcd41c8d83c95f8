import { withoutMarks } from "../../core/text/withoutMarks.js";

/** Returns the first line that is not blank, without its Markdown, cut between words if it is too long. */
export function shorten(text: string, limit: number): string {
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  const plain = withoutMarks(line.replace(/^[\s#>*-]+/, ""))
    .replaceAll(/\s+/g, " ")
    .trim();
  if (plain.length <= limit) return plain;
  const cut = plain.lastIndexOf(" ", limit - 1);
  return `${plain.slice(0, cut > limit / 2 ? cut : limit - 1)}…`;
}
