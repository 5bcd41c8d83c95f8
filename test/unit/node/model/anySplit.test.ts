import assert from "node:assert/strict";
import fc from "fast-check";
import * as sdk from "openai";
import { AnswerLimit } from "../../../../src/core/models/answerLimit.js";
import type { ModelEvent } from "../../../../src/core/ports/model.js";
import { chatEvents } from "../../../../src/node/model/chatEvents.js";
import { responseChunks } from "../../../../src/node/model/responseChunks.js";

const options = { name: "m1", baseUrl: "http://127.0.0.1:1/v1" };

/** Reads a body that comes in these pieces. */
async function read(pieces: readonly Uint8Array[]): Promise<ModelEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
  const reading = {
    options,
    sdk,
    next: <T>(promise: Promise<T>) => promise,
    written: () => 0,
    checkUnsaid: () => undefined,
  };
  const events: ModelEvent[] = [];
  const chunks = responseChunks(response, reading);
  for await (const event of chatEvents(chunks, new Set(), options, new AnswerLimit("m1"))) {
    events.push(event);
  }
  return events;
}

/** Returns the text in pieces of the lengths given, which are used again and again. */
function cut<T extends { readonly length: number; slice(from: number, to?: number): T }>(
  whole: T,
  lengths: readonly number[],
): T[] {
  const pieces: T[] = [];
  for (let at = 0, turn = 0; at < whole.length; turn++) {
    const end = at + (lengths[turn % lengths.length] ?? 1);
    pieces.push(whole.slice(at, end));
    at = end;
  }
  return pieces;
}

// Small pieces, but not so many of them that a case takes a second.
const lengths = (max: number) =>
  fc.array(fc.integer({ min: 1, max }), { minLength: 1, maxLength: 8 });
const call = fc.record({
  name: fc.constantFrom("read_file", "write_to_file", "list_files"),
  arguments: fc
    .dictionary(fc.string({ unit: "grapheme", maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), {
      maxKeys: 4,
    })
    .map((value) => JSON.stringify(value)),
});

describe("a stream of tool calls", () => {
  it("gives the same calls, however it is cut into fragments and packets", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 3 }),
        lengths(9),
        lengths(60),
        fc.record({ repeats: fc.boolean(), mixed: fc.boolean(), text: fc.string() }),
        async (calls, fragments, packets, { repeats, mixed, text }) => {
          const streams = calls.map(({ name, arguments: args }, index) => {
            const start = { index, id: `call_number_${index}`, function: { name, arguments: "" } };
            const rest = cut(args, fragments).map((piece) => ({
              ...(repeats ? start : { index }),
              function: { ...(repeats ? { name } : {}), arguments: piece },
            }));
            return [start, ...rest];
          });
          const ordered = mixed ? alternating(streams) : streams.flat();
          const chunks = [
            { choices: [{ delta: { content: text } }] },
            ...ordered.map((one) => ({ choices: [{ delta: { tool_calls: [one] } }] })),
            { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
          ];
          const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
          const events = await read(
            cut(new TextEncoder().encode(`${body}data: [DONE]\n\n`), packets),
          );
          assert.deepEqual(events, [
            ...(text === "" ? [] : [{ type: "text", text }]),
            ...calls.map((one, index) => ({
              type: "toolCall",
              call: { id: `call_number_${index}`, ...one },
            })),
            { type: "finish", reason: "toolCalls" },
          ]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("never lets a call through when the stream ends too early", async () => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;
    const body = [
      chunk({ content: "I look." }),
      chunk({ tool_calls: [{ index: 0, id: "call_number_0", function: { name: "a" } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"x":' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: "1}" } }] }),
    ].join("");
    for (let end = 0; end <= body.length; end++) {
      await assert.rejects(read([new TextEncoder().encode(body.slice(0, end))]), {
        code: "brokenResponse",
      });
    }
  });
});

/** Returns one of each in turn, as long as there are some. */
function alternating<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
}
