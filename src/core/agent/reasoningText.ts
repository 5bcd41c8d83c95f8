/** What models and servers are known to put around thoughts that they leave in the text. */
const marks = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["<mm:think>", "</mm:think>"],
  ["[THINK]", "[/THINK]"],
] as const;

/**
 * Takes a model's thoughts out of its text as that comes, in pieces of any size. Only thoughts that
 * the text begins with: further on, the marks may be what is talked about.
 */
export class ReasoningText {
  private state: "beginning" | "thinking" | "text" = "beginning";
  private held = "";
  private end = "";
  /** Something was taken out, so the space that followed it goes, too. */
  private hasThought = false;

  /** The part of the text that this piece makes certain. */
  add(piece: string): string {
    if (this.state === "text") return piece;
    this.held += piece;
    for (;;) {
      if (this.state === "thinking") {
        const at = this.held.toLowerCase().indexOf(this.end);
        if (at < 0) {
          this.held = this.held.slice(-this.end.length);
          return "";
        }
        this.held = this.held.slice(at + this.end.length);
        this.state = "beginning";
      }
      const begun = this.held.trimStart().toLowerCase();
      const mark = marks.find(([open]) => begun.startsWith(open.toLowerCase()));
      if (mark === undefined) {
        if (marks.some(([open]) => open.toLowerCase().startsWith(begun))) return "";
        return this.rest();
      }
      this.held = this.held.trimStart().slice(mark[0].length);
      this.end = mark[1].toLowerCase();
      this.state = "thinking";
      this.hasThought = true;
    }
  }

  /** What was held back as a possible beginning, when no more comes. */
  finish(): string {
    return this.state === "beginning" ? this.rest() : "";
  }

  private rest(): string {
    const text = this.hasThought ? this.held.trimStart() : this.held;
    this.state = "text";
    this.held = "";
    return text;
  }
}

/**
 * A whole text without the thoughts of which only the end is marked, because their beginning was part
 * of the prompt. The mark must stand on a line of its own, outside of code.
 */
export function withoutOpenThought(text: string): string {
  for (const [open, close] of marks) {
    const lower = text.toLowerCase();
    const at = lower.indexOf(close.toLowerCase());
    if (at < 0 || lower.slice(0, at).includes(open.toLowerCase())) continue;
    const before = text.slice(0, at);
    const after = text.slice(at + close.length);
    const alone = /(^|\n)[ \t]*$/.test(before) && /^[ \t]*(\n|$)/.test(after);
    const inCode = (before.match(/^\s*```/gm) ?? []).length % 2 === 1;
    if (alone && !inCode) return after.trimStart();
  }
  return text;
}
