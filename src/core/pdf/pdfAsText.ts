import { UserError } from "../errors.js";
import type { PdfReader } from "../ports/pdf.js";

/** The most bytes of a PDF that is read. */
export const maxPdfBytes = 64_000_000;

/**
 * Returns whether a file is a PDF by its first bytes, whatever its name says. Some programs put an empty line or a mark of
 * the encoding before them, which every reader of PDFs passes over.
 */
export function isPdf(start: Uint8Array): boolean {
  const text = String.fromCharCode(...start.subarray(0, tellingBytes));
  return /^(?:\xef\xbb\xbf)?\s*%PDF-/.test(text);
}

/** The number of a file's first bytes in which readers look for the beginning of a PDF. */
const tellingBytes = 1024;

/**
 * Returns the text of a PDF with a line above each page, as in `[Page 3 of 17]`. The same PDF always gives the same lines,
 * so that what names some of them can be read on elsewhere.
 *
 * @throws a `UserError` if it cannot be read, or none of its pages has text
 */
export async function pdfAsText(
  bytes: Uint8Array,
  reader: PdfReader,
  signal: AbortSignal,
): Promise<string> {
  const { pages, total, damaged } = await reader.text(bytes, signal);
  if (pages.every((page) => page.trim() === "")) {
    throw new UserError(
      "pdfWithoutText",
      "The PDF has no text, as when its pages are scanned. Attach pictures of the pages.",
    );
  }
  const texts = pages.map((page, index) => {
    const why = damaged.includes(index + 1) ? ", which is damaged and cannot be read" : "";
    return `[Page ${index + 1} of ${total}${why}]\n${page.trim()}\n`;
  });
  const left = total - pages.length;
  if (left > 0)
    texts.push(`[The text of the last ${left} pages is left out, because it is too long.]\n`);
  return texts.join("\n");
}
