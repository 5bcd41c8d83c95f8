import { recordOf } from "../../core/documents/recordOf.js";
import type { ResponseChunk } from "./responseChunks.js";

type Chunk = ResponseChunk | "done";

/**
 * Yields the chunks of an answer, and in place of one that is the whole answer, from a server that does not stream, those of
 * the stream that says the same.
 *
 * @param streamOf returns them; `undefined` for a chunk that is not the whole answer
 */
export async function* asStream(
  chunks: AsyncIterable<Chunk>,
  streamOf: (answer: ResponseChunk) => readonly ResponseChunk[] | undefined,
): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    const stream = chunk === "done" ? undefined : streamOf(chunk);
    if (stream === undefined) yield chunk;
    else yield* stream;
  }
}

/** A message of Anthropic's API: https://platform.claude.com/docs/en/api/messages/create. */
export function streamOfMessage(answer: ResponseChunk): readonly ResponseChunk[] | undefined {
  const { type, content, stop_reason } = answer;
  if (type !== "message" || !Array.isArray(content)) return undefined;
  return [
    { type: "message_start", message: answer },
    ...content.flatMap((block: unknown, index) => {
      const { thinking, signature } = recordOf(block) ?? {};
      return [
        { type: "content_block_start", index, content_block: block },
        { type: "content_block_delta", index, delta: { type: "whole", thinking, signature } },
      ];
    }),
    { type: "message_delta", delta: { stop_reason } },
    { type: "message_stop" },
  ];
}

/** A response of OpenAI's API: https://platform.openai.com/docs/api-reference/responses/object. */
export function streamOfResponse(answer: ResponseChunk): readonly ResponseChunk[] | undefined {
  const { object, output, status } = answer;
  if (object !== "response" || !Array.isArray(output)) return undefined;
  return [
    ...output.flatMap((item: unknown) => [
      ...partsOf(item, "summary").flatMap(({ text }) => [
        { type: "response.reasoning_summary_text.delta", delta: text },
        { type: "response.reasoning_summary_part.done" },
      ]),
      ...partsOf(item, "content").map(({ type, text, refusal }) => ({
        type: `response.${String(type)}.delta`,
        delta: text ?? refusal,
      })),
      { type: "response.output_item.done", item },
    ]),
    {
      type: `response.${typeof status === "string" ? status : "completed"}`,
      response: answer,
    },
  ];
}

function partsOf(item: unknown, field: string): readonly Readonly<Record<string, unknown>>[] {
  const parts = recordOf(item)?.[field];
  return Array.isArray(parts) ? parts.map((part) => recordOf(part) ?? {}) : [];
}
