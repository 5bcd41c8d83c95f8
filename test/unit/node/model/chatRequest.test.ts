import assert from "node:assert/strict";
import type { ModelMessage } from "../../../../src/core/ports/messages.js";
import { chatRequest, learn, type Unsupported } from "../../../../src/node/model/chatRequest.js";

const request = {
  messages: [],
  tools: ["t", "u"].map((name) => ({ name, description: "", parameters: {} })),
  forcedTool: "t",
};

describe("learn", () => {
  it("tries a forced tool in the other way, once", () => {
    const without: Unsupported = new Set();
    const body = chatRequest(request, { name: "m" }, without);
    assert.equal(learn("tool_choice must be a string", body, without), true);
    const next = chatRequest(request, { name: "m" }, without);
    assert.equal(next.tool_choice, "required");
    assert.equal(learn("tool_choice must be a string", next, without), false);
  });

  it("forces the only tool by the word, and by its name where the word is refused", () => {
    const without: Unsupported = new Set();
    const only = { ...request, tools: request.tools.slice(0, 1) };
    const body = chatRequest(only, { name: "m" }, without);
    assert.equal(body.tool_choice, "required");
    assert.equal(learn("tool_choice: 'required' is unknown", body, without), true);
    const next = chatRequest(only, { name: "m" }, without);
    assert.deepEqual(next.tool_choice, { type: "function", function: { name: "t" } });
    assert.equal(learn("tool_choice is unknown", next, without), true);
    const last = chatRequest(only, { name: "m" }, without);
    assert.equal(learn("tool_choice is unknown", last, without), false);
  });

  it("gives up a temperature that a model does not take", () => {
    const without: Unsupported = new Set();
    const options = { name: "m", temperature: 0 };
    const body = chatRequest(request, options, without);
    assert.equal(learn("'temperature' does not support 0", body, without), true);
    assert.equal(chatRequest(request, options, without).temperature, undefined);
  });

  for (const refusal of [
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
  ]) {
    it(`puts reasoning into the calls of another model, and keeps the model's own: ${refusal}`, () => {
      const without: Unsupported = new Set();
      const call = (id: string) => ({ id, name: "t", arguments: "{}" });
      const items = [{ fields: { reasoning_content: "I think." }, calls: {} }];
      const messages = [
        { role: "assistant", content: "", toolCalls: [call("call_of_another")] },
        { role: "tool", callId: "call_of_another", content: "x" },
        {
          role: "assistant",
          content: "",
          toolCalls: [call("call_of_its_own")],
          reasoning: { api: "chat", model: "m", items },
        },
        { role: "tool", callId: "call_of_its_own", content: "x" },
      ] satisfies ModelMessage[];
      const body = () => chatRequest({ messages, tools: [] }, { name: "m" }, without);
      assert.equal(learn(refusal, body(), without), true);
      assert.deepEqual(
        body().messages.flatMap((one) =>
          one.role === "assistant"
            ? [(one as { reasoning_content?: string }).reasoning_content]
            : [],
        ),
        [" ", "I think."],
      );
    });
  }

  it("tries nothing about a refusal that names nothing", () => {
    const without: Unsupported = new Set();
    const answerSchema = { name: "answer", schema: {} };
    const body = chatRequest({ ...request, answerSchema }, { name: "m" }, without);
    assert.ok(body.response_format);
    assert.equal(learn("messages: too short; temperature unknown", body, without), false);
    assert.equal(without.size, 0);
  });
});

