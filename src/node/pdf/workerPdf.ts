import { UserError } from "../../core/errors.js";
import type { PdfReader, PdfText } from "../../core/ports/pdf.js";
import { type ThreadLimits, ThreadTooSlow, WorkerThread } from "../threads/workerThread.js";
import type { PdfAnswer } from "./pdfWorker.js";

/** Reads PDFs in a thread. */
export class WorkerPdf implements PdfReader {
  private readonly thread: WorkerThread<Uint8Array, PdfAnswer>;

  constructor(private readonly limits: ThreadLimits = { timeoutMs: 60_000, idleMs: 20_000 }) {
    const source = () => new URL("./pdfWorker.js", import.meta.url);
    this.thread = new WorkerThread("pdfWorker", source, limits);
  }

  async text(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
    const answer = await this.answer(bytes, signal);
    if (!("problem" in answer)) return answer;
    if (answer.problem === "password") {
      throw new UserError("pdfNeedsPassword", "The PDF needs a password. Save a copy without one.");
    }
    throw new UserError(
      "pdfBroken",
      "The PDF cannot be read: {problem}. Save it anew, or attach its text.",
      { problem: answer.said },
    );
  }

  private async answer(bytes: Uint8Array, signal: AbortSignal): Promise<PdfAnswer> {
    try {
      return await this.thread.ask(bytes, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ThreadTooSlow) {
        throw new UserError(
          "pdfTooSlow",
          "Reading the PDF took longer than {seconds} s and was stopped. Save the pages that matter as a PDF of their own.",
          { seconds: this.limits.timeoutMs / 1000 },
        );
      }
      // The thread has ended, as it does when it needs more memory than it may have.
      throw new UserError(
        "pdfTooLarge",
        "Reading the PDF was stopped: {problem}. Save the pages that matter as a PDF of their own.",
        { problem: (error as Error).message },
      );
    }
  }
}
