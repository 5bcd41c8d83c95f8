import type { ToolCall, Usage } from "../../core/agent/messages.js";
import { parseJson } from "../../core/documents/parseJson.js";
import { ModelError } from "../../core/errors.js";
import type { FinishReason, ModelEvent } from "../../core/ports.js";
import type { ChatChunk } from "./chatChunks.js";
import { chatUsage } from "./chatUsage.js";
import { brokenResponse, shownAddress } from "./modelErrors.js";
import type { OpenAiOptions } from "./openAiOptions.js";
import { ToolCallFragments, type ToolCallFragment } from "./toolCallFragments.js";

type Content = string | readonly ContentPart[] | null;
interface ContentPart {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: Content;
}

/** A choice as servers send it; any field may be missing. Servers that do not stream send `message`. */
interface Choice {
  readonly delta?: Delta | null;
  readonly message?: Delta | null;
  readonly finish_reason?: string | null;
}

interface Delta {
  readonly content?: Content;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly ToolCallFragment[] | null;
  readonly function_call?: ToolCallFragment["function"];
}

/**
 * Translates a stream of chunks into events. Tool calls, usage and the finish reason are yielded last,
 * when all chunks have arrived.
 *
 * @param taken ids of the tool calls that are already in the conversation
 * @throws ModelError if the stream is no chat completion or breaks off
 */
export async function* chatEvents(
  chunks: AsyncIterable<ChatChunk | "done">,
  taken: ReadonlySet<string>,
  options: OpenAiOptions,
): AsyncGenerator<ModelEvent> {
  const address = shownAddress(options);
  const fragments = new ToolCallFragments();
  let usage: Usage | undefined;
  let finish: string | undefined;
  let isDone = false;
  let isAnswer = false;
  for await (const chunk of chunks) {
    if (chunk === "done") {
      isDone = true;
      continue;
    }
    usage = chatUsage(chunk["usage"], options.baseUrl) ?? usage;
    const choices = chunk["choices"];
    if (Array.isArray(choices)) isAnswer = true;
    const [choice] = Array.isArray(choices) ? (choices as readonly (Choice | undefined)[]) : [];
    if (!choice) continue;
    const delta = choice.delta ?? choice.message ?? {};
    const reasoning = `${delta.reasoning_content ?? delta.reasoning ?? ""}${thoughtIn(delta.content)}`;
    if (reasoning !== "") yield { type: "reasoning", text: reasoning };
    const text = textIn(delta.content) + (delta.refusal ?? "");
    if (text !== "") yield { type: "text", text };
    for (const [index, fragment] of (delta.tool_calls ?? []).entries()) {
      // The calls of a whole message have no index; each of them is complete.
      fragments.add(choice.message ? { ...fragment, index } : fragment);
    }
    if (delta.function_call) fragments.add({ index: 0, function: delta.function_call });
    // Some servers send an empty finish reason with every chunk.
    if (choice.finish_reason !== "") finish = choice.finish_reason ?? finish;
  }
  if (!isAnswer) throw brokenResponse(`${address} sent no chat completion.`);
  if (finish === undefined && !isDone) {
    throw brokenResponse(`The answer of ${address} ended before its end.`);
  }
  if (finish === "error" || finish === "insufficient_system_resource") {
    throw new ModelError("server", `${address} failed in the middle of its answer. Try again.`);
  }

  const calls = fragments.finish(taken);
  if (finish === undefined && !calls.every(isWhole)) {
    throw brokenResponse(`The answer of ${address} ended in the middle of a tool call.`);
  }
  // A call that the output limit has truncated is dropped.
  const whole = finish === "length" ? calls.filter(isWhole) : calls;
  for (const call of whole) yield { type: "toolCall", call };
  if (usage) yield { type: "usage", usage };
  yield { type: "finish", reason: reasonOf(finish ?? "stop", whole.length > 0) };
}

function textIn(content: Content | undefined): string {
  if (content === undefined || content === null || typeof content === "string") {
    return content ?? "";
  }
  return content.map((part) => part.text ?? "").join("");
}

function thoughtIn(content: Content | undefined): string {
  if (content === undefined || content === null || typeof content === "string") return "";
  return content.map(({ thinking }) => textIn(thinking)).join("");
}

function isWhole(call: ToolCall): boolean {
  return parseJson(call.arguments).ok;
}

function reasonOf(finish: string, calls: boolean): FinishReason {
  switch (finish) {
    case "tool_calls":
    case "function_call":
      return "toolCalls";
    case "stop":
      // Some servers send "stop" after tool calls, too.
      return calls ? "toolCalls" : "stop";
    case "length":
      return "length";
    case "content_filter":
      return "filtered";
    default:
      return "unknown";
  }
}