describe("chatRequest", () => {
  const sent = (messages: readonly ModelMessage[]) =>
    chatRequest({ messages, tools: [] }, { name: "m" }, new Set()).messages;

  it("keeps the ids of calls within what every provider takes, the same in call and result", () => {
    const ids = ["call_1-a", "functions.read_file:0", "functions.read_file:1", "x".repeat(65)];
    const messages = sent([
      {
        role: "assistant",
        content: "",
        toolCalls: ids.map((id) => ({ id, name: "t", arguments: "{}" })),
      },
      ...ids.map((callId) => ({ role: "tool", callId, content: "" }) as const),
    ]);
    const [calls] = messages.flatMap((one) => ("tool_calls" in one ? [one.tool_calls ?? []] : []));
    const given = calls?.map(({ id }) => id) ?? [];
    assert.equal(given[0], "call_1-a");
    assert.equal(new Set(given).size, ids.length);
    for (const id of given) assert.match(id, /^[A-Za-z0-9_-]{1,64}$/);
    assert.deepEqual(
      messages.flatMap((one) => ("tool_call_id" in one ? [one.tool_call_id] : [])),
      given,
    );
  });

  it("sends no empty message, which some servers refuse: a reply of nothing is told as that", () => {
    assert.deepEqual(
      sent([
        { role: "user", content: "goal" },
        { role: "assistant", content: " \n", toolCalls: [] },
        { role: "user", content: "Your reply was empty." },
        { role: "assistant", content: "", toolCalls: [] },
        { role: "user", content: "Your reply was empty." },
      ]).map(({ content }) => content),
      ["goal", "(nothing)", "Your reply was empty.", "(nothing)", "Your reply was empty."],
    );
  });

  it("sends no two messages of the user in a row", () => {
    assert.deepEqual(
      sent([
        { role: "system", content: "s" },
        { role: "user", content: "goal" },
        { role: "user", content: "summary" },
        { role: "assistant", content: "a", toolCalls: [] },
        { role: "user", content: "b" },
      ]).map(({ role, content }) => [role, content]),
      [
        ["system", "s"],
        ["user", "goal\n\nsummary"],
        ["assistant", "a"],
        ["user", "b"],
      ],
    );
  });
});

describe("marks for a server's prompt cache", () => {
  const told = (results: number) => ({
    messages: [
      { role: "system", content: "You work." },
      { role: "user", content: "Do it." },
      ...Array.from({ length: results }, (_, index) => [
        {
          role: "assistant",
          content: "",
          toolCalls: [{ id: `c${index}`, name: "t", arguments: "{}" }],
        } as const,
        { role: "tool", callId: `c${index}`, content: `Result ${index}` } as const,
      ]).flat(),
    ] as const,
    tools: request.tools,
  });
  const claude = { name: "anthropic/claude-x", baseUrl: "http://127.0.0.1:9/v1" };
  const mark = { type: "ephemeral" };
  const marked = (body: ReturnType<typeof chatRequest>) =>
    body.messages.flatMap(({ role, content }) =>
      Array.isArray(content) ? [[role, ...(content as unknown[])]] : [],
    );

  it("stand after the system message and the last two messages that came in", () => {
    assert.deepEqual(marked(chatRequest(told(3), claude, new Set())), [
      ["system", { type: "text", text: "You work.", cache_control: mark }],
      ["tool", { type: "text", text: "Result 1", cache_control: mark }],
      ["tool", { type: "text", text: "Result 2", cache_control: mark }],
    ]);
  });

  it("leave the texts as they are, so that a request begins with the one before", () => {
    const texts = (results: number) =>
      chatRequest(told(results), claude, new Set()).messages.map(({ content }) =>
        Array.isArray(content) ? (content as { text: string }[])[0]!.text : content,
      );
    assert.deepEqual(texts(3).slice(0, texts(2).length), texts(2));
  });

  for (const [name, options] of [
    ["other models", { ...claude, name: "gpt-x" }],
    ["OpenAI's own server", { name: claude.name }],
  ] as const) {
    it(`are not sent to ${name}`, () => {
      assert.deepEqual(marked(chatRequest(told(1), options, new Set())), []);
    });
  }

  it("are left out once a server has refused them", () => {
    const without: Unsupported = new Set();
    const body = chatRequest(told(1), claude, without);
    assert.equal(learn("cache_control: Extra inputs are not permitted", body, without), true);
    assert.deepEqual(marked(chatRequest(told(1), claude, without)), []);
  });
});
