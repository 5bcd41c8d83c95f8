import * as z from "zod";
import { parseJson } from "../../core/documents/parseJson.js";
import { ModelError } from "../../core/errors.js";
import type { AnswerLimit } from "../../core/models/answerLimit.js";
import { cuts, type ToolCall } from "../../core/ports/messages.js";
import type { ModelEvent } from "../../core/ports/model.js";
import { finishReason } from "./finishReason.js";
import { endedEarly, endedInTheMiddle, shownAddress } from "./modelErrors.js";
import type { ResponseChunk } from "./responseChunks.js";
import type { ServerOptions } from "./serverOptions.js";
import { asStream, streamOfMessage } from "./wholeAnswers.js";

const count = z.int().min(0).nullish().catch(undefined);
const usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
});
type Counts = z.infer<typeof usage>;

// Some gateways write `null` for a field that may be absent.
const word = z.string().optional().catch(undefined);
const used = usage.optional().catch(undefined);

/** The events of a stream of which something is used: https://platform.claude.com/docs/en/build-with-claude/streaming. */
const streamEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message_start"), message: z.object({ usage: used }) }),
  z.object({
    type: z.literal("content_block_start"),
    index: z.int(),
    content_block: z.object({
      type: z.string(),
      id: word,
      name: word,
      input: z.unknown().optional(),
      text: word,
      data: word,
    }),
  }),
  z.object({
    type: z.literal("content_block_delta"),
    index: z.int(),
    delta: z.object({
      type: z.string(),
      text: word,
      thinking: word,
      partial_json: word,
      signature: word,
    }),
  }),
  z.object({
    type: z.literal("message_delta"),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: used,
  }),
  z.object({ type: z.literal("message_stop") }),
]);

interface DraftCall {
  readonly id: string;
  readonly name: string;
  /** The input that came with the block's beginning, as JSON. */
  readonly whole: string;
  pieces: string;
}

/** A block of the model's thinking, as the API wants it back. */
type ThinkingBlock =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string };

/** The most characters of a reply's thinking that are kept. */
const longestThinking = 200_000;

/**
 * Translates a stream of Anthropic's events into ours. Tool calls, usage and the finish reason come last.
 *
 * @param limit is told of all that the model writes
 * @throws ModelError if the stream is no answer, breaks off or does not end
 */
export async function* messagesEvents(
  chunks: AsyncIterable<ResponseChunk | "done">,
  options: ServerOptions,
  limit: AnswerLimit,
): AsyncGenerator<ModelEvent> {
  const address = shownAddress(options);
  const calls = new Map<number, DraftCall>();
  const thoughts = new Map<number, ThinkingBlock>();
  let counts: Counts = {};
  let finish: string | undefined;
  let isAnswer = false;
  let isWhole = false;
  for await (const chunk of asStream(chunks, streamOfMessage)) {
    const parsed = streamEvent.safeParse(chunk);
    // Pings, and events and blocks of which later versions of the API may tell.
    if (!parsed.success) continue;
    const event = parsed.data;
    switch (event.type) {
      case "message_start":
        isAnswer = true;
        counts = { ...counts, ...event.message.usage };
        break;
      case "content_block_start": {
        const { type, id = "", name = "", input, text = "", data } = event.content_block;
        if (type === "thinking") thoughts.set(event.index, { type, thinking: "", signature: "" });
        if (type === "redacted_thinking" && data !== undefined) {
          thoughts.set(event.index, { type, data });
        }
        if (type === "tool_use") {
          const whole = JSON.stringify(input ?? {});
          limit.add(whole.length);
          calls.set(event.index, { id, name, whole, pieces: "" });
        }
        limit.add(text.length + (data?.length ?? 0));
        if (text !== "") yield { type: "text", text };
        break;
      }
      case "content_block_delta": {
        const { text = "", thinking = "", partial_json: piece = "", signature = "" } = event.delta;
        limit.add(text.length + thinking.length + piece.length + signature.length);
        const thought = thoughts.get(event.index);
        if (thought?.type === "thinking") {
          thought.thinking += thinking;
          thought.signature += signature;
        }
        if (thinking !== "") yield { type: "reasoning", text: thinking };
        if (text !== "") yield { type: "text", text };
        const call = calls.get(event.index);
        if (call !== undefined) call.pieces += piece;
        break;
      }
      case "message_delta":
        finish = event.delta.stop_reason ?? finish;
        counts = { ...counts, ...told(event.usage ?? {}, counts) };
        break;
      case "message_stop":
        isWhole = true;
        break;
    }
  }
  if (!isAnswer) {
    throw new ModelError(
      "brokenResponse",
      "{address} sent no message of Anthropic's API. Try again; if it stays like that, check the model's address.",
      { address },
    );
  }
  // Some gateways leave out the last event.
  if (!isWhole && finish === undefined) throw endedEarly(address);
  const made = [...calls.values()].map(({ id, name, whole, pieces }): ToolCall => ({
    id,
    name,
    arguments: pieces === "" ? whole : pieces,
  }));
  // A call that the output limit has truncated is dropped.
  const reason = finishReason(finish ?? "");
  if (reason === "failed") throw endedInTheMiddle(address);
  const isCut = cuts.some((cut) => cut === reason);
  for (const call of made) {
    if (!isCut || parseJson(call.arguments).ok) yield { type: "toolCall", call };
  }
  // A server need not sign its thinking to want it back: MiniMax asks for all blocks of a reply. If a reply was truncated,
  // its last block lacks the signature that Anthropic asks for.
  const kept = [...thoughts.values()].filter(
    (thought) =>
      thought.type !== "thinking" ||
      thought.signature !== "" ||
      (!isCut && thought.thinking !== ""),
  );
  if (kept.length > 0 && JSON.stringify(kept).length <= longestThinking) {
    const { name: model } = options;
    yield { type: "keptReasoning", reasoning: { api: "messages", model, items: kept } };
  }
  yield* usageEvents(counts);
  yield { type: "finish", reason };
}

/** Returns the fields that a later event tells again; the others keep their values, as do counts that it has as zero. */
function told(counts: Counts, before: Counts): Counts {
  return Object.fromEntries(
    Object.entries(counts).filter(
      ([name, value]) =>
        typeof value === "number" && (value > 0 || !(before[name as keyof Counts] ?? 0)),
    ),
  );
}

/** Anthropic counts what was read from the cache, and written to it, beside the other input. */
function* usageEvents(counts: Counts): Generator<ModelEvent> {
  if (typeof counts.input_tokens !== "number") return;
  const cachedTokens = counts.cache_read_input_tokens ?? 0;
  const inputTokens =
    counts.input_tokens + cachedTokens + (counts.cache_creation_input_tokens ?? 0);
  yield {
    type: "usage",
    usage: { inputTokens, outputTokens: counts.output_tokens ?? 0, cachedTokens },
  };
}
