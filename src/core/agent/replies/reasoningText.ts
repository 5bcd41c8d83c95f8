/** Tags that models and servers are known to put around reasoning that they leave in the text. */
const marks = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["<mm:think>", "</mm:think>"],
  ["[THINK]", "[/THINK]"],
] as const;

/** Characters, nearly all of them white space, that are held back at most: they are looked at with each new piece. */
const longestHeld = 10_000;

/**
 * Removes a model's reasoning from its text while it streams, in pieces of any size. Only reasoning at the
 * beginning of the text is removed: further on, the text may be about the tags.
 */
export class ReasoningText {
  private state: "beginning" | "thinking" | "text" = "beginning";
  private pending = "";
  private end = "";
  /** Whether reasoning was removed, so that the white space after it is removed, too. */
  private hasThought = false;

  /** Adds a piece and returns the text that is now certain to be no reasoning. */
  add(piece: string): string {
    if (this.state === "text") return piece;
    this.pending += piece;
    for (;;) {
      if (this.state === "thinking") {
        const at = this.pending.toLowerCase().indexOf(this.end);
        if (at < 0) {
          this.pending = this.pending.slice(-this.end.length);
          return "";
        }
        this.pending = this.pending.slice(at + this.end.length);
        this.state = "beginning";
      }
      const begun = this.pending.trimStart().toLowerCase();
      const mark = marks.find(([open]) => begun.startsWith(open.toLowerCase()));
      if (mark === undefined) {
        const mayBegin = marks.some(([open]) => open.toLowerCase().startsWith(begun));
        return mayBegin && this.pending.length <= longestHeld ? "" : this.rest();
      }
      this.pending = this.pending.trimStart().slice(mark[0].length);
      this.end = mark[1].toLowerCase();
      this.state = "thinking";
      this.hasThought = true;
    }
  }

  /** Returns, at the end of the text, what was held back as a possible beginning of reasoning. */
  finish(): string {
    return this.state === "beginning" ? this.rest() : "";
  }

  private rest(): string {
    const text = this.hasThought ? this.pending.trimStart() : this.pending;
    this.state = "text";
    this.pending = "";
    return text;
  }
}

/**
 * Removes reasoning from a whole text in which only its end is marked, because its beginning was part of the
 * prompt. The closing tag must stand on a line of its own, outside of code.
 */
export function withoutOpenThought(text: string): string {
  for (const [open, close] of marks) {
    const lower = text.toLowerCase();
    const at = lower.indexOf(close.toLowerCase());
    if (at < 0 || lower.slice(0, at).includes(open.toLowerCase())) continue;
    const before = text.slice(0, at);
    const after = text.slice(at + close.length);
    const alone = /(^|\n)[ \t]*$/.test(before) && /^[ \t]*(\n|$)/.test(after);
    const inCode = (before.match(/^[ \t]*```/gm) ?? []).length % 2 === 1;
    if (alone && !inCode) return after.trimStart();
  }
  return text;
}
