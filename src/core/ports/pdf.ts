/** The text of a PDF. */
export interface PdfText {
  /** The number of its pages. */
  readonly total: number;
  /**
   * The text of each of the first pages, with lines that end with LF; empty for a page without text, such as a scanned
   * one. There are fewer than `total` where they are too long together.
   */
  readonly pages: readonly string[];
  /** The numbers of the pages that cannot be read because they are damaged, from 1 on; their texts are empty. */
  readonly damaged: readonly number[];
}

/** Reads PDFs. */
export interface PdfReader {
  /**
   * Returns the text of a PDF.
   *
   * @throws a `UserError` if all of it is broken, needs a password or takes too long, and the signal's reason when the signal
   * aborts
   */
  text(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText>;
}
