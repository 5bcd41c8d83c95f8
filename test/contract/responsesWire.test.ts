import assert from "node:assert/strict";
import { ModelError } from "../../src/core/errors.js";
import type { ModelRequest } from "../../src/core/ports/model.js";
import { ServerModel } from "../../src/node/model/serverModel.js";
import type { ServerOptions } from "../../src/node/model/serverOptions.js";
import { type Answer, raw, refuse } from "./chatAnswers.js";
import { eventsOf, ScriptedServer } from "./scriptedServer.js";

const hello: ModelRequest = { messages: [{ role: "user", content: "Hello" }], tools: [] };
const read = { name: "read_file", description: "Reads.", parameters: { type: "object" } };

function stream(...events: readonly { readonly type: string }[]): Answer {
  return raw(events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join(""));
}

const text = (delta: string) => ({ type: "response.output_text.delta", delta });
const item = (made: object) => ({ type: "response.output_item.done", item: made });
const completed = (response: object = {}) => ({ type: "response.completed", response });
const says = (words: string) => stream({ type: "response.created" }, text(words), completed());

describe("a model behind OpenAI's Responses", () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await ScriptedServer.start();
  });
  afterEach(() => server.stop());

  const make = (more: Partial<ServerOptions> = {}) => {
    const { address: baseUrl } = server;
    return new ServerModel(() =>
      Promise.resolve({ baseUrl, apiKey: "sk-1", api: "responses", name: "gpt-x", ...more }),
    );
  };
  const ask = (request = hello, model = make()) => eventsOf(model, request);

  it("is sent the conversation as items, stores nothing, and keeps its reasoning encrypted", async () => {
    server.answers = [says("ok"), says("ok")];
    const reasoning = { type: "reasoning", summary: [], encrypted_content: "abc" };
    const request: ModelRequest = {
      messages: [
        { role: "system", content: "S" },
        {
          role: "user",
          content: "U",
          images: [{ path: "p", name: "p.png", content: { mime: "image/png", base64: "AAAA" } }],
        },
        {
          role: "assistant",
          content: "Reading.",
          toolCalls: [{ id: "call_1", name: "read_file", arguments: '{"path":"a"}' }],
          reasoning: { api: "responses", model: "gpt-x", items: [reasoning] },
        },
        { role: "tool", callId: "call_1", content: "A" },
      ],
      tools: [read],
      forcedTool: "read_file",
      answerSchema: { name: "answer", schema: { type: "object" } },
    };
    await ask(request, make({ reasoningEffort: "high", maxOutputTokens: 100, temperature: 0 }));
    const [{ url, headers, body } = assert.fail()] = server.requests;
    assert.equal(url, "/v1/responses");
    assert.equal(headers.authorization, "Bearer sk-1");
    const { prompt_cache_key: cacheKey, ...rest } = body;
    assert.equal(typeof cacheKey, "string");
    const picture = "data:image/png;base64,AAAA";
    assert.deepEqual(rest, {
      model: "gpt-x",
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
      instructions: "S",
      temperature: 0,
      reasoning: { effort: "high", summary: "auto" },
      max_output_tokens: 100,
      tools: [{ type: "function", ...read, strict: false }],
      tool_choice: "required",
      text: {
        format: { type: "json_schema", name: "answer", schema: { type: "object" }, strict: false },
      },
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "U" },
            { type: "input_image", detail: "auto", image_url: picture },
          ],
        },
        reasoning,
        { role: "assistant", content: "Reading." },
        { type: "function_call", call_id: "call_1", name: "read_file", arguments: '{"path":"a"}' },
        { type: "function_call_output", call_id: "call_1", output: "A" },
      ],
    });
    await ask(request, make({ name: "gpt-y" }));
    assert.doesNotMatch(JSON.stringify(server.requests[1]?.body["input"]), /encrypted_content/);
    assert.equal(server.requests[1]?.body["prompt_cache_key"], cacheKey);
  });

  it("is sent images of results in them, or after them where outputs are texts alone", async () => {
    const content = { mime: "image/png", base64: "AAAA" };
    const images = [{ path: "p", name: "shot 1", content }];
    const toolCalls = [{ id: "c", name: "look", arguments: "{}" }];
    const request: ModelRequest = {
      messages: [
        { role: "user", content: "Look" },
        { role: "assistant", content: "", toolCalls },
        { role: "tool", callId: "c", content: "A", images },
      ],
      tools: [],
    };
    const sent = (index: number) => (server.requests[index]?.body["input"] as object[]).slice(2);
    const picture = {
      type: "input_image",
      detail: "auto",
      image_url: "data:image/png;base64,AAAA",
    };
    const refusal = refuse(400, "input[2].output: expected a string");
    server.answers = [says("ok"), says("ok"), refusal, says("ok"), says("ok")];
    await ask(request, make({ name: "gpt-5" }));
    assert.deepEqual(sent(0), [
      {
        type: "function_call_output",
        call_id: "c",
        output: [{ type: "input_text", text: "A" }, picture],
      },
    ]);
    await ask(request, make({ name: "o3-mini" }));
    assert.match(JSON.stringify(sent(1)), /"output":"A\\n\\n\(The image .*cannot see/);
    const texts = make({ name: "gpt-5" });
    await ask(request, texts);
    await ask(request, texts);
    for (const index of [3, 4]) {
      const [output, message] = sent(index) as { output?: unknown; content?: unknown[] }[];
      assert.equal(output?.output, "A");
      assert.deepEqual(message?.content?.[1], picture);
    }
  });

  it("is read where its server sends the whole response in place of a stream", async () => {
    const thought = { type: "reasoning", encrypted_content: "abc" };
    const summary = [{ type: "summary_text", text: "Hm." }];
    const call = { type: "function_call", call_id: "call_1", name: "read_file", arguments: "{}" };
    const content = [{ type: "output_text", text: "Grüß" }];
    const answer = {
      object: "response",
      status: "completed",
      output: [{ id: "rs_1", ...thought, summary }, { type: "message", content }, call],
      usage: { input_tokens: 100, output_tokens: 7 },
    };
    server.answers = [raw(JSON.stringify(answer), "application/json")];
    const items = [{ ...thought, summary }];
    assert.deepEqual(await ask(), [
      { type: "reasoning", text: "Hm." },
      { type: "reasoning", text: "\n\n" },
      { type: "text", text: "Grüß" },
      { type: "toolCall", call: { id: "call_1", name: "read_file", arguments: "{}" } },
      { type: "keptReasoning", reasoning: { api: "responses", model: "gpt-x", items } },
      { type: "usage", usage: { inputTokens: 100, outputTokens: 7, cachedTokens: 0 } },
      { type: "finish", reason: "toolCalls" },
    ]);
    const refusal = [{ type: "refusal", refusal: "No." }];
    const cut = { reason: "max_output_tokens" };
    server.answers = [
      raw(
        JSON.stringify({ ...answer, output: [{ type: "message", content: refusal }] }),
        "application/json",
      ),
      raw(
        JSON.stringify({ ...answer, output: [], status: "incomplete", incomplete_details: cut }),
        "application/json",
      ),
    ];
    const ends = [await ask(), await ask()].map((events) => events.at(-1));
    assert.deepEqual(ends, [
      { type: "finish", reason: "filtered" },
      { type: "finish", reason: "length" },
    ]);
  });

  it("is read where its server sends arguments as an object, and does not say that it is done", async () => {
    const call = { type: "function_call", call_id: "call_1", name: "read_file" };
    for (const [given, args] of [
      [{ path: "a" }, '{"path":"a"}'],
      [null, "{}"],
    ] as const) {
      const answer = { object: "response", output: [{ ...call, arguments: given }] };
      server.answers = [raw(JSON.stringify(answer), "application/json")];
      assert.deepEqual(await ask(), [
        { type: "toolCall", call: { id: "call_1", name: "read_file", arguments: args } },
        { type: "finish", reason: "toolCalls" },
      ]);
    }
  });

  it("streams text, reasoning, calls and usage", async () => {
    server.answers = [
      stream(
        { type: "response.created" },
        { type: "response.reasoning_summary_text.delta", ...{ delta: "Hm." } },
        item({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "abc" }),
        text("Grüß "),
        text("Gott"),
        item({ type: "message", content: [] }),
        item({
          type: "function_call",
          id: "fc_1",
          call_id: "call_1",
          name: "read_file",
          arguments: "{}",
        }),
        completed({
          usage: {
            input_tokens: 12,
            output_tokens: 3,
            input_tokens_details: { cached_tokens: 8 },
          },
        }),
      ),
    ];
    const items = [{ summary: [], type: "reasoning", encrypted_content: "abc" }];
    assert.deepEqual(await ask(), [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Grüß " },
      { type: "text", text: "Gott" },
      { type: "toolCall", call: { id: "call_1", name: "read_file", arguments: "{}" } },
      { type: "keptReasoning", reasoning: { api: "responses", model: "gpt-x", items } },
      { type: "usage", usage: { inputTokens: 12, outputTokens: 3, cachedTokens: 8 } },
      { type: "finish", reason: "toolCalls" },
    ]);
  });

  for (const [refusal, options, left] of [
    ["Encrypted content is not supported with this model.", {}, "include"],
    ["Unsupported parameter: 'reasoning.effort'", { reasoningEffort: "low" }, "reasoning"],
    ["Unsupported parameter: 'temperature'", { temperature: 1 }, "temperature"],
  ] as const) {
    it(`is asked again without what it refuses: ${left}`, async () => {
      server.answers = [refuse(400, refusal), says("ok"), says("ok")];
      const model = make(options);
      await ask(hello, model);
      await ask(hello, model);
      assert.deepEqual(
        server.requests.map(({ body }) => left in body),
        [true, false, false],
      );
    });
  }

  it("is told that a model refuses, though the response is completed", async () => {
    const refused = { type: "response.refusal.delta", ...{ delta: "I can't help." } };
    server.answers = [stream(refused, completed())];
    assert.deepEqual(await ask(), [
      { type: "text", text: "I can't help." },
      { type: "finish", reason: "filtered" },
    ]);
  });

  it("ends at the limit of output, and drops the call that was cut", async () => {
    const cut = { type: "function_call", call_id: "c1", name: "read_file", arguments: '{"pa' };
    const response = { incomplete_details: { reason: "max_output_tokens" } };
    server.answers = [
      stream(text("So"), item(cut), { type: "response.incomplete", ...{ response } }),
    ];
    assert.deepEqual(await ask(), [
      { type: "text", text: "So" },
      { type: "finish", reason: "length" },
    ]);
  });

  it("fails where the stream breaks off, is another one, or tells of an error", async () => {
    const failed = (code: string, message: string) =>
      stream(text("So"), {
        type: "response.failed",
        ...{ response: { error: { code, message } } },
      });
    for (const [answer, code, message] of [
      [stream(text("So")), "brokenResponse", /ended before its end/],
      [raw('data: {"choices":[]}\n\n'), "brokenResponse", /no answer of the Responses API/],
      [stream({ type: "response.failed", ...{ response: {} } }), "server", /failed\. Try again/],
      [failed("server_error", "Out of luck"), "server", /It says: Out of luck/],
      [
        failed("context_length_exceeded", "Your input exceeds the context window."),
        "contextTooLong",
        /too long/,
      ],
      [failed("insufficient_quota", "You exceeded your quota"), "rateLimited", /no credit left/],
      [failed("rate_limit_exceeded", "Try again in 1.2s."), "rateLimited", /\(429\)/],
      [stream({ type: "error", ...{ message: "Out of luck" } }), "server", /Out of luck/],
      [refuse(401, "no"), "unauthorised", /OPENAI_API_KEY/],
    ] as const) {
      server.answers = [answer];
      await assert.rejects(ask(), (error) => {
        assert.ok(error instanceof ModelError, String(error));
        assert.equal(error.code, code, error.message);
        assert.match(error.message, message);
        return true;
      });
    }
  });
});
