import { messageOf } from "../../core/errors.js";
import { fileError } from "../files/fileError.js";
import { OutputFile } from "../files/outputFile.js";
import { workspacePlace } from "../files/realLocation.js";

/** Characters of the output that are kept of its beginning, and as many of its end. */
const keptAtEachEnd = 12_000;
const bytesPerMegabyte = 1024 * 1024;

export interface OutputKeeperOptions {
  /** The workspace folder's absolute path. */
  readonly root: string;
  /**
   * The path of the file for the whole output: relative to the workspace, or absolute. `undefined`:
   * there is no such file.
   */
  readonly path: string | undefined;
  /** The most megabytes (of 1,048,576 bytes) that the file may have. Default: 64. */
  readonly mostMegabytes?: number;
  /**
   * Called once, when there is more output than the file may hold, with the limit, as in `output (64
   * MB)`.
   */
  readonly onLimit?: (limit: string) => void;
}

/**
 * Keeps the beginning and the end of a command's output in memory. Output that is longer than both is
 * also kept as a whole in a file, up to a limit.
 */
export class OutputKeeper {
  private head = "";
  private tail = "";
  private length = 0;
  private file: Promise<OutputFile | undefined> | undefined;
  private fileProblem: string | undefined;
  private isFull = false;
  private readonly mostMegabytes: number;

  /** @param options absent: only the beginning and the end are kept */
  constructor(private readonly options?: OutputKeeperOptions) {
    this.mostMegabytes = options?.mostMegabytes ?? 64;
  }

  /** Adds output. Resolves when more may be added; returns `undefined` if more may be added at once. */
  add(text: string): Promise<void> | undefined {
    const wasWhole = this.length <= 2 * keptAtEachEnd;
    const before = wasWhole ? this.head + this.tail : "";
    this.length += text.length;
    const room = keptAtEachEnd - this.head.length;
    this.head += text.slice(0, room);
    if (text.length > room) this.tail = (this.tail + text.slice(room)).slice(-keptAtEachEnd);
    const { path } = this.options ?? {};
    if (this.length <= 2 * keptAtEachEnd || path === undefined) return undefined;
    if (this.isFull || this.fileProblem !== undefined) return undefined;
    return this.write(before + text, path);
  }

  /** Completes the file. Resolves with the kept output and the number of characters left out of it. */
  async finish(): Promise<{ output: string; omitted: number }> {
    const file = await this.file;
    await this.orTold(() => file?.close());
    if (this.length <= 2 * keptAtEachEnd) return { output: this.head + this.tail, omitted: 0 };
    const [head, tail] = [wholeEnd(this.head), wholeStart(this.tail)];
    const omitted = this.length - head.length - tail.length;
    const output = `${head}\n[… ${omitted} characters left out …]\n${tail}${this.note()}`;
    return { output, omitted };
  }

  private note(): string {
    if (this.fileProblem !== undefined) {
      return `\n[The complete output could not be kept: ${this.fileProblem}]\n`;
    }
    return this.isFull
      ? `\n[The file with the complete output ends after ${this.mostMegabytes} MB, which is the most that is kept.]\n`
      : "";
  }

  private async write(text: string, path: string): Promise<void> {
    this.file ??= this.orTold(() => this.create(path));
    const file = await this.file;
    const isTaken = await this.orTold(() => file?.write(text));
    if (isTaken !== false || this.isFull) return;
    this.isFull = true;
    this.options?.onLimit?.(`output (${this.mostMegabytes} MB)`);
  }

  private async create(path: string): Promise<OutputFile> {
    const place = await workspacePlace(this.options?.root ?? "", path);
    return OutputFile.create(place, this.mostMegabytes * bytesPerMegabyte);
  }

  /** Records an error with the file instead of throwing it, because that must not end the command. */
  private async orTold<T>(work: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.fileProblem ??= messageOf(fileError(error, this.options?.path ?? "", "write"));
      return undefined;
    }
  }
}

/** Removes half a character at the place where the text was cut. */
function wholeEnd(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
function wholeStart(text: string): string {
  return /^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text;
}
