import { StreamedText } from "./streamedText.js";
import type { Terminal } from "./terminal.js";
import { terminalLine, terminalText } from "./terminalText.js";

/**
 * What has been printed so far, line by line, and what stands on the last line: a passing word about
 * what goes on, a message or an output that is still coming. Whatever comes next ends it first.
 */
export class Page {
  private isPassing = false;
  private isMidLine = false;
  private streamed: StreamedText | undefined;
  /** The last line is empty, or there is none yet. */
  private isGap = true;

  constructor(private readonly terminal: Terminal) {}

  lines(...lines: readonly string[]): void {
    this.settle();
    if (lines.length === 0) return;
    this.terminal.print(lines.map((line) => `${line}\n`).join(""));
    this.isGap = false;
  }

  /** To standard error, which on a terminal is the same page. */
  errorLine(line: string): void {
    this.settle();
    this.terminal.printError(`${line}\n`);
    if (this.terminal.canOverwrite) this.isGap = false;
  }

  /** One empty line, however often it is asked for. */
  gap(): void {
    this.settle();
    if (!this.isGap) this.terminal.print("\n");
    this.isGap = true;
  }

  /** What goes on, until there is something to say; only where it can be taken back. */
  pass(what: string): void {
    if (!this.terminal.canOverwrite) return;
    this.settle();
    const line = terminalLine(what, this.terminal.columns - 5);
    this.terminal.print(this.terminal.style.dim(`  ⋯ ${line}`));
    this.isPassing = true;
  }

  /** A piece of a message; its first piece begins a paragraph. */
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

  /** A piece of a command's output, in its own lines. */
  output(text: string, look: (text: string) => string): void {
    if (text === "") return;
    if (!this.isMidLine) this.settle();
    this.terminal.print(look(text));
    this.isMidLine = !text.endsWith("\n");
    this.isGap = false;
  }

  /** Ends, or takes back, what stands on the last line. */
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
