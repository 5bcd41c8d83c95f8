import type { ToolCall } from "../../ports/messages.js";
import type { Repair } from "../events.js";
import type { AnyTool } from "../tool.js";
import type { Reply, NormalizedReply } from "./askModel.js";
import { coerceArguments } from "./coerceArguments.js";
import { resolveToolAlias } from "./resolveToolAlias.js";
import { textCalls } from "./textCalls/textCalls.js";

/**
 * Normalizes a reply's calls, where their meaning is certain. A valid reply is returned unchanged.
 *
 * @param messageId unique in the workspace; calls that had no id get one made of it
 */
export function normalizeReply(
  reply: Reply,
  tools: ReadonlyMap<string, AnyTool>,
  messageId: string,
): NormalizedReply {
  if (reply.toolCalls.length === 0) {
    const written = textCalls(reply.text, tools);
    if (written === undefined) return { reply, repairs: [] };
    const toolCalls = written.calls.map((call, index) => ({
      id: `call_${messageId}_${index + 1}`,
      ...call,
    }));
    return { reply: { ...reply, text: written.text, toolCalls }, repairs: ["textCall"] };
  }
  const repairs = new Set<Repair>();
  const toolCalls = reply.toolCalls.map((call) => normalizeCall(call, tools, repairs));
  return repairs.size === 0
    ? { reply, repairs: [] }
    : { reply: { ...reply, toolCalls }, repairs: [...repairs] };
}

function normalizeCall(
  call: ToolCall,
  tools: ReadonlyMap<string, AnyTool>,
  repairs: Set<Repair>,
): ToolCall {
  const resolved = resolveToolAlias(call.name, tools);
  const tool = resolved && tools.get(resolved.name);
  if (!resolved || !tool) return call;
  const { rename, isAlias } = resolved;
  const args = coerceArguments(tool, call.arguments, { rename, strict: isAlias });
  // A different name is certain only together with arguments that fit.
  if (resolved.name !== call.name && args === undefined) return call;
  if (resolved.name !== call.name) repairs.add("toolName");
  else if (args !== undefined && args !== call.arguments) repairs.add("arguments");
  return { ...call, name: resolved.name, arguments: args ?? call.arguments };
}
