import assert from "node:assert/strict";
import { ModelError } from "../../src/core/errors.js";
import type { ModelRequest } from "../../src/core/ports/model.js";
import { ServerModel } from "../../src/node/model/serverModel.js";
import type { ServerOptions } from "../../src/node/model/serverOptions.js";
import { type Answer, raw } from "./chatAnswers.js";
import { eventsOf, ScriptedServer } from "./scriptedServer.js";

const key = "sk-ant-very-secret";
const hello: ModelRequest = { messages: [{ role: "user", content: "Hello" }], tools: [] };
const read = { name: "read_file", description: "Reads.", parameters: { type: "object" } };

/** Returns a stream as the API sends it: named events, with pings between them. */
function stream(...events: readonly { readonly type: string }[]): Answer {
  const all = events.flatMap((event) => [event, { type: "ping" }]);
  return raw(all.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join(""));
}

const started = (usage: object | null = { input_tokens: 10, output_tokens: 1 }) => ({
  type: "message_start",
  message: { id: "msg_1", role: "assistant", content: [], usage },
});
const block = (index: number, content_block: object) => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (index: number, piece: object) => ({
  type: "content_block_delta",
  index,
  delta: piece,
});
const ended = (stop_reason: string, usage: object | null = { output_tokens: 7 }) => [
  { type: "message_delta", delta: { stop_reason }, usage },
  { type: "message_stop" },
];
const says = (text: string) =>
  stream(
    started(),
    block(0, { type: "text", text: "" }),
    delta(0, { type: "text_delta", text }),
    ...ended("end_turn"),
  );
const refuse =
  (status: number, message: string, type = "invalid_request_error"): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", "retry-after": "7" });
    response.end(JSON.stringify({ type: "error", error: { type, message } }));
  };

