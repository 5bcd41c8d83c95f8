import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { ModelError } from "../../src/core/errors.js";
import type { ModelApi } from "../../src/core/models/modelApi.js";
import type { ModelRequest } from "../../src/core/ports/model.js";
import { ServerModel } from "../../src/node/model/serverModel.js";
import type { Answer } from "./chatAnswers.js";
import { ScriptedServer } from "./scriptedServer.js";

const hello: ModelRequest = { messages: [{ role: "user", content: "Hello" }], tools: [] };
const piece = "x".repeat(1_000);

/** What a server writes first, and then again and again. */
interface Endless {
  readonly first?: object;
  readonly again: object;
}

const chat = (delta: object) => ({ choices: [{ index: 0, delta }] });
const responses = (kind: string) => ({ type: `response.${kind}.delta`, delta: piece });
const messages = (delta: object) => ({ type: "content_block_delta", index: 0, delta });
const call = { id: "call_123456789", function: { name: "write", arguments: piece } };
const block = { type: "tool_use", id: "toolu_1", name: "write", input: {} };
const answers: Readonly<Record<ModelApi, Readonly<Record<string, Endless>>>> = {
  chat: {
    text: { again: chat({ content: piece }) },
    reasoning: { again: chat({ reasoning_content: piece }) },
    "a call's arguments": { again: chat({ tool_calls: [{ index: 0, ...call }] }) },
    "calls that are each new": { again: chat({ tool_calls: [call] }) },
    "reasoning to be given back": { again: chat({ reasoning_details: [{ data: piece }] }) },
  },
  responses: {
    text: { again: responses("output_text") },
    reasoning: { again: responses("reasoning_text") },
    "a call's arguments": { again: responses("function_call_arguments") },
    "whole calls": {
      again: {
        type: "response.output_item.done",
        item: { type: "function_call", call_id: "c", name: "write", arguments: piece },
      },
    },
  },
  messages: {
    text: { again: messages({ type: "text_delta", text: piece }) },
    reasoning: { again: messages({ type: "thinking_delta", thinking: piece }) },
    "a call's arguments": {
      first: { type: "content_block_start", index: 0, content_block: block },
      again: messages({ type: "input_json_delta", partial_json: piece }),
    },
  },
};

describe("a server that does not end its answer", () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await ScriptedServer.start();
  });
  afterEach(() => server.stop());

  /** Bytes that a server may have sent by then beyond those that were read: the system keeps some for both sides. */
  const underWay = 20_000_000;
  let written = 0;

  /** Writes for as long as somebody reads. */
  const writes =
    (type: string, head: string, again: string): Answer =>
    (response) => {
      response.writeHead(200, { "content-type": type });
      const pieces = function* () {
        yield head;
        for (written = 0; ; written += again.length) yield again;
      };
      pipeline(Readable.from(pieces()), response, () => undefined);
    };

  const asked = async (api: ModelApi, maxOutputTokens?: number) => {
    const { address: baseUrl } = server;
    const options = { baseUrl, apiKey: "k", name: "m1", api, maxOutputTokens };
    const model = new ServerModel(() => Promise.resolve(options));
    let characters = 0;
    const read = async () => {
      for await (const event of model.respond(hello, new AbortController().signal)) {
        if (event.type === "text" || event.type === "reasoning") characters += event.text.length;
      }
    };
    await assert.rejects(read(), (error) => {
      assert.ok(error instanceof ModelError, String(error));
      assert.match(error.message, /^The answer of http:\/\/127\S+ did not end: .* after [\d,]+/);
      assert.deepEqual([error.code, error.passing], ["brokenResponse", false]);
      return true;
    });
    return characters;
  };

  for (const [api, kinds] of Object.entries(answers) as [ModelApi, (typeof answers)[ModelApi]][]) {
    for (const [kind, { first, again }] of Object.entries(kinds)) {
      it(`is given up soon after the output limit, in ${api}: ${kind}`, async () => {
        const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
        const head = first === undefined ? "" : event(first);
        server.answers = [writes("text/event-stream", head, event(again))];
        assert.ok((await asked(api, 10)) <= 100_000);
        assert.ok(written < underWay, String(written));
      });
    }
  }

  it("is given up without an output limit, too", async () => {
    const again = `data: ${JSON.stringify(chat({ content: piece }))}\n\n`.repeat(50);
    server.answers = [writes("text/event-stream", "", again)];
    assert.equal(await asked("chat"), 4_000_000);
    assert.ok(written < 5_000_000 + underWay, String(written));
  });

  for (const [kind, type, head, again] of [
    ["one event", "text/event-stream", 'data: {"choices": "', piece.repeat(100)],
    ["a whole answer", "application/json", '{"choices": "', piece.repeat(100)],
    ["comments", "text/event-stream", "", `: ${piece}\n\n`.repeat(100)],
  ] as const) {
    it(`is given up when nothing comes of it: ${kind}`, async () => {
      server.answers = [writes(type, head, again)];
      assert.equal(await asked("chat"), 0);
      assert.ok(written < 20_000_000 + underWay, String(written));
    });
  }

  const opening = { index: 0, id: "call_123456789", type: "function", function: { arguments: "" } };
  const wordless: readonly (readonly [ModelApi, string, object])[] = [
    ["chat", "an empty text", chat({ content: "" })],
    ["chat", "only who writes", chat({ role: "assistant" })],
    ["chat", "only which call it is", chat({ tool_calls: [opening] })],
    ["chat", "only the usage", { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }],
    ["responses", "nothing", {}],
    ["responses", "that it is at work", { type: "response.in_progress" }],
    ["messages", "a ping", { type: "ping" }],
  ];
  for (const [api, kind, event] of wordless) {
    it(`is given up when its events have no words, in ${api}: ${kind}`, async () => {
      const again = `data: ${JSON.stringify({ ...event, obfuscation: piece })}\n\n`.repeat(50);
      server.answers = [writes("text/event-stream", "", again)];
      assert.equal(await asked(api), 0);
      assert.ok(written < 100_000_000 + underWay, String(written));
    });
  }

  it("is given up when its events are many and have nothing in them", async () => {
    server.answers = [writes("text/event-stream", "", "data: {}\n\n".repeat(5_000))];
    assert.equal(await asked("chat"), 0);
    assert.ok(written < 6_000_000 + underWay, String(written));
  });

  it("is taken for one that has stopped when it sends signs of life alone for too long", async () => {
    // One at a time: as many as can be sent are given up for their bytes before.
    const sign = (response: ServerResponse): void => {
      if (response.destroyed) return;
      response.write(": still here\n\n");
      setImmediate(sign, response);
    };
    server.answers = [
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        sign(response);
      },
    ];
    const { address: baseUrl } = server;
    const options = { baseUrl, apiKey: "k", name: "m1", timeoutMs: 500 };
    const model = new ServerModel(() => Promise.resolve(options));
    const answer = model.respond(hello, new AbortController().signal);
    await assert.rejects(
      answer.next(),
      /^ModelError: http:\/\/127\S+ stopped answering for 3 s in/,
    );
  });
});
