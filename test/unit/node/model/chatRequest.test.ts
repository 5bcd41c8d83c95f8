import assert from "node:assert/strict";
import type { ModelMessage } from "../../../../src/core/ports/messages.js";
import { chatRequest, learn, type Unsupported } from "../../../../src/node/model/chatRequest.js";

const request = {
  messages: [],
  tools: [{ name: "t", description: "", parameters: {} }],
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

  it("gives up a temperature that a model does not take", () => {
    const without: Unsupported = new Set();
    const options = { name: "m", temperature: 0 };
    const body = chatRequest(request, options, without);
    assert.equal(learn("'temperature' does not support 0", body, without), true);
    assert.equal(chatRequest(request, options, without).temperature, undefined);
  });

  it("tries nothing about a refusal that names nothing", () => {
    const without: Unsupported = new Set();
    const body = chatRequest(request, { name: "m" }, without);
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
