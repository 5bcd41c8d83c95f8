import assert from "node:assert/strict";
import { ModelError } from "../../../../src/core/errors.js";
import { testModel } from "../../../../src/core/models/testModel.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { type ModelScript, ScriptedModel } from "../../../fakes/scriptedModel.js";

function test(script: ModelScript) {
  const clock = new ManualClock();
  const model = new ScriptedModel([
    (request, signal) => {
      clock.advance(1200);
      return typeof script === "function" ? script(request, signal) : script;
    },
  ]);
  return testModel(model, clock, new AbortController().signal);
}

describe("a test of the model", () => {
  it("tells how long it took, and whether tools are called", async () => {
    const usage = { inputTokens: 9, outputTokens: 1, cachedTokens: 0 };
    const call = { name: "say", arguments: { word: "hello" } };
    assert.deepEqual(await test({ toolCalls: [call], usage }), {
      callsTools: true,
      tookMs: 1200,
      countsTokens: true,
    });
  });

  it("takes neither words, nor another call, nor a torn one for a call", async () => {
    for (const script of [
      { text: 'say({"word": "hello"})' },
      { toolCalls: [{ name: "speak", arguments: { word: "hello" } }] },
      { toolCalls: [{ name: "say", arguments: '{"word": "hel' }] },
      { toolCalls: [{ name: "say", arguments: { words: 2 } }] },
    ]) {
      assert.equal((await test(script)).callsTools, false, JSON.stringify(script));
    }
  });

  it("asks without tools where the server says that the model has none", async () => {
    const error = new ModelError("toolsUnsupported", "No tools.", {});
    const model = new ScriptedModel([{ error }, { text: "hello" }]);
    const { callsTools } = await testModel(model, new ManualClock(), new AbortController().signal);
    assert.equal(callsTools, false);
    assert.deepEqual(model.requests[1]?.tools, []);
  });

  it("throws what the model throws", async () => {
    const error = new ModelError("unauthorised", "The key is refused.", {});
    await assert.rejects(test({ error }), error);
  });
});