describe("a model behind Anthropic's Messages", () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await ScriptedServer.start();
  });
  afterEach(() => server.stop());

  const make = (more: Partial<ServerOptions> = {}) => {
    const { address: baseUrl } = server;
    return new ServerModel(() =>
      Promise.resolve({ baseUrl, apiKey: key, api: "messages", name: "claude-x", ...more }),
    );
  };
  const ask = (request = hello, model = make()) => eventsOf(model, request);
  const fails = async (code: ModelError["code"], message: RegExp) => {
    await assert.rejects(ask({ ...hello, tools: [read] }), (error) => {
      assert.ok(error instanceof ModelError, String(error));
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /very-secret/);
      return true;
    });
  };

  it("is sent the conversation in its own form, with marks for the cache", async () => {
    server.answers = [says("ok")];
    const content = { mime: "image/png", base64: "AAAA" };
    await ask(
      {
        messages: [
          { role: "system", content: "S" },
          { role: "user", content: "U", images: [{ path: "p", name: "p.png", content }] },
          {
            role: "assistant",
            content: "",
            toolCalls: [
              { id: "functions.read:0", name: "read_file", arguments: '{"path":"a"}' },
              { id: "call_2", name: "read_file", arguments: "{" },
            ],
          },
          { role: "tool", callId: "functions.read:0", content: "A" },
          { role: "tool", callId: "call_2", content: "" },
          { role: "user", content: "And?" },
        ],
        tools: [read],
        forcedTool: "read_file",
      },
      make({ temperature: 0.5, maxOutputTokens: 100, reasoningEffort: "high" }),
    );
    const [{ headers, url, body } = assert.fail()] = server.requests;
    assert.equal(url, "/v1/messages");
    assert.equal(headers.authorization, `Bearer ${key}`);
    const [user, assistant, results] = body["messages"] as { content: { id?: string }[] }[];
    const id = assistant?.content[0]?.id ?? "";
    assert.match(id, /^functions_read_0_[\w-]+$/);
    const cache_control = { type: "ephemeral" };
    assert.deepEqual(body, {
      model: "claude-x",
      max_tokens: 100,
      temperature: 0.5,
      stream: true,
      system: [{ type: "text", text: "S", cache_control }],
      tools: [{ name: "read_file", description: "Reads.", input_schema: { type: "object" } }],
      tool_choice: { type: "tool", name: "read_file" },
      // A model that must call a certain tool may not think first.
      output_config: { effort: "high" },
      messages: [user, assistant, results],
    });
    assert.deepEqual(user?.content, [
      { type: "text", text: "U" },
      {
        type: "image",
        source: { type: "base64", media_type: "image/png", data: "AAAA" },
        cache_control,
      },
    ]);
    assert.deepEqual(assistant?.content, [
      { type: "tool_use", id, name: "read_file", input: { path: "a" } },
      { type: "tool_use", id: "call_2", name: "read_file", input: {} },
    ]);
    assert.deepEqual(results?.content, [
      { type: "tool_result", tool_use_id: id, content: "A" },
      { type: "tool_result", tool_use_id: "call_2" },
      { type: "text", text: "And?", cache_control },
    ]);
  });

  it("is sent images of results in them, until the model refuses images", async () => {
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
    const result = (index: number) =>
      (server.requests[index]?.body["messages"] as { content: { content?: unknown }[] }[])[2]
        ?.content[0]?.content;
    server.answers = [refuse(400, "This model does not take image input"), says("ok")];
    await ask(request);
    const source = { type: "base64", media_type: "image/png", data: "AAAA" };
    assert.deepEqual(result(0), [
      { type: "text", text: "A" },
      { type: "image", source },
    ]);
    assert.match(String(result(1)), /^A\n\n\(The image "shot 1" is part of this result, which/);
  });

  it("streams text, thinking, calls and usage, of which the cached part is told", async () => {
    server.answers = [
      stream(
        started({ input_tokens: 5, cache_read_input_tokens: 80, cache_creation_input_tokens: 15 }),
        block(0, { type: "thinking", thinking: "" }),
        delta(0, { type: "thinking_delta", thinking: "Hm." }),
        delta(0, { type: "signature_delta", signature: "sig" }),
        block(1, { type: "redacted_thinking", data: "xyz" }),
        block(2, { type: "text", text: "" }),
        delta(2, { type: "text_delta", text: "Grüß" }),
        block(3, { type: "tool_use", id: "toolu_1", name: "read_file", input: {} }),
        delta(3, { type: "input_json_delta", partial_json: '{"pa' }),
        delta(3, { type: "input_json_delta", partial_json: 'th":"a"}' }),
        block(4, { type: "tool_use", id: "toolu_2", name: "list", input: {} }),
        block(5, { type: "something_new" }),
        ...ended("tool_use"),
      ),
    ];
    const items = [
      { type: "thinking", thinking: "Hm.", signature: "sig" },
      { type: "redacted_thinking", data: "xyz" },
    ];
    assert.deepEqual(await ask(), [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Grüß" },
      { type: "toolCall", call: { id: "toolu_1", name: "read_file", arguments: '{"path":"a"}' } },
      { type: "toolCall", call: { id: "toolu_2", name: "list", arguments: "{}" } },
      { type: "keptReasoning", reasoning: { api: "messages", model: "claude-x", items } },
      { type: "usage", usage: { inputTokens: 100, outputTokens: 7, cachedTokens: 80 } },
      { type: "finish", reason: "toolCalls" },
    ]);
  });

  it("keeps thinking that its server did not sign, unless the reply was truncated", async () => {
    const answer = (reason: string): ReturnType<typeof stream> =>
      stream(
        started({ input_tokens: 5 }),
        block(0, { type: "thinking", thinking: "" }),
        delta(0, { type: "thinking_delta", thinking: "First look." }),
        block(1, { type: "tool_use", id: "t9", name: "list", input: {} }),
        ...ended(reason),
      );
    const keeps = async (reason: string): Promise<unknown[]> => {
      server.answers = [answer(reason)];
      return (await ask()).filter(({ type }) => type === "keptReasoning");
    };
    const items = [{ type: "thinking", thinking: "First look.", signature: "" }];
    const reasoning = { api: "messages", model: "claude-x", items };
    assert.deepEqual(await keeps("tool_use"), [{ type: "keptReasoning", reasoning }]);
    assert.deepEqual(await keeps("max_tokens"), []);
  });

  it("is read where its server writes null for fields that may be absent", async () => {
    const call = { type: "tool_use", id: "t1", name: "read_file", input: {}, text: null };
    const thinking = { type: "thinking", thinking: "Hm.", signature: null };
    const unsigned = [{ ...thinking, signature: "" }];
    const content = [thinking, call];
    const message = { type: "message", content, stop_reason: "tool_use", usage: null };
    const events = [
      { type: "reasoning", text: "Hm." },
      { type: "toolCall", call: { id: "t1", name: "read_file", arguments: "{}" } },
      { type: "keptReasoning", reasoning: { api: "messages", model: "claude-x", items: unsigned } },
      { type: "finish", reason: "toolCalls" },
    ];
    server.answers = [
      raw(JSON.stringify(message), "application/json"),
      stream(
        started(null),
        block(0, { ...thinking, thinking: "" }),
        delta(0, { type: "thinking_delta", thinking: "Hm.", text: null }),
        block(1, call),
        ...ended("tool_use", null),
      ),
    ];
    assert.deepEqual(await ask(), events);
    assert.deepEqual(await ask(), events);
  });

  it("is read where its server sends the whole message in place of a stream", async () => {
    const content = [
      { type: "thinking", thinking: "Hm.", signature: "sig" },
      { type: "text", text: "Grüß" },
      { type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "a" } },
    ];
    const usage = { input_tokens: 20, cache_read_input_tokens: 80, output_tokens: 7 };
    const answer = { type: "message", role: "assistant", content, stop_reason: "tool_use", usage };
    server.answers = [raw(JSON.stringify(answer), "application/json")];
    const items = content.slice(0, 1);
    assert.deepEqual(await ask(), [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Grüß" },
      { type: "toolCall", call: { id: "toolu_1", name: "read_file", arguments: '{"path":"a"}' } },
      { type: "keptReasoning", reasoning: { api: "messages", model: "claude-x", items } },
      { type: "usage", usage: { inputTokens: 100, outputTokens: 7, cachedTokens: 80 } },
      { type: "finish", reason: "toolCalls" },
    ]);
  });

  it("is read where a gateway leaves out the stream's last event", async () => {
    const reason = ended("end_turn").slice(0, 1);
    const text = [
      block(0, { type: "text", text: "" }),
      delta(0, { type: "text_delta", text: "a" }),
    ];
    server.answers = [stream(started(), ...text, ...reason)];
    assert.deepEqual((await ask()).at(-1), { type: "finish", reason: "stop" });
  });

  it("keeps a count that the server's last words have as zero or as nothing", async () => {
    const words = [0, null].map((none) => ({
      input_tokens: none,
      output_tokens: 7,
      cache_read_input_tokens: none,
      cache_creation_input_tokens: none,
    }));
    for (const last of words) {
      server.answers = [
        stream(
          started({
            input_tokens: 900,
            cache_read_input_tokens: 80,
            cache_creation_input_tokens: 20,
          }),
          block(0, { type: "text", text: "ok" }),
          ...ended("end_turn", last),
        ),
      ];
      const usage = (await ask()).find(({ type }) => type === "usage");
      assert.deepEqual(usage, {
        type: "usage",
        usage: { inputTokens: 1_000, outputTokens: 7, cachedTokens: 80 },
      });
    }
  });

  it("gets its thinking back before its calls, and another model does not", async () => {
    const items = [{ type: "thinking", thinking: "Hm.", signature: "sig" }];
    const request = (model: string): ModelRequest => ({
      messages: [
        { role: "user", content: "U" },
        {
          role: "assistant",
          content: "Reading.",
          toolCalls: [{ id: "toolu_1", name: "read_file", arguments: "{}" }],
          reasoning: { api: "messages", model, items },
        },
        { role: "tool", callId: "toolu_1", content: "A" },
      ],
      tools: [read],
    });
    const types = (index: number) => {
      const messages = server.requests[index]?.body["messages"] as {
        content: { type: string }[];
      }[];
      return messages[1]?.content.map(({ type }) => type);
    };
    const refusal = "messages.1.content.0: Invalid `signature` in `thinking` block";
    server.answers = [says("a"), says("b"), refuse(400, refusal), says("c")];
    const model = make({ reasoningEffort: "low" });
    await ask(request("claude-x"), model);
    assert.deepEqual(types(0), ["thinking", "text", "tool_use"]);
    assert.deepEqual(server.requests[0]?.body["thinking"], {
      type: "adaptive",
      display: "summarized",
    });
    await ask(request("claude-y"), model);
    assert.deepEqual(types(1), ["text", "tool_use"]);
    await ask(request("claude-x"), model);
    assert.deepEqual(types(3), ["text", "tool_use"], "after a refusal it is left out");
    assert.ok(server.requests[3]?.body["thinking"], "the model may think all the same");
    server.answers = [says("d"), refuse(400, refusal), says("e")];
    const unasked = make();
    await ask(request("claude-x"), unasked);
    assert.deepEqual(types(4), ["thinking", "text", "tool_use"], "it has thought unasked");
    await ask(request("claude-x"), unasked);
    assert.deepEqual(types(6), ["text", "tool_use"], "after a refusal it is left out");
  });

  for (const [refusal, options, left] of [
    ["adaptive thinking is not supported on this model", { reasoningEffort: "low" }, "thinking"],
    ["output_config.effort: not supported", { reasoningEffort: "low" }, "output_config"],
    ["temperature: this model does not take it", { temperature: 1 }, "temperature"],
  ] as const) {
    it(`is asked again without what it refuses: ${left}`, async () => {
      server.answers = [refuse(400, refusal), says("ok"), says("ok")];
      const model = make(options);
      await ask(hello, model);
      await ask(hello, model);
      const sent = server.requests.map(({ body }) => left in body);
      assert.deepEqual(sent, [true, false, false]);
    });
  }

  it("is asked for no more output than it gives", async () => {
    const refusal = "max_tokens: 32000 > 8192, which is the maximum allowed for claude-x";
    server.answers = [refuse(400, refusal), says("ok")];
    await ask();
    assert.deepEqual(
      server.requests.map(({ body }) => body["max_tokens"]),
      [32_000, 8_192],
    );
  });

  it("says what to do when the server refuses, as of other servers", async () => {
    server.answers = [refuse(401, `invalid x-api-key ${key}`, "authentication_error")];
    await fails("unauthorised", /ANTHROPIC_API_KEY/);
    server.answers = [refuse(429, "slow down", "rate_limit_error")];
    await fails("rateLimited", /It says: slow down\./);
    server.answers = [refuse(529, "Overloaded", "overloaded_error")];
    await fails("server", /failed \(529\)\. It says: Overloaded\./);
    server.answers = [refuse(400, "prompt is too long: 210000 tokens > 200000 maximum")];
    await fails("contextTooLong", /too long/);
  });

  it("fails where the stream breaks off, or tells of an error", async () => {
    const begun = [started(), block(0, { type: "text", text: "" })];
    server.answers = [stream(...begun, delta(0, { type: "text_delta", text: "Gr" }))];
    await fails("brokenResponse", /ended before its end/);
    server.answers = [raw('data: {"object":"chat.completion.chunk","choices":[]}\n\n')];
    await fails("brokenResponse", /no message of Anthropic's API/);
    const error = { type: "overloaded_error", message: "Overloaded" };
    server.answers = [stream(...begun, { type: "error", ...{ error } })];
    await fails("server", /Overloaded/);
  });

  it("drops a call that has been cut, and tells why", async () => {
    for (const [said, reason] of [
      ["max_tokens", "length"],
      ["refusal", "filtered"],
      ["model_context_window_exceeded", "overflowed"],
      ["content_filter", "filtered"],
      ["length", "length"],
    ] as const) {
      server.answers = [
        stream(
          started(),
          block(0, { type: "tool_use", id: "toolu_1", name: "read_file", input: {} }),
          delta(0, { type: "input_json_delta", partial_json: '{"pa' }),
          ...ended(said),
        ),
      ];
      const events = await ask();
      assert.deepEqual(
        events.map(({ type }) => type),
        ["usage", "finish"],
      );
      assert.deepEqual(events.at(-1), { type: "finish", reason });
    }
  });

  it("is reached at Anthropic's address by itself, and never with the key of another maker", async () => {
    const { addressOf, apiOf, keyVariable } =
      await import("../../src/core/models/serverAddress.js");
    assert.equal(apiOf({ baseUrl: "https://api.anthropic.com/v1" }), "messages");
    assert.equal(apiOf({}), "chat");
    assert.equal(addressOf({ api: "messages" }), "https://api.anthropic.com/v1");
    assert.equal(keyVariable({ api: "messages" }), "ANTHROPIC_API_KEY");
    assert.equal(keyVariable({ api: "responses" }), "OPENAI_API_KEY");
  });
});
