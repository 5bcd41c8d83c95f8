import type { LanguageModel, ModelRequest } from "../ports.js";
import type { AgentEvent } from "./events.js";
import type { ToolCall, Usage } from "./messages.js";

export interface Reply {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage?: Usage;
}

/** One model call, streamed as events. Throws what {@link LanguageModel.respond} throws. */
export async function askModel(
  model: LanguageModel,
  request: ModelRequest,
  messageId: string,
  onEvent: (event: AgentEvent) => void,
  signal: AbortSignal,
): Promise<Reply> {
  let text = "";
  let usage: Usage | undefined;
  const toolCalls: ToolCall[] = [];
  for await (const part of model.respond(request, signal)) {
    switch (part.type) {
      case "text":
        text += part.text;
        onEvent({ type: "textDelta", messageId, text: part.text });
        break;
      case "toolCall":
        toolCalls.push(part.call);
        break;
      case "usage":
        usage = part.usage;
        break;
      case "reasoning":
      case "finish":
        break;
    }
  }
  signal.throwIfAborted();
  if (text !== "") onEvent({ type: "text", messageId, text });
  if (usage !== undefined) onEvent({ type: "usage", usage });
  return { text, toolCalls, ...(usage === undefined ? {} : { usage }) };
}
