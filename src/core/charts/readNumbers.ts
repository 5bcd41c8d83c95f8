import { UserError } from "../errors.js";
import { type ChartCell, isMissing, quoted } from "./chartTable.js";

export type DecimalSign = "." | ",";

/**
 * Reads the numbers of a column, with `undefined` for missing values. Currency signs, percent signs
 * and thousands separators are skipped.
 *
 * @param decimal the decimal sign, if the request names it; otherwise it is inferred from the whole
 *   column
 * @throws a {@link UserError} for a cell that is not a number, and when the meaning of a comma or
 *   point is ambiguous
 */
export function readNumbers(
  cells: readonly ChartCell[],
  column: string,
  decimal?: DecimalSign,
): (number | undefined)[] {
  const texts = cells.map((cell) => (typeof cell === "string" ? bare(cell) : ""));
  for (const [row, text] of texts.entries()) {
    const cell = cells[row] ?? null;
    if (isMissing(cell) || typeof cell === "number") continue;
    if (/^[+-]?(\d[\d.,]*|[.,]\d+)(e[+-]?\d+)?$/i.test(text)) continue;
    throw new UserError(
      `${JSON.stringify(column)} is to be quantitative, but ${quoted(row, cell)}. Choose another type, or another column.`,
    );
  }
  const sign = decimal ?? signOf(texts, column);
  const shape =
    sign === "."
      ? /^[+-]?(\d{1,3}(,\d{3})+|\d*)(\.\d*)?(e[+-]?\d+)?$/i
      : /^[+-]?(\d{1,3}(\.\d{3})+|\d*)(,\d*)?(e[+-]?\d+)?$/i;
  return cells.map((cell, row) => {
    if (typeof cell === "number") return cell;
    if (isMissing(cell)) return undefined;
    const text = texts[row] ?? "";
    if (!shape.test(text)) {
      throw new UserError(
        `In ${JSON.stringify(column)}, ${quoted(row, cell)}, which is no number with "${sign}" before its decimals. Say which it is with "decimal", or write the numbers plainly, as in 1234.5.`,
      );
    }
    const grouping = sign === "." ? /,/g : /\./g;
    return Number(text.replace(grouping, "").replace(",", "."));
  });
}

/**
 * Strips emphasis, currency and percent signs and spaces between thousands, and makes a minus sign
 * plain.
 */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^(\*\*|__|[*_`])(.*)\1$/, "$2")
    .replace(/^[\u2212\u2013](?=[\d.,])/, "-")
    .replace(/^([+-]?)\s*[$€£¥]\s*/, "$1")
    .replace(/\s*[%$€£¥]$/, "")
    .replace(/(?<=\d)[\s'\u2019](?=\d{3}(?!\d))/g, "");
}

/**
 * Infers the decimal sign of a column from the numbers that show it; a point if none needs it.
 *
 * @throws a {@link UserError} when the numbers disagree, or when one is ambiguous and no other
 *   settles it
 */
function signOf(texts: readonly string[], column: string): DecimalSign {
  const shown = new Map<DecimalSign, number>();
  let unclear: number | undefined;
  for (const [row, text] of texts.entries()) {
    const sign = shownBy(text);
    if (sign === "unclear") unclear ??= row;
    else if (sign !== undefined && !shown.has(sign)) shown.set(sign, row);
  }
  const [first, second] = shown.keys();
  if (second !== undefined || (first === undefined && unclear !== undefined)) {
    const row = second === undefined ? unclear : shown.get(second);
    throw new UserError(
      `The numbers of ${JSON.stringify(column)} can be read in two ways: ${quoted(row ?? 0, texts[row ?? 0] ?? "")}. Say with "decimal" whether their decimals begin with "." or ",".`,
    );
  }
  return first ?? ".";
}

function shownBy(text: string): DecimalSign | "unclear" | undefined {
  const [point, comma] = [text.lastIndexOf("."), text.lastIndexOf(",")];
  if (point >= 0 && comma >= 0) return point > comma ? "." : ",";
  if (point < 0 && comma < 0) return undefined;
  const sign = point >= 0 ? "." : ",";
  if (text.split(sign).length > 2) return sign === "." ? "," : ".";
  if (!/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return sign;
  // 1.234 is what programs write for a little more than 1; 1,234 is written for both.
  return sign === "." ? undefined : "unclear";
}
