import type { Terminal } from "./terminal.js";
import { terminalLine, terminalText } from "./terminalText.js";

/**
 * Prints lines and keeps track of an unfinished last line: a progress line, or a message or an output that
 * is still arriving. The next output ends the unfinished line first.
 */
export class Page {
  private isPassing = false;
  private isMidLine = false;
  private streamed: StreamedText | undefined;
  /** Whether the last line is empty, or nothing has been printed yet. */
  private isGap = true;

  constructor(private readonly terminal: Terminal) {}

  lines(...lines: readonly string[]): void {
    this.settle();
    if (lines.length === 0) return;
    this.terminal.print(lines.map((line) => `${line}\n`).join(""));
    this.isGap = false;
  }

  /** Prints a line to standard error, which on a terminal appears among the other lines. */
  errorLine(line: string): void {
    this.settle();
    this.terminal.printError(`${line}\n`);
    if (this.terminal.canOverwrite) this.isGap = false;
  }

  /** Prints an empty line, unless the last line is empty already. */
  gap(): void {
    this.settle();
    if (!this.isGap) this.terminal.print("\n");
    this.isGap = true;
  }

  /** Shows a progress line until the next output; only where the line can be overwritten. */
  pass(what: string): void {
    if (!this.terminal.canOverwrite) return;
    this.settle();
    const line = terminalLine(what, this.terminal.columns - 5);
    this.terminal.print(this.terminal.style.dim(`  ⋯ ${line}`));
    this.isPassing = true;
  }

  /** Prints a piece of a message; the first piece begins a paragraph. */
  stream(messageId: string, text: string): void {
    if (!this.streams(messageId)) {
      this.gap();
      this.streamed = new StreamedText(messageId);
      this.isGap = false;
    }
    this.terminal.print(terminalText(this.streamed?.add(text) ?? ""));
  }

  streams(messageId: string): boolean {
    return this.streamed?.messageId === messageId;
  }

  /** Prints a piece of a command's output, on lines of its own. */
  output(text: string, look: (text: string) => string): void {
    if (text === "") return;
    if (!this.isMidLine) this.settle();
    this.terminal.print(look(text));
    this.isMidLine = !text.endsWith("\n");
    this.isGap = false;
  }

  /** Ends the unfinished last line, or removes it if it is a progress line. */
  settle(): void {
    if (this.isPassing) this.terminal.print("\r\u001b[K");
    this.isPassing = false;
    if (this.streamed !== undefined) {
      this.terminal.print(`${terminalText(this.streamed.rest())}${this.streamed.missingEnd}`);
    }
    this.streamed = undefined;
    if (this.isMidLine) this.terminal.print("\n");
    this.isMidLine = false;
  }
}

/**
 * The end of a piece that what follows may change: a carriage return, half of a surrogate pair, and characters that are
 * joined by others that are not seen.
 */
const unfinished =
  /(?:\r|(?:^[\p{Default_Ignorable_Code_Point}\ud800-\udbff]+)?(?:[^\p{Default_Ignorable_Code_Point}\ud800-\udbff][\p{Default_Ignorable_Code_Point}\ud800-\udbff]+)*(?:[#*\d]|[^\x00-\x7f])?)$/u;
/** In units of a string. A longer chain is cut. */
const longestUnfinished = 64;

/** A message that arrives in pieces, cut so that each piece can be printed by itself. */
class StreamedText {
  private pending = "";
  private last = "";

  constructor(readonly messageId: string) {}

  /** Returns what can be printed now; what may belong to what follows, as half of a CRLF or of an emoji, waits for it. */
  add(text: string): string {
    const whole = this.pending + text;
    const [open = ""] = unfinished.exec(whole.slice(-longestUnfinished)) ?? [];
    const cut = whole.length - open.length;
    this.pending = whole.slice(cut);
    return this.note(whole.slice(0, cut));
  }

  rest(): string {
    const text = this.note(this.pending);
    this.pending = "";
    return text;
  }

  /** A newline if the message did not end with one, else an empty string. */
  get missingEnd(): string {
    return this.last === "" || this.last === "\n" ? "" : "\n";
  }

  private note(text: string): string {
    this.last = text.at(-1) ?? this.last;
    return text;
  }
}
