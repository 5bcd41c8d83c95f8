import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { followProxy } from "../../src/cli/session/followProxy.js";
import { ModelError } from "../../src/core/errors.js";
import { modelApis } from "../../src/core/models/modelApi.js";
import type { ModelRequest } from "../../src/core/ports/model.js";
import { localFacts } from "../../src/node/model/localFacts.js";
import { modelList } from "../../src/node/model/modelList.js";
import { ServerModel } from "../../src/node/model/serverModel.js";
import type { ServerOptions } from "../../src/node/model/serverOptions.js";
import { type Answer, delta, raw, refuse, sse } from "./chatAnswers.js";
import { eventsOf, type ReceivedRequest, ScriptedServer } from "./scriptedServer.js";

const key = "sk-very-secret-key";
const hello: ModelRequest = { messages: [{ role: "user", content: "Hello" }], tools: [] };
const never = new AbortController().signal;

describe("ServerModel", () => {
  let server: ScriptedServer;
  let requests: readonly ReceivedRequest[];
  let address: string;

  beforeEach(async () => {
    server = await ScriptedServer.start();
    ({ requests, address } = server);
  });
  afterEach(() => server.stop());

  const make = (more: Partial<ServerOptions> = {}) =>
    new ServerModel(() => Promise.resolve({ baseUrl: address, apiKey: key, name: "m1", ...more }));
  const ask = (model = make(), request = hello, signal = never) => eventsOf(model, request, signal);
  const fails = async (
    code: ModelError["code"],
    message: RegExp,
    more?: Partial<ServerOptions>,
  ) => {
    await assert.rejects(ask(make(more)), (error) => {
      assert.ok(error instanceof ModelError, String(error));
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /very-secret/);
      return true;
    });
  };

  it("streams text, reasoning and usage", async () => {
    server.answers = [
      sse(
        delta({ role: "assistant", content: "" }),
        delta({ reasoning_content: "Hm." }),
        delta({ content: "Grüß " }),
        delta({ content: "Gott" }),
        delta({}, "stop"),
        {
          choices: [],
          usage: {
            prompt_tokens: 12,
            completion_tokens: 3,
            prompt_tokens_details: { cached_tokens: 8 },
          },
        },
      ),
    ];
    const model = make({ temperature: 0.5, maxOutputTokens: 100 });
    assert.deepEqual(await ask(model), [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Grüß " },
      { type: "text", text: "Gott" },
      { type: "usage", usage: { inputTokens: 12, outputTokens: 3, cachedTokens: 8 } },
      { type: "finish", reason: "stop" },
    ]);
    assert.equal(model.name, "m1");
    assert.equal(requests[0]?.headers.authorization, `Bearer ${key}`);
    assert.deepEqual(requests[0].body, {
      model: "m1",
      messages: [{ role: "user", content: "Hello" }],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.5,
      max_tokens: 100,
    });
  });

  const usageOf = async (...reports: readonly (object | undefined)[]) => {
    const [first, ...rest] = reports;
    const chunks = rest.map((usage) => ({ choices: [], usage }));
    server.answers = [sse({ ...delta({ content: "ok" }, "stop"), usage: first }, ...chunks)];
    const long = { messages: [{ role: "user", content: "word ".repeat(7_000) }], tools: [] };
    const events = await ask(make(), long as ModelRequest);
    return events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
  };
  const counts = (prompt_tokens: number, completion_tokens: number, more = {}) => ({
    prompt_tokens,
    completion_tokens,
    ...more,
  });

  it("keeps a count that the server's last words have as zero", async () => {
    const counted = { inputTokens: 9_000, outputTokens: 7, cachedTokens: 64 };
    const cached = { prompt_tokens_details: { cached_tokens: 64 } };
    assert.deepEqual(await usageOf(counts(9_000, 7, cached), counts(0, 0)), [counted]);
    assert.deepEqual(await usageOf(counts(9_000, 1, cached), counts(0, 7)), [counted]);
    assert.deepEqual(await usageOf(counts(0, 0), counts(9_000, 7, cached)), [counted]);
  });

  it("puts its estimate in the place of a count that cannot be, so that limits hold", async () => {
    for (const counted of [0, 12, 9e15]) {
      const [usage] = await usageOf(counts(counted, 7));
      assert.equal(usage?.doubted, counted);
      assert.equal(usage.outputTokens, 7);
      assert.ok(Math.abs(usage.inputTokens - 10_000) < 100, String(usage.inputTokens));
    }
    const tooMany = { cache_read_input_tokens: 9e15 };
    const [most] = await usageOf(counts(12, 9e15, tooMany));
    assert.equal(most?.outputTokens, 1, "as many as the answer may have");
    assert.equal(most.cachedTokens, most.inputTokens);
    const [beside] = await usageOf(counts(12, 7, { cache_read_input_tokens: 8_000 }));
    assert.deepEqual(beside, { inputTokens: 8_012, outputTokens: 7, cachedTokens: 8_000 });
  });

  it("sends the conversation, the tools and the one that is forced", async () => {
    server.answers = [sse(delta({ content: "ok" }, "stop"))];
    await ask(make(), {
      messages: [
        { role: "system", content: "S" },
        { role: "user", content: "U" },
        {
          role: "assistant",
          content: "",
          toolCalls: [{ id: "call_12345", name: "read", arguments: '{"a":1}' }],
        },
        { role: "tool", callId: "call_12345", content: "R" },
      ],
      tools: [{ name: "read", description: "D", parameters: { type: "object" } }],
      forcedTool: "read",
    });
    const { messages, tools, tool_choice } = requests[0]!.body;
    assert.deepEqual(messages, [
      { role: "system", content: "S" },
      { role: "user", content: "U" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_12345", type: "function", function: { name: "read", arguments: '{"a":1}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_12345", content: "R" },
    ]);
    assert.deepEqual(tools, [
      {
        type: "function",
        function: { name: "read", description: "D", parameters: { type: "object" } },
      },
    ]);
    assert.equal(tool_choice, "required");
  });

  it("puts tool calls together from pieces that come mixed", async () => {
    server.answers = [
      sse(
        delta({ tool_calls: [{ index: 0, id: "call_aaaaaa", function: { name: "one" } }] }),
        delta({ tool_calls: [{ index: 1, id: "call_bbbbbb", function: { name: "two" } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] }),
        delta({ tool_calls: [{ index: 1, function: { arguments: "{}" } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] }),
        delta({}, "tool_calls"),
      ),
    ];
    assert.deepEqual(await ask(), [
      { type: "toolCall", call: { id: "call_aaaaaa", name: "one", arguments: '{"x":1}' } },
      { type: "toolCall", call: { id: "call_bbbbbb", name: "two", arguments: "{}" } },
      { type: "finish", reason: "toolCalls" },
    ]);
  });

  it("gives calls unique ids where the server does not", async () => {
    const fragment = (index: number, id: string | null) => ({
      index,
      id,
      function: { name: `tool${index}`, arguments: "{}" },
    });
    server.answers = [
      sse(
        delta({
          tool_calls: [
            fragment(0, null),
            fragment(1, "call_twice"),
            fragment(2, "call_twice"),
            fragment(3, "call_known"),
            fragment(4, "call_0"),
          ],
        }),
        delta({}, "stop"),
      ),
    ];
    const call = { id: "call_known", name: "t", arguments: "{}" };
    const events = await ask(make(), {
      ...hello,
      messages: [{ role: "assistant", content: "", toolCalls: [call] }],
    });
    const ids = events.flatMap((event) => (event.type === "toolCall" ? [event.call.id] : []));
    assert.equal(new Set([...ids, "call_known", "call_0"]).size, 7);
    assert.equal(ids[1], "call_twice");
    assert.match(ids[0]!, /^call_[0-9a-f]{24}$/);
    assert.deepEqual(events.at(-1), { type: "finish", reason: "toolCalls" });
  });

  it("is told that a model refuses, though the server says that the reply has ended as others do", async () => {
    server.answers = [sse(delta({ refusal: "I can't" }), delta({ refusal: " help." }, "stop"))];
    assert.deepEqual(await ask(), [
      { type: "text", text: "I can't" },
      { type: "text", text: " help." },
      { type: "finish", reason: "filtered" },
    ]);
  });

  it("is told by each server's word why a reply is not whole", async () => {
    for (const [said, reason] of [
      ["length", "length"],
      ["max_tokens", "length"],
      ["content_filter", "filtered"],
      ["sensitive", "filtered"],
      ["model_length", "overflowed"],
    ]) {
      server.answers = [sse(delta({ content: "And" }, said))];
      assert.deepEqual((await ask()).at(-1), { type: "finish", reason });
    }
  });

  it("drops the call that the length limit cut off", async () => {
    server.answers = [
      sse(
        delta({ tool_calls: [{ index: 0, id: "call_aaaaaa", function: { name: "w" } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '{"content":"half' } }] }),
        delta({}, "length"),
      ),
    ];
    assert.deepEqual(await ask(), [{ type: "finish", reason: "length" }]);
  });

  it("asks for no more output than the model gives, once the server has said how much that is", async () => {
    const ok = sse(delta({ content: "ok" }, "stop"));
    for (const [refusal, most] of [
      ["max_tokens is too large: 64000. This model supports at most 16384 tokens.", 16_384],
      [
        "The parameter `max_tokens` is not valid: expected a value <= 32768, but got 64000.",
        32_768,
      ],
      ["Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8_192],
    ] as const) {
      const before = requests.length;
      server.answers = [refuse(400, refusal), ok, ok];
      const model = make({ maxOutputTokens: 64_000 });
      await ask(model);
      await ask(model);
      const sent = requests.slice(before).map(({ body }) => body["max_tokens"]);
      assert.deepEqual(sent, [64_000, most, most], refusal);
    }
    server.answers = [refuse(400, "max_tokens must be a number")];
    await fails("badRequest", /must be a number/, { maxOutputTokens: 64_000 });
  });

  it("does without what a server refuses, and remembers it", async () => {
    const ok = sse(delta({ content: "ok" }, "stop"));
    server.answers = [
      refuse(400, "Unknown field: stream_options"),
      refuse(400, "Unrecognized request argument supplied: reasoning_effort"),
      refuse(422, "'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
      ok,
      ok,
    ];
    const model = make({ maxOutputTokens: 5, reasoningEffort: "low" });
    assert.equal((await ask(model)).length, 2);
    assert.equal((await ask(model)).length, 2);
    assert.equal(requests[0]!.body["reasoning_effort"], "low");
    const { stream_options, max_tokens, max_completion_tokens, ...rest } = requests[4]!.body;
    assert.deepEqual(
      [stream_options, rest["reasoning_effort"], max_tokens, max_completion_tokens],
      [undefined, undefined, undefined, 5],
    );
    assert.equal(requests.length, 5);
  });

  it("sends images as parts, and tells a model that does not see that there was one", async () => {
    const ok = sse(delta({ content: "ok" }, "stop"));
    const content = { mime: "image/png", base64: "AAAA" };
    const images = [{ path: "x.png", name: "shot.png", content }];
    const request: ModelRequest = {
      tools: [],
      messages: [
        { role: "user", content: "Build this", images },
        { role: "user", content: "Now" },
      ],
    };
    const told = (index: number) =>
      (requests[index]?.body["messages"] as { content: unknown }[])[0]?.content;
    server.answers = [
      ok,
      refuse(400, "Invalid content type: image_url is not supported"),
      ok,
      ok,
      ok,
    ];
    await ask(make({ name: "gpt-5" }), request);
    assert.deepEqual(told(0), [
      { type: "text", text: "Build this\n\nNow" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    ]);
    const unknown = make({ name: "unknown" });
    await ask(unknown, request);
    await ask(unknown, request);
    await ask(make({ name: "o3-mini" }), request);
    assert.ok(Array.isArray(told(1)));
    for (const index of [2, 3, 4]) {
      assert.match(
        String(told(index)),
        /The image "shot\.png" was attached, which this model cannot/,
      );
    }
    assert.equal(requests.length, 5);
  });

  for (const refusal of [
    "messages.7.content.3.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    "You uploaded an unsupported image. Please make sure your image is valid.",
    "Could not process image",
    "cannot identify image file <_io.BytesIO object at 0x7f>",
  ]) {
    it(`leaves out an image that is refused for what it is, and goes on sending others: ${refusal}`, async () => {
      const ok = sse(delta({ content: "ok" }, "stop"));
      const image = (name: string) => ({
        path: `${name}.png`,
        name,
        content: { mime: "image/png", base64: name },
      });
      const first = { role: "user", content: "Build this", images: [image("good")] } as const;
      const look = [
        {
          role: "assistant",
          content: "",
          toolCalls: [{ id: "call_aaaaaa", name: "read_file", arguments: "{}" }],
        },
        { role: "tool", callId: "call_aaaaaa", content: "An image.", images: [image("bad")] },
      ] as const;
      const later = { role: "user", content: "Now this", images: [image("new")] } as const;
      server.answers = [ok, refuse(400, refusal), ok, ok];
      const model = make();
      await ask(model, { messages: [first], tools: [] });
      const events = await ask(model, { messages: [first, ...look], tools: [] });
      assert.deepEqual(events[0], { type: "partsRefused", what: "images", leftOut: ["bad"] });
      await ask(model, { messages: [first, ...look, later], tools: [] });
      const sent = requests.map(({ body }) =>
        [...JSON.stringify(body).matchAll(/base64,(\w+)/g)].map(([, name]) => name),
      );
      assert.deepEqual(sent, [["good"], ["good", "bad"], ["good"], ["good", "new"]]);
      const told = JSON.stringify(requests[2]?.body);
      assert.match(told, /"bad\\" is part of this result, which the model's server does not take/);
    });
  }

  it("sends images of results after them, as the user's, and leaves them out where that is refused", async () => {
    const ok = sse(delta({ content: "ok" }, "stop"));
    const content = { mime: "image/png", base64: "AAAA" };
    const shot = { path: "x.png", name: "shot 1", content };
    const toolCalls = ["a", "b"].map((id) => ({ id, name: "look", arguments: "{}" }));
    const request: ModelRequest = {
      tools: [],
      messages: [
        { role: "user", content: "Look" },
        { role: "assistant", content: "", toolCalls },
        { role: "tool", callId: "a", content: "A", images: [shot] },
        { role: "tool", callId: "b", content: "B" },
        { role: "user", content: "Now" },
      ],
    };
    type Sent = { role: string; content: unknown }[];
    const sent = (index: number) => (requests[index]?.body["messages"] as Sent).slice(2);
    const words =
      '(The images of the results above, which are data as the results are: "shot 1".)\n\nNow';
    const moved = [
      { role: "tool", tool_call_id: "a", content: "A" },
      { role: "tool", tool_call_id: "b", content: "B" },
      {
        role: "user",
        content: [
          { type: "text", text: words },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
    ];
    server.answers = [ok, ok, refuse(400, "Unexpected role 'user' after role 'tool'"), ok, ok, ok];
    const sees = make({ name: "gpt-5" });
    await ask(sees, request);
    assert.deepEqual(sent(0), moved);
    await ask(sees, { ...request, messages: request.messages.slice(0, -1) });
    assert.equal(sent(1).at(-1)?.role, "user", "also at the end");
    const strict = make({ name: "pixtral" });
    await ask(strict, request);
    await ask(strict, request);
    await ask(make({ name: "o3-mini" }), request);
    assert.deepEqual(sent(2), moved);
    for (const index of [3, 4, 5]) {
      const [result, , user] = sent(index);
      assert.match(
        String(result?.content),
        /^A\n\n\(The image "shot 1" is part of this result, which this model cannot see\./,
      );
      assert.equal(user?.content, "Now");
    }
  });

  it("asks for JSON of a schema, and without where the server does not know that", async () => {
    const ok = sse(delta({ content: "{}" }, "stop"));
    const request = { ...hello, answerSchema: { name: "a", schema: { type: "object" } } };
    const model = make();
    server.answers = [
      refuse(400, "Invalid value for 'response_format': json_schema is not supported"),
      ok,
      ok,
    ];
    await ask(model, request);
    await ask(model, request);
    assert.deepEqual(
      requests.map(({ body }) => body["response_format"]),
      [
        {
          type: "json_schema",
          json_schema: { name: "a", schema: { type: "object" }, strict: false },
        },
        undefined,
        undefined,
      ],
    );
  });

  it("repeats nothing by itself, and says what may pass and when", async () => {
    const refusals: [
      status: number,
      headers: Record<string, string>,
      message: string,
      passing: boolean,
      afterMs?: number,
    ][] = [
      [500, {}, "busy", true],
      [503, { "retry-after": "7" }, "", true, 7_000],
      [429, { "retry-after-ms": "12" }, "", true, 12],
      [
        429,
        {
          date: "Fri, 20 Nov 2026 12:00:00 GMT",
          "retry-after": "Fri, 20 Nov 2026 12:00:30 GMT",
        },
        "",
        true,
        30_000,
      ],
      [429, {}, "Limit reached. Please try again in 1.5s.", true, 1_500],
      [429, {}, "Limit of tokens per day (TPD). Please try again in 9m38.5s.", true, 578_500],
      [429, {}, "Retry after 2 hours", true, 7_200_000],
      [429, { "retry-after": "soon" }, "", true],
      [408, {}, "", true],
      [500, { "x-should-retry": "false" }, "", false],
      [402, {}, "", false],
      [404, {}, "", false],
      [400, {}, "", false],
      [401, {}, "", false],
    ];
    for (const [status, headers, message, passing, afterMs] of refusals) {
      server.answers = [
        (response) => {
          const type = { "content-type": "application/json" };
          response.writeHead(status, { ...type, ...headers });
          response.end(JSON.stringify({ error: { message } }));
        },
      ];
      await assert.rejects(ask(), (error) => {
        assert.ok(error instanceof ModelError);
        assert.deepEqual([error.passing, error.retryAfterMs], [passing, afterMs], String(status));
        return true;
      });
    }
    assert.equal(requests.length, refusals.length);
  });

  it("says when a limit for the day is reset, where only the body names it", async () => {
    const date = "Fri, 20 Nov 2026 12:00:00 GMT";
    const reset = String(Date.parse(date) + 5 * 3_600_000);
    const metadata = { headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset } };
    server.answers = [
      (response) => {
        response.writeHead(429, { "content-type": "application/json", date });
        const message = "Rate limit exceeded: free-models-per-day.";
        response.end(JSON.stringify({ error: { message, code: 429, metadata } }));
      },
    ];
    await assert.rejects(ask(), (error) => {
      assert.ok(error instanceof ModelError);
      assert.equal(error.retryAfterMs, 5 * 3_600_000);
      assert.match(
        error.message,
        /takes no more requests until .* UTC.*free-models-per-day\. Try again then/,
      );
      return true;
    });
  });

  it("knows the ways of saying that a model has no tools", async () => {
    const tools = [{ name: "read", description: "D", parameters: { type: "object" } }];
    const said: [number, string][] = [
      [400, "registry.ollama.ai/library/gemma:2b does not support tools"],
      [404, "No endpoints found that support tool use. Try disabling one."],
      [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser'],
      [500, "tools param requires --jinja flag"],
      [400, "Function calling is not enabled for this model"],
      [422, "This model doesn't support function calling."],
      [400, "`tools` is not supported with this model"],
    ];
    for (const [status, message] of said) {
      server.answers = [refuse(status, message), refuse(status, message)];
      await assert.rejects(ask(make(), { ...hello, tools }), { code: "toolsUnsupported" }, message);
      await assert.rejects(
        ask(),
        (error) => error instanceof ModelError && error.code !== "toolsUnsupported",
      );
    }
    server.answers = [refuse(400, "tool_choice is not supported by this model")];
    await assert.rejects(ask(make(), { ...hello, tools }), { code: "badRequest" });
  });

  it("reads one piece of JSON, if that is a chat completion", async () => {
    const completion = {
      object: "chat.completion",
      choices: [
        {
          message: {
            role: "assistant",
            content: "ok",
            tool_calls: [
              { id: "call_aaaaaa", function: { name: "one", arguments: "{}" } },
              { id: "call_bbbbbb", function: { name: "two", arguments: { x: 1 } } },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 2 },
    };
    const events = [
      { type: "text", text: "ok" },
      { type: "toolCall", call: { id: "call_aaaaaa", name: "one", arguments: "{}" } },
      { type: "toolCall", call: { id: "call_bbbbbb", name: "two", arguments: '{"x":1}' } },
      { type: "usage", usage: { inputTokens: 5, outputTokens: 2, cachedTokens: 0 } },
      { type: "finish", reason: "toolCalls" },
    ];
    const text = JSON.stringify(completion, null, 1);
    for (const type of ["application/json", "text/event-stream", "text/plain"]) {
      server.answers = [raw(text, type)];
      assert.deepEqual(await ask(), events, type);
    }
    const streamed = `data: ${JSON.stringify(delta({ content: "ok" }, "stop"))}\n\ndata: [DONE]\n\n`;
    server.answers = [
      raw(streamed, "application/json"),
      raw('{"error":{"message":"Overloaded","code":503}}', "application/json"),
      raw('{"code":401,"message":"Token expired"}', "application/json"),
      raw('{"base_resp":{"status_code":1004,"status_msg":"login fail"}}', "application/json"),
      raw('{"detail":[{"msg":"no such model"}]}', "text/plain"),
      raw('{"status":"fine"}', "application/json"),
      raw('"fine"', "application/json"),
      raw("<!doctype html>", "text/plain"),
      raw("", "text/event-stream"),
    ];
    assert.equal((await ask()).length, 2);
    await fails("server", /failed \(503\)\. It says: Overloaded/);
    await fails("unauthorised", /refuses the API key \(401\)\. It says: Token expired/);
    await fails("server", /failed\. It says: login fail\. Try again/);
    await fails("server", /failed\. It says: no such model\. Try again/);
    await fails("brokenResponse", /sent no chat completion/);
    await fails("brokenResponse", /with something else, not with a stream\. Check/);
    await fails("brokenResponse", /with a web page, not with a stream\. Check/);
    await fails("brokenResponse", /answered with nothing/);
  });

  it("reads streams that are not quite as they should be", async () => {
    const ok = JSON.stringify(delta({ content: "ok" }));
    const call = (args: string) =>
      JSON.stringify(
        delta({
          tool_calls: [{ index: 0, id: "call_aaaaaa", function: { name: "a", arguments: args } }],
        }),
      );
    const text = [{ type: "text", text: "ok" }];
    const bodies: [body: string, events: unknown[]][] = [
      // Keep-alives, and a reason for the end that is missing.
      [`: keep-alive\n\n:\n\ndata: ${ok}\n\n: still here\n\ndata: [DONE]\n\n`, text],
      [`data: ${ok}\r\n\r\ndata: [DONE]\r\n\r\n`, text],
      // No empty lines between the events; none at the end.
      [`data: ${ok}\ndata: ${JSON.stringify(delta({}, "stop"))}\ndata: [DONE]`, text],
      [`data:${ok}\n\nevent: ping\ndata: {}\n\ndata: null\n\ndata: [DONE]`, text],
      [
        `data: ${call('{"x":1}')}\n\ndata: [DONE]\n\n`,
        [{ type: "toolCall", call: { id: "call_aaaaaa", name: "a", arguments: '{"x":1}' } }],
      ],
      [
        `data: ${JSON.stringify(delta({ content: [{ type: "text", text: "ok" }] }, "stop"))}\n\n`,
        text,
      ],
      [
        `data: ${JSON.stringify({ choices: [{ delta: { content: "ok" }, finish_reason: "stop" }], usage: { prompt_tokens: null } })}\n\n`,
        text,
      ],
    ];
    for (const [body, events] of bodies) {
      server.answers = [raw(body)];
      assert.deepEqual((await ask()).slice(0, -1), events, body);
    }
    server.answers = [
      raw(`data: ${call('{"x":')}\n\ndata: [DONE]\n\n`),
      raw(`data: ${ok}\n\nevent: error\ndata: {"message":"Out of memory"}\n\n`),
      raw(`data: ${ok}\n\ndata: {"object":"error","message":"Gone","code":502}\n\n`),
      raw(`data: ${ok}\n\ndata: {"error":"slow down","choices":[]}\n\n`),
      raw(`data: ${ok}\n\ndata: {"error":{"message":"slow","code":429}}\n\n`),
      raw(`data: ${JSON.stringify(delta({ content: "half" }, "error"))}\n\ndata: [DONE]\n\n`),
      raw(`data: ${JSON.stringify(delta({ content: "half" }, "network_error"))}\n\n`),
      raw(`data: ${ok}\n\ndata: {"message":"The shard is lost","code":503}\n\ndata: [DONE]\n\n`),
      raw(`data: ${ok}\n\nevent: error\ndata: upstream is gone\n\n`),
      raw(
        `data: {"choices":[{"delta":{},"finish_reason":"error","error":{"message":"Idle","code":504}}]}\n\n`,
      ),
    ];
    await fails("brokenResponse", /in the middle of a tool call/);
    await fails("server", /It says: Out of memory/);
    await fails("server", /failed \(502\)\. It says: Gone/);
    await fails("server", /It says: slow down/);
    await fails("rateLimited", /It says: slow/);
    await fails("server", /in the middle of its answer/);
    await fails("server", /in the middle of its answer/);
    await fails("server", /failed \(503\)\. It says: The shard is lost/);
    await fails("server", /It says: upstream is gone/);
    await fails("server", /failed \(504\)\. It says: Idle/);
  });

  it("says which address refuses the key, and never the key", async () => {
    server.answers = [
      refuse(401, `Incorrect API key provided: ${key}`),
      refuse(403, key),
      refuse(401, ""),
      refuse(400, "API key not valid. Please pass a valid API key."),
      refuse(400, `Incorrect API key provided: ${key}`),
    ];
    await fails(
      "unauthorised",
      /^http:\/\/127\.0\.0\.1:\d+\/v1 refuses the API key \(401\)\. It says: Incorrect API key provided: … Use “Set API Key”/,
    );
    await fails("unauthorised", /refuses the API key \(403\)/);
    await fails("unauthorised", /wants an API key and none is set/, { apiKey: "" });
    assert.equal(requests[2]?.headers.authorization, undefined);
    await fails("unauthorised", /refuses the API key \(400\)\. It says: API key not valid/);
    await fails("unauthorised", /refuses the API key \(400\)\. It says: Incorrect .* provided: …/);
  });

  it("says what the server said beside its own advice, which fits the refusal", async () => {
    const other = `sk-${"x".repeat(40)}`;
    server.answers = [
      refuse(401, `No such user. ${other}`),
      refuse(403, "This model is not available in your region."),
      refuse(403, "Your input was flagged by moderation."),
      refuse(403, "Project p1 has no access to it."),
      refuse(402, "This request needs fewer max_tokens: you can only afford 3919."),
      refuse(402, "Insufficient balance"),
      refuse(429, "You exceeded your quota", "insufficient_quota"),
      refuse(429, "Insufficient balance or no resource package. Please recharge.", "1113"),
      refuse(400, "Your credit balance is too low to access the API."),
      refuse(403, "预扣费额度失败, 用户剩余额度: 0.1", "insufficient_user_quota"),
      refuse(403, "Key limit exceeded (total limit). Manage it in your settings."),
      refuse(400, "User location is not supported for the API use."),
      refuse(400, "<400> InternalError: The deployment is paused."),
    ];
    await fails("unauthorised", /refuses the API key \(401\)\. It says: No such user\. … Use/);
    await fails("unauthorised", /does not serve the model "m1" here.*your region\. Use another/);
    await fails("badRequest", /refuses what the request says.*flagged by moderation\. Change it/);
    await fails("unauthorised", /does not allow this request.*Project p1 has no access/);
    await fails("rateLimited", /too little credit for so long an answer.*afford 3919/);
    await fails("rateLimited", /no credit left \(402\)\. It says: Insufficient balance\. Add/);
    await fails("rateLimited", /no credit left \(429\)\. It says: You exceeded/);
    await fails("rateLimited", /no credit left \(429\)\. It says: Insufficient balance or no/);
    await fails("rateLimited", /no credit left \(400\)\. It says: Your credit balance/);
    await fails("rateLimited", /no credit left \(403\)\. It says: 预扣费额度失败/);
    await fails("unauthorised", /does not allow this request.*Key limit exceeded/);
    await fails("unauthorised", /does not serve the model "m1" here \(400\).*location is not/);
    await fails("badRequest", /It says: InternalError: The deployment is paused\./);
  });

  it("says what the server said in a body of a form that nobody knows", async () => {
    const body =
      (status: number, given: unknown): Answer =>
      (response) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(given));
      };
    server.answers = [
      body(401, { reason: `The token ${key} of tenant acme was rotated` }),
      body(403, { Message: "User u1 is not authorized to invoke it" }),
      body(400, { fault: { faultstring: "The policy p1 is violated" } }),
      body(400, { error: { message: null, details: [{ reason: "A preview" }] } }),
      body(400, { error: {}, message: null }),
    ];
    await fails("unauthorised", /refuses the API key.*The token … of tenant acme was rotated/);
    await fails("unauthorised", /does not allow this request.*User u1 is not authorized/);
    await fails("badRequest", /It says: .*The policy p1 is violated/);
    await fails("badRequest", /It says: .*A preview/);
    await fails("badRequest", /refused the request \(400\)\. Check the model's settings/);
  });

  it("says what is wrong with a model, a limit or a request", async () => {
    server.answers = [
      refuse(404, "The model `m1` does not exist"),
      refuse(429, "Rate limit reached"),
      refuse(429, "No credit", "insufficient_quota"),
      (response) => {
        response.writeHead(429, { "content-type": "application/json", "retry-after": "7200" });
        response.end(JSON.stringify({ error: { message: "Daily limit" } }));
      },
      refuse(429, "Too many tokens per day, please wait before trying again."),
      refuse(400, "This model's maximum context length is 8192 tokens"),
      refuse(400, "x", "context_length_exceeded"),
      refuse(400, `Bad parameter ${key}`),
      refuse(503, "<html>Bad gateway</html>"),
    ];
    await fails(
      "notFound",
      /does not know the model "m1", or the address is wrong.*does not exist/,
    );
    await fails(
      "rateLimited",
      /takes no more requests for now.*Rate limit reached\. Wait a moment,/,
    );
    await fails("rateLimited", /no credit left/);
    await fails(
      "rateLimited",
      /takes no more requests until \d{4}-\d\d-\d\d \d\d:\d\d UTC.*Daily limit\. Try again then/,
    );
    await fails("rateLimited", /for today.*does not say until when.*Too many tokens per day/);
    await fails("contextTooLong", /too long for "m1"/);
    await fails("contextTooLong", /Start a new task/);
    await fails("badRequest", /It says: Bad parameter … Check/);
    await fails("server", /failed \(503\)\. Try again/);
  });

  it("takes the conversation to no other origin, and follows a redirect on the server itself", async () => {
    const other = await ScriptedServer.start();
    const to =
      (status: number, location: string): Answer =>
      (response) => {
        response.writeHead(status, { location }).end();
      };
    server.answers = [to(307, `${other.address}/chat/completions`)];
    await fails("unreachable", /sends requests on to http:\/\/127.*\(307\).*no address that you/);
    server.answers = [to(302, "/elsewhere"), to(307, "http://"), to(304, "")];
    for (const status of [302, 307, 304]) {
      await fails("badRequest", new RegExp(`refused the request \\(${status}\\)`));
    }
    assert.equal(other.requests.length, 0);
    await other.stop();
    server.answers = [to(308, "/v1/there"), sse(delta({ content: "ok" }, "stop"))];
    assert.ok((await ask()).some((event) => event.type === "text" && event.text === "ok"));
    assert.deepEqual(
      requests.slice(-2).map(({ url }) => url),
      ["/v1/chat/completions", "/v1/there"],
    );
    server.answers = Array.from({ length: 9 }, () => to(308, "/v1/again"));
    await fails("badRequest", /refused the request \(308\)/);
  });

  it("takes neither the conversation nor the key to another origin, whichever API, list or fact is asked for", async () => {
    const reached: string[] = [];
    const other = createServer((request, response) => {
      reached.push(request.url ?? "");
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(other, "listening");
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    let asked = 0;
    const own = createServer((request, response) => {
      asked++;
      response.writeHead(307, { location: `${elsewhere}${request.url ?? ""}` }).end();
    }).listen(0, "127.0.0.1");
    await once(own, "listening");
    const baseUrl = `http://127.0.0.1:${(own.address() as AddressInfo).port}/v1`;
    for (const api of modelApis) {
      await fails("unreachable", /no address that you have not set/, { api, baseUrl });
      const access = { baseUrl, apiKey: key, api };
      await assert.rejects(modelList(access, never), { code: "unreachable" });
      for (const owned_by of ["library", "llamacpp", "organization_owner"]) {
        await localFacts(access, [{ id: "m1", owned_by }], ["m1"], never);
      }
    }
    assert.ok(asked >= modelApis.length * 5, `${asked} requests`);
    assert.deepEqual(reached, []);
    for (const one of [own, other]) {
      one.closeAllConnections();
      one.close();
    }
  });

  it("names the address that most servers have where none is found", async () => {
    server.answers = [refuse(404, "Not Found")];
    const { origin } = new URL(address);
    await fails("notFound", new RegExp(`end with /v1: try ${origin}/v1\\.$`), { baseUrl: origin });
  });

  it("says that nothing answers, or nothing has such a name", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, "close");
    const user = "name:password@";
    await fails("unreachable", new RegExp(`^Nothing answers at http://127.0.0.1:${port}/v1\\.`), {
      baseUrl: `http://${user}127.0.0.1:${port}/v1?token=x`,
    });
    await fails("unconfigured", /"not an address" is not a web address/, {
      baseUrl: "not an address",
    });
  });

  it("says what a proxy on the way to the server has refused, or that it does not answer", async () => {
    const proxy = createServer((_asks, answer) => answer.writeHead(407).end());
    proxy.on("connect", (_asks, socket: Socket) => {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const ended = new AbortController();
    try {
      const { port } = proxy.address() as AddressInfo;
      followProxy({ HTTP_PROXY: `http://me:s3cret@127.0.0.1:${port}` }, ended.signal);
      for (const baseUrl of ["http://model.example.test/v1", "https://model.example.test/v1"]) {
        await fails("unreachable", /No connection to https?:[^ ]* \(Proxy [^)]*\(407\)[^)]*\)/, {
          baseUrl,
        });
      }
      proxy.close();
      proxy.closeAllConnections();
      await once(proxy, "close");
      await fails(
        "unreachable",
        new RegExp(`No connection to .*ECONNREFUSED 127.0.0.1:${port}\\)`),
        {
          baseUrl: "https://model.example.test/v1",
        },
      );
    } finally {
      ended.abort();
      proxy.close();
    }
  });

  it("logs in with the name and keeps the query of its address", async () => {
    server.answers = [sse(delta({ content: "ok" }, "stop"))];
    const baseUrl = `${address.replace("//", "//me:p%40ss@")}?version=1`;
    await ask(make({ baseUrl, apiKey: "" }));
    const login = Buffer.from("me:p@ss").toString("base64");
    assert.equal(requests[0]?.headers.authorization, `Basic ${login}`);
    assert.equal(requests[0].url, "/v1/chat/completions?version=1");
  });

  it("says what is not set", async () => {
    await fails("unconfigured", /No model is set/, { name: " " });
    const without = new ServerModel(() => Promise.resolve({ name: "m1" }));
    await assert.rejects(ask(without), {
      code: "unconfigured",
      params: { address: "https://api.openai.com/v1", variable: "OPENAI_API_KEY" },
    });
  });

  it("asks for its settings before every call", async () => {
    server.answers = [refuse(401, ""), sse(delta({ content: "ok" }, "stop"))];
    let apiKey = "old";
    const model = new ServerModel(() => Promise.resolve({ baseUrl: address, apiKey, name: "m1" }));
    await assert.rejects(ask(model));
    apiKey = "new";
    await ask(model);
    assert.equal(requests[1]?.headers.authorization, "Bearer new");
  });

  it("takes no key from the environment to another address", async () => {
    process.env["OPENAI_API_KEY"] = "from-the-environment";
    process.env["OPENAI_ORG_ID"] = "org";
    try {
      server.answers = [sse(delta({ content: "ok" }, "stop"))];
      await ask(new ServerModel(() => Promise.resolve({ baseUrl: address, name: "m1" })));
      assert.equal(requests[0]?.headers.authorization, undefined);
      assert.equal(requests[0]?.headers["openai-organization"], undefined);
    } finally {
      delete process.env["OPENAI_API_KEY"];
      delete process.env["OPENAI_ORG_ID"];
    }
  });

  it("recognises what is no answer", async () => {
    server.answers = [
      (response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<html>Log in</html>");
      },
      raw(`data: ${JSON.stringify(delta({ content: "half" }))}\n\n`),
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).end("data: {oops\n\n");
      },
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${JSON.stringify(delta({ content: "half" }))}\n\n`, () => {
          response.destroy();
        });
      },
      sse({ error: { message: "The engine has stopped" } }),
    ];
    await fails("brokenResponse", /answered with a web page, not with a stream\. Check/);
    await fails("brokenResponse", /ended before its end/);
    await fails("brokenResponse", /is not an answer of a model/);
    await fails("brokenResponse", /broke in the middle/);
    await fails("server", /It says: The engine has stopped/);
  });

  it("does not wait for ever for a server that falls silent", async () => {
    server.answers = [
      () => undefined,
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${JSON.stringify(delta({ content: "half" }))}\n\n`);
      },
    ];
    await fails("unreachable", /did not answer within 0\.05 s/, { timeoutMs: 50 });
    await fails("unreachable", /stopped answering for 2 s/, { timeoutMs: 2000 });
  });

  it("stops in the middle of an answer, and lets go of the server", async () => {
    const closed = new Promise<void>((resolve) => {
      server.answers = [
        (response) => {
          response.on("close", resolve);
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(`data: ${JSON.stringify(delta({ content: "half" }))}\n\n`);
        },
      ];
    });
    const stopper = new AbortController();
    const reason = new Error("stopped by the user");
    const events = make().respond(hello, stopper.signal);
    const iterator = events[Symbol.asyncIterator]();
    assert.deepEqual((await iterator.next()).value, { type: "text", text: "half" });
    const next = iterator.next();
    stopper.abort(reason);
    await assert.rejects(next, reason);
    await closed;
  });

  it("stops while it waits for an answer", async () => {
    const stopper = new AbortController();
    const reason = new Error("stopped by the user");
    server.answers = [
      (response) => {
        response.writeHead(429).write("busy");
        stopper.abort(reason);
      },
    ];
    await assert.rejects(ask(make(), hello, stopper.signal), reason);
    await assert.rejects(ask(make(), hello, AbortSignal.abort(reason)), reason);
    assert.equal(requests.length, 1);
  });
});
