import assert from "node:assert/strict";
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
