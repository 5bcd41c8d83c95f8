import type { ToolCall } from "./messages.js";
import type { AnyTool } from "./tool.js";
import { digest } from "../digest.js";

/** From this often on a model is told that it repeats itself. */
const toldFrom = 3;
const maxKept = 200;

interface Seen {
  readonly result: string;
  readonly times: number;
}

/**
 * Counts how often the very same call has had the very same result while nothing else has changed
 * anything: an agent that goes round in circles.
 */
export class Repeats {
  private readonly seen = new Map<string, Seen>();
  /** The call that was repeated most, and how often it was made. */
  private worst: { readonly name: string; readonly times: number } = { name: "", times: 0 };

  get most(): { readonly name: string; readonly times: number } {
    return this.worst;
  }

  /** @returns what the model is to be told beside the result; empty when there is nothing to say */
  count(call: ToolCall, tool: AnyTool | undefined, ok: boolean, content: string): string {
    const key = `${call.name} ${call.arguments.trim()}`;
    const before = this.seen.get(key);
    const result = digest(content.replace(/\bafter [\d.]+ s\b/g, ""));
    const times = before?.result === result ? before.times + 1 : 1;
    if (ok && tool?.kind === "action" && !["read", "none"].includes(tool.access)) this.seen.clear();
    this.seen.delete(key);
    this.seen.set(key, { result, times });
    const [oldest] = this.seen.keys();
    if (this.seen.size > maxKept && oldest !== undefined) this.seen.delete(oldest);
    if (times > this.worst.times) this.worst = { name: call.name, times };
    if (times < toldFrom) return "";
    return `\n(The same call had this same result ${times} times now. Do something else.)`;
  }
}
