import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { dirname } from "node:path";
import { finished } from "node:stream/promises";
import { messageOf } from "../core/errors.js";

/** Characters kept of each end. */
const keptAtEachEnd = 12_000;

/**
 * Keeps the beginning and the end of a command's output in memory, and, once that is not all of it,
 * the whole in a file.
 */
export class OutputKeeper {
  private head = "";
  private tail = "";
  private length = 0;
  private file: WriteStream | undefined;
  private fileProblem: string | undefined;
  private readonly waiting: (() => void)[] = [];

  /** @param path absolute path of the file for the whole */
  constructor(private readonly path: string | undefined) {}

  /** Resolves when more is welcome; `undefined` when it is at once. */
  add(text: string): Promise<void> | undefined {
    const wasWhole = this.length <= 2 * keptAtEachEnd;
    const before = wasWhole ? this.head + this.tail : "";
    this.length += text.length;
    const room = keptAtEachEnd - this.head.length;
    this.head += text.slice(0, room);
    if (text.length > room) this.tail = (this.tail + text.slice(room)).slice(-keptAtEachEnd);
    if (this.length <= 2 * keptAtEachEnd || this.path === undefined) return undefined;
    if (wasWhole) this.file = this.openFile(this.path);
    return this.write(before + text);
  }

  /** When the file is complete. */
  async finish(): Promise<{ output: string; omitted: number }> {
    if (this.file && this.fileProblem === undefined) {
      this.file.end();
      await finished(this.file).catch((error: unknown) => {
        this.fileProblem = messageOf(error);
      });
    }
    const note =
      this.fileProblem === undefined
        ? ""
        : `\n[The complete output could not be kept: ${this.fileProblem}]\n`;
    const [head, tail] = [wholeEnd(this.head), wholeStart(this.tail)];
    const omitted = this.length - head.length - tail.length;
    if (this.length <= 2 * keptAtEachEnd)
      return { output: this.head + this.tail + note, omitted: 0 };
    return { output: `${head}\n[… ${omitted} characters left out …]\n${tail}${note}`, omitted };
  }

  private openFile(path: string): WriteStream | undefined {
    try {
      mkdirSync(dirname(path), { recursive: true });
    } catch (error) {
      this.fileProblem = messageOf(error);
      return undefined;
    }
    const file = createWriteStream(path);
    file.on("error", (error) => {
      this.fileProblem ??= messageOf(error);
      this.goOn();
    });
    file.on("drain", () => {
      this.goOn();
    });
    return file;
  }

  private goOn(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private write(text: string): Promise<void> | undefined {
    const { file } = this;
    if (!file || this.fileProblem !== undefined || file.write(text)) return undefined;
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

/** A cut must not leave half a character. */
function wholeEnd(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
function wholeStart(text: string): string {
  return /^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text;
}
