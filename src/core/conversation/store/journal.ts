import { parseJsonLine, toJsonLine } from "../../documents/jsonLines.js";
import type { FileSystem } from "../../ports/files.js";
import type { Signer } from "../../ports/system.js";
import { isSigned, signJson } from "../../provenance/signedJson.js";
import { isPassing, type ConversationEvent } from "../events/events.js";

/** The file of the one conversation that a workspace of an earlier version has. */
export const journalPath = ".rooroo/logs/conversation.jsonl";

/** The most bytes that are read and parsed at once, so that other work comes in between. */
const pieceBytes = 512 * 1024;

/** Number of lines that are kept for a retry while the file cannot be written. */
const pendingLimit = 10_000;

export interface LoadedConversation {
  readonly events: ConversationEvent[];
  /** Whether the file has more events before these. */
  readonly truncated: boolean;
  /** Number of events that this installation did not write; they are left out. */
  readonly foreign: number;
}

/**
 * A conversation's file: what the panel shows after a restart. It has one signed event a line and is
 * appended to only; processes may write at the same time.
 */
export class ConversationJournal {
  private pending: string[] = [];
  private writing: Promise<void> | undefined;
  private failing = false;

  constructor(
    private readonly files: FileSystem,
    private readonly signer: Signer,
    /** Called once when writing begins to fail, and not again before a write has succeeded. */
    private readonly onError: (error: unknown) => void,
    readonly path: string = journalPath,
  ) {}

  /**
   * Stores the event unless it is transient (`isPassing`). Never throws and does not wait: lines are written
   * in order, all that have gathered at once. Lines that could not be written are retried with the next.
   */
  append(event: ConversationEvent): void {
    if (isPassing(event)) return;
    this.pending.push(toJsonLine(event));
    if (this.pending.length > pendingLimit) this.pending.splice(0, 1);
    this.writing ??= this.write();
  }

  /** Whether events could not be written; they are written with the next one. */
  get hasUnwritten(): boolean {
    return this.pending.length > 0;
  }

  /** Resolves when all events so far have been written, or writing them has failed. */
  async flush(): Promise<void> {
    await this.writing;
  }

  /**
   * Reads as {@link load} does, after all events so far have been written. Later ones are written when it has been
   * read, so that no event is in both.
   *
   * @param onRead called at the moment that separates the two
   */
  async read(onRead: () => void, limitBytes?: number): Promise<LoadedConversation> {
    while (this.writing !== undefined) await this.writing;
    onRead();
    const reading = this.load(limitBytes);
    this.writing = reading
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        this.writing = this.pending.length === 0 ? undefined : this.write();
      });
    return reading;
  }

  /**
   * Reads the newest events, from at most the last `limitBytes` of the file. Lines that cannot be read stay
   * in the file and are skipped.
   *
   * @throws what the file system throws
   */
  async load(limitBytes = 1024 * 1024): Promise<LoadedConversation> {
    const size = (await this.files.stat(this.path))?.size ?? 0;
    if (size === 0) return { events: [], truncated: false, foreign: 0 };
    const start = Math.max(0, size - limitBytes);
    // The schema is loaded only if there is something to read.
    const { eventSchema } = await import("../events/eventSchema.js");
    let foreign = 0;
    const events: ConversationEvent[] = [];
    for await (const line of this.linesFrom(start, size)) {
      const parsed = line === "" ? undefined : parseJsonLine(line);
      const event = parsed?.ok === true ? eventSchema.safeParse(parsed.value) : undefined;
      if (event?.success !== true) continue;
      if (isSigned(line, this.path, this.signer)) events.push(event.data);
      else foreign++;
    }
    return { events, truncated: start > 0, foreign };
  }

  /** Returns the lines of a stretch of the file, without one that begins before it. */
  private async *linesFrom(start: number, end: number): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    // One byte more than asked for: if it is a newline, the first line is a whole one.
    let at = Math.max(0, start - 1);
    let isWhole = start === 0;
    let rest = new Uint8Array();
    while (at < end) {
      const piece = await this.files.readRange(this.path, at, Math.min(end, at + pieceBytes));
      if (piece.length === 0) break;
      at += piece.length;
      const bytes = new Uint8Array(rest.length + piece.length);
      bytes.set(rest);
      bytes.set(piece, rest.length);
      const lineEnd = bytes.lastIndexOf(0x0a) + 1;
      rest = bytes.subarray(lineEnd);
      if (lineEnd === 0) continue;
      for (const line of decoder.decode(bytes.subarray(0, lineEnd - 1)).split("\n")) {
        if (isWhole) yield line;
        isWhole = true;
      }
    }
    if (isWhole) yield decoder.decode(rest);
  }

  private async write(): Promise<void> {
    // Events that follow in the same turn of the event loop go into the same write.
    await Promise.resolve();
    try {
      while (this.pending.length > 0) {
        const lines = this.pending;
        this.pending = [];
        await this.writeLines(lines);
      }
      this.failing = false;
    } catch (error) {
      const first = !this.failing;
      this.failing = true;
      if (first) this.onError(error);
    } finally {
      this.writing = undefined;
    }
  }

  private async writeLines(lines: string[]): Promise<void> {
    try {
      const signed = lines.map((line) => signJson(line, this.path, this.signer));
      await this.files.appendLines(this.path, signed);
    } catch (error) {
      this.pending = [...lines, ...this.pending];
      throw error;
    }
  }
}
