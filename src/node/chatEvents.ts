import type OpenAI from "openai";
import { ModelError } from "../core/errors.js";
import type { ToolCall, Usage } from "../core/agent/messages.js";
import type { FinishReason, ModelEvent } from "../core/ports.js";
import { brokenResponse, shownAddress } from "./modelErrors.js";
import { defaultTimeoutMs, type OpenAiOptions } from "./openAiOptions.js";
import { ToolCallFragments, type ToolCallFragment } from "./toolCallFragments.js";
import { withinTime } from "./withinTime.js";

/** As servers send it, which is more and less than OpenAI's types say. */
interface Delta {
  readonly content?: string | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly ToolCallFragment[] | null;
}

/**
 * A stream of chunks as events. Calls, usage and the end are known only when all has come.
 *
 * @param taken ids of calls that the conversation has already
 */
export async function* chatEvents(
  chunks: AsyncIterable<OpenAI.ChatCompletionChunk>,
  taken: ReadonlySet<string>,
  options: OpenAiOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const address = shownAddress(options);
  const fragments = new ToolCallFragments();
  let usage: Usage | undefined;
  let finish: string | undefined;
  for await (const chunk of spoken(chunks, options, signal)) {
    if (chunk.usage) usage = usageOf(chunk.usage);
    const [choice] = (chunk.choices as typeof chunk.choices | undefined) ?? [];
    if (!choice) continue;
    const delta = (choice.delta as Delta | undefined) ?? {};
    const reasoning = delta.reasoning_content ?? delta.reasoning ?? "";
    if (reasoning !== "") yield { type: "reasoning", text: reasoning };
    const text = (delta.content ?? "") + (delta.refusal ?? "");
    if (text !== "") yield { type: "text", text };
    for (const fragment of delta.tool_calls ?? []) fragments.add(fragment);
    finish = choice.finish_reason ?? finish;
  }
  signal.throwIfAborted();
  if (finish === undefined) throw brokenResponse(`The answer of ${address} ended before its end.`);

  const calls = fragments.finish(taken);
  // What a limit cut off is no call.
  const whole = finish === "length" ? calls.filter(isWhole) : calls;
  for (const call of whole) yield { type: "toolCall", call };
  if (usage) yield { type: "usage", usage };
  yield { type: "finish", reason: reasonOf(finish, whole.length > 0) };
}

/** The chunks, unless the server falls silent. */
async function* spoken<T>(
  chunks: AsyncIterable<T>,
  options: OpenAiOptions,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const ms = options.timeoutMs ?? defaultTimeoutMs;
  const tooLate = () =>
    new ModelError(
      "unreachable",
      `${shownAddress(options)} fell silent for ${ms / 1000} s in the middle of its answer. Try again, or allow it more time.`,
    );
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = await withinTime(iterator.next(), signal, { ms, tooLate });
    if (next.done === true) return;
    yield next.value;
  }
}

function isWhole(call: ToolCall): boolean {
  try {
    JSON.parse(call.arguments);
    return true;
  } catch {
    return false;
  }
}

function reasonOf(finish: string, calls: boolean): FinishReason {
  switch (finish) {
    case "tool_calls":
    case "function_call":
      return "toolCalls";
    case "stop":
      // Some servers say so after calls, too.
      return calls ? "toolCalls" : "stop";
    case "length":
      return "length";
    case "content_filter":
      return "filtered";
    default:
      return "unknown";
  }
}

function usageOf(usage: OpenAI.CompletionUsage & { prompt_cache_hit_tokens?: number }): Usage {
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
  };
}
