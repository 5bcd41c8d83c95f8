import { UserError } from "../../src/core/errors.js";
import type { PdfReader, PdfText } from "../../src/core/ports/pdf.js";

const pageEnd = "\f";

/** A page that {@link PlainPdf} takes for a damaged one. */
export const damagedPage = "\x18";

/** Returns a file that begins as PDFs do, and which {@link PlainPdf} reads as these pages. */
export function plainPdf(...pages: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`%PDF-1.7\n${pages.join(pageEnd)}`);
}

/** Reads what {@link plainPdf} has made, as a reader of PDFs does with real ones. */
export class PlainPdf implements PdfReader {
  /** @param most the most characters that it returns */
  constructor(private readonly most = 1_000_000) {}

  async text(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
    await Promise.resolve();
    signal.throwIfAborted();
    const [head, text = ""] = new TextDecoder().decode(bytes).split(/(?<=^%PDF-1\.7)\n/);
    if (head !== "%PDF-1.7") {
      throw new UserError("pdfBroken", "The PDF cannot be read: {problem}", { problem: "no" });
    }
    const all = text.split(pageEnd);
    let room = this.most;
    const pages: string[] = [];
    const damaged: number[] = [];
    for (const page of all) {
      if (room <= 0 || (page.length > room && pages.length > 0)) break;
      const isDamaged = page === damagedPage;
      pages.push(isDamaged ? "" : page.slice(0, room));
      if (isDamaged) damaged.push(pages.length);
      room -= page.length;
    }
    return { pages, total: all.length, damaged };
  }
}
