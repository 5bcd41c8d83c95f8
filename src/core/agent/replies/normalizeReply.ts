import { coerceArguments } from "./coerceArguments.js";
import type { Reply, Understood } from "./askModel.js";
import type { ToolCall } from "../messages.js";
import type { Repair } from "../repair.js";
import { textCalls } from "./textCalls/textCalls.js";
import type { AnyTool } from "../tool.js";
import { resolveToolAlias } from "./resolveToolAlias.js";

/**
 * Normalizes a reply's calls, where their meaning is certain. A valid reply is returned unchanged.
 *
 * @param messageId unique in the workspace; calls that had no id get one made of it
 */
export function normalizeReply(
  reply: Reply,
  tools: ReadonlyMap<string, AnyTool>,
  messageId: string,
): Understood {
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
  const toolCalls = reply.toolCalls.map((call) => understandCall(call, tools, repairs));
  return repairs.size === 0
    ? { reply, repairs: [] }
    : { reply: { ...reply, toolCalls }, repairs: [...repairs] };
}

function understandCall(
  call: ToolCall,
  tools: ReadonlyMap<string, AnyTool>,
  repairs: Set<Repair>,
): ToolCall {
  const meant = resolveToolAlias(call.name, tools);
  const tool = meant && tools.get(meant.name);
  if (!meant || !tool) return call;
  const { rename, isAlias } = meant;
  const args = coerceArguments(tool, call.arguments, { rename, strict: isAlias });
  // A different name is certain only together with arguments that fit.
  if (meant.name !== call.name && args === undefined) return call;
  if (meant.name !== call.name) repairs.add("toolName");
  else if (args !== undefined && args !== call.arguments) repairs.add("arguments");
  return { ...call, name: meant.name, arguments: args ?? call.arguments };
}
