import * as z from "zod";
import { parseJson } from "../../core/documents/parseJson.js";
import { ModelError } from "../../core/errors.js";
import type { AnswerLimit } from "../../core/models/answerLimit.js";
import { cuts, type ToolCall, type Usage } from "../../core/ports/messages.js";
import type { FinishReason, ModelEvent } from "../../core/ports/model.js";
import { finishReason } from "./finishReason.js";
import { endedEarly, shownAddress } from "./modelErrors.js";
import type { ResponseChunk } from "./responseChunks.js";
import type { ServerOptions } from "./serverOptions.js";
import { asStream, streamOfResponse } from "./wholeAnswers.js";

const usage = z.object({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  input_tokens_details: z
    .object({ cached_tokens: z.int().min(0) })
    .nullish()
    .catch(undefined),
});
const response = z.object({
  usage: usage.nullish().catch(undefined),
  error: z.object({ code: z.string().nullish(), message: z.string() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
});
const call = z.object({
  type: z.literal("function_call"),
  call_id: z.string(),
  name: z.string(),
  // Some gateways send the object itself.
  arguments: z.string().or(z.unknown().transform((given) => JSON.stringify(given ?? {}))),
});
const reasoning = z.looseObject({
  type: z.literal("reasoning"),
  encrypted_content: z.string().nullish(),
});
const piece = z.object({ delta: z.string() });

/** The most characters of a reply's encrypted reasoning that are kept. */
const longestReasoning = 200_000;

/**
 * Translates a stream of events of OpenAI's Responses into ours. Tool calls, usage and the finish reason come last.
 * Source: https://platform.openai.com/docs/api-reference/responses-streaming.
 *
 * @param limit is told of all that the model writes
 * @param asError makes an error of the SDK of what the server tells of a failure
 * @throws ModelError if the stream is no answer, breaks off or does not end
 */
export async function* responsesEvents(
  chunks: AsyncIterable<ResponseChunk | "done">,
  options: ServerOptions,
  limit: AnswerLimit,
  asError: (told: unknown) => Error,
): AsyncGenerator<ModelEvent> {
  const address = shownAddress(options);
  const calls: ToolCall[] = [];
  const kept: unknown[] = [];
  let counts: Usage | undefined;
  let end: "completed" | "incomplete" | undefined;
  let reason: string | undefined;
  let isAnswer = false;
  let isRefused = false;
  for await (const chunk of asStream(chunks, streamOfResponse)) {
    if (chunk === "done") continue;
    const type = typeof chunk["type"] === "string" ? chunk["type"] : "";
    if (type.startsWith("response.")) isAnswer = true;
    // Also of what is used only when it is whole, as a call's arguments.
    if (type.endsWith(".delta")) limit.add(textIn(chunk).length);
    switch (type) {
      case "response.refusal.delta":
        isRefused = true;
        yield { type: "text", text: textIn(chunk) };
        break;
      case "response.output_text.delta":
        yield { type: "text", text: textIn(chunk) };
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        yield { type: "reasoning", text: textIn(chunk) };
        break;
      case "response.reasoning_summary_part.done":
        yield { type: "reasoning", text: "\n\n" };
        break;
      case "response.output_item.done": {
        const item = chunk["item"];
        const made = call.safeParse(item);
        const thought = reasoning.safeParse(item);
        if (made.success) {
          const { call_id: id, name, arguments: args } = made.data;
          limit.add(args.length);
          calls.push({ id, name, arguments: args });
        }
        if (thought.success && thought.data.encrypted_content) {
          limit.add(thought.data.encrypted_content.length);
          kept.push(sendable(thought.data));
        }
        break;
      }
      case "response.completed":
      case "response.incomplete":
      case "response.failed": {
        const told = response.safeParse(chunk["response"]);
        const { usage: used, error, incomplete_details } = told.success ? told.data : {};
        if (type === "response.failed") throw asError(error ?? { message: "" });
        end = type === "response.completed" ? "completed" : "incomplete";
        reason = incomplete_details?.reason ?? undefined;
        counts = used ? usageOf(used) : undefined;
        break;
      }
      case "error":
        throw asError(chunk);
      default:
        // Of other events nothing is used.
        break;
    }
  }
  if (!isAnswer) {
    throw new ModelError(
      "brokenResponse",
      "{address} sent no answer of the Responses API. Try again; if it stays like that, check the model's address.",
      { address },
    );
  }
  if (end === undefined) throw endedEarly(address);
  // A call that the output limit has truncated is dropped.
  const whole = calls.filter((one) => end === "completed" || parseJson(one.arguments).ok);
  for (const one of whole) yield { type: "toolCall", call: one };
  if (kept.length > 0 && JSON.stringify(kept).length <= longestReasoning) {
    const { name: model } = options;
    yield { type: "keptReasoning", reasoning: { api: "responses", model, items: kept } };
  }
  if (counts) yield { type: "usage", usage: counts };
  if (isRefused && whole.length === 0) yield { type: "finish", reason: "filtered" };
  else if (end === "incomplete") yield { type: "finish", reason: cutReason(reason) };
  else yield { type: "finish", reason: whole.length > 0 ? "toolCalls" : "stop" };
}

/** Returns why an answer is incomplete, from the reason that the server gives. */
function cutReason(told: string | undefined): FinishReason {
  const cut = finishReason(told ?? "");
  return cuts.find((one) => one === cut) ?? "length";
}

function textIn(chunk: ResponseChunk): string {
  const parsed = piece.safeParse(chunk);
  return parsed.success ? parsed.data.delta : "";
}

/** Returns a reasoning item as it may be sent: its id would be looked for at the server, which has stored nothing. */
function sendable(item: z.infer<typeof reasoning>): unknown {
  const kept = Object.entries(item).filter(([key]) => key !== "id" && key !== "status");
  return { summary: [], ...Object.fromEntries(kept) };
}

function usageOf(used: z.infer<typeof usage>): Usage {
  return {
    inputTokens: used.input_tokens,
    outputTokens: used.output_tokens,
    cachedTokens: Math.min(used.input_tokens_details?.cached_tokens ?? 0, used.input_tokens),
  };
}
