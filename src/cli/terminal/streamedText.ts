/** A message that arrives in pieces, cut so that each piece can be printed by itself. */
export class StreamedText {
  private held = "";
  private last = "";

  constructor(readonly messageId: string) {}

  /** Returns what can be printed now; half of a surrogate pair or of a CRLF waits for its other half. */
  add(text: string): string {
    const whole = this.held + text;
    const cut = /[\r\ud800-\udbff]$/.test(whole) ? whole.length - 1 : whole.length;
    this.held = whole.slice(cut);
    return this.note(whole.slice(0, cut));
  }

  rest(): string {
    const text = this.note(this.held);
    this.held = "";
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
