import { parseLooseJson } from "../../documents/looseJson.js";
import type { ToolCall } from "../../ports/messages.js";
import { digest } from "../../text/digest.js";
import type { AnyTool } from "../tool.js";

/** Number of equal results from which on the model is told that it repeats itself. */
const toldFrom = 3;
const maxKept = 200;

interface Seen {
  readonly result: string;
  readonly times: number;
}

/**
 * Detects an agent that repeats itself: counts how often the same call has had the same result while no other
 * call has changed anything.
 */
export class RepeatedCalls {
  private readonly seen = new Map<string, Seen>();
  /** The call that was repeated most, and how often it was made. */
  private worst: { readonly name: string; readonly times: number } = { name: "", times: 0 };

  get most(): { readonly name: string; readonly times: number } {
    return this.worst;
  }

  /**
   * Counts a call and its result.
   *
   * @returns a remark to the model that is added to the result; empty if there is none
   */
  count(call: ToolCall, tool: AnyTool | undefined, ok: boolean, content: string): string {
    const key = `${call.name} ${inOrder(call.arguments)}`;
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

/** Returns arguments in a form that does not depend on the order of their names. */
function inOrder(json: string): string {
  const parsed = parseLooseJson(json);
  if (!parsed.ok) return json.trim();
  return JSON.stringify(parsed.value, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
