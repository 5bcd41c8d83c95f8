/** Characters; longer than any mark that begins a call. */
const longestMark = 40;
/** Characters of a line that are held back at most, with what it is indented by: they are looked at with each new piece. */
const longestHeld = 1000;

/**
 * Filters streamed text so that a tool call that a model writes into it is not shown: it would be removed
 * again. A call begins at the beginning of a line.
 */
export class StreamingCallFilter {
  private pending = "";
  private isInCall = false;
  private isMidLine = false;
  private readonly mark: RegExp;

  /** @param tools names of the tools that the model was offered */
  constructor(tools: readonly string[]) {
    const names = tools.map((name) => name.replaceAll(/[^\w-]/g, "")).join("|");
    this.mark = new RegExp(
      `^[ \\t]*(?:<(?:${names})[\\s>]|<(?:[|｜]|(?:\\w+[:|_])?(?:tool_?call|tool_use|tools>|function(?:[=_c]| name=)|invoke ))|\\]<\\]minimax|\\[TOOL_CALL)`,
      "im",
    );
  }

  /** Adds a piece of the text and returns what may be shown now. */
  add(piece: string): string {
    this.pending += piece;
    if (this.isInCall) return "";
    const begun = this.isMidLine ? "x" : "";
    const mark = this.mark.exec(begun + this.pending);
    this.isInCall = mark !== null;
    const end = mark === null ? this.certain() : mark.index - begun.length;
    const text = this.pending.slice(0, end);
    this.pending = this.pending.slice(end);
    if (text !== "") this.isMidLine = !text.endsWith("\n");
    return text;
  }

  /** Returns the length of the pending text that certainly begins no call: up to the last line, if that may. */
  private certain(): number {
    const line = this.pending.lastIndexOf("\n") + 1;
    if (line === 0 && this.isMidLine) return this.pending.length;
    if (this.pending.length - line > longestHeld) return this.pending.length;
    const last = this.pending.slice(line).trimStart();
    return /^(?:$|[<[\]])/.test(last) && last.length < longestMark ? line : this.pending.length;
  }
}
