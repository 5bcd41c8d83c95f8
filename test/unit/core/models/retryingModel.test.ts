import assert from "node:assert/strict";
import type { AgentEvent } from "../../../../src/core/agent/events.js";
import { askModel } from "../../../../src/core/agent/replies/askModel.js";
import { replyRemark } from "../../../../src/core/conversation/state/replyRemark.js";
import { ModelError } from "../../../../src/core/errors.js";
import { RetryingModel } from "../../../../src/core/models/retryingModel.js";
import { english } from "../../../../src/core/text/translator.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { type ModelScript, ScriptedModel } from "../../../fakes/scriptedModel.js";

const cut = new ModelError("brokenResponse", "The answer ended.", {});
const limited = (retryAfterMs: number) =>
  new ModelError("rateLimited", "Too many requests.", {}, { retryAfterMs });

/** A model that is asked, and the waits that were asked of the clock. */
class Stage {
  readonly clock = new ManualClock();
  readonly events: AgentEvent[] = [];
  readonly waits: number[] = [];
  readonly scripted: ScriptedModel;

  constructor(scripts: readonly ModelScript[] | ModelScript) {
    this.scripted = new ScriptedModel(scripts);
  }

  ask(signal = new AbortController().signal) {
    const clock = {
      now: () => this.clock.now(),
      sleep: (ms: number) => {
        this.waits.push(ms);
        this.clock.advance(ms);
        return Promise.resolve();
      },
    };
    const model = new RetryingModel(this.scripted, clock);
    const request = { messages: [], tools: [] };
    return askModel(model, request, "m", (event) => this.events.push(event), signal);
  }
}

describe("RetryingModel", () => {
  it("passes on which schemas of tools the server has refused", async () => {
    const events: AgentEvent[] = [];
    const model = new RetryingModel(
      {
        name: "m",
        async *respond() {
          await Promise.resolve();
          yield { type: "partsRefused", what: "schemas", leftOut: ["chart"] } as const;
          yield { type: "text", text: "Done." } as const;
        },
      },
      new ManualClock(),
    );
    const request = { messages: [], tools: [] };
    const { signal } = new AbortController();
    await askModel(model, request, "m", (event) => events.push(event), signal);
    assert.deepEqual(events[0], {
      type: "partsRefused",
      messageId: "m",
      what: "schemas",
      leftOut: ["chart"],
    });
  });

  it("passes an answer through untouched", async () => {
    const usage = { inputTokens: 1, outputTokens: 2, cachedTokens: 0 };
    const stage = new Stage([
      { text: ["a", " b"], toolCalls: [{ name: "t", arguments: "{" }], usage },
    ]);
    const reply = await stage.ask();
    assert.deepEqual(reply, {
      text: "a b",
      toolCalls: [{ id: "call_1", name: "t", arguments: "{" }],
      usage,
    });
    assert.deepEqual(stage.waits, []);
  });

  it("asks again, takes back what had come, and lets no call of a broken answer through", async () => {
    const half = { text: "I am", toolCalls: [{ name: "t", arguments: {} }], error: cut };
    const stage = new Stage([half, half, { text: "Done." }]);
    const reply = await stage.ask();
    assert.deepEqual(reply, { text: "Done.", toolCalls: [] });
    const again = { type: "retrying", messageId: "m", attempts: 4, code: "brokenResponse" };
    assert.deepEqual(stage.events, [
      { type: "textDelta", messageId: "m", text: "I am" },
      { ...again, attempt: 2 },
      { type: "textDelta", messageId: "m", text: "I am" },
      { ...again, attempt: 3 },
      { type: "textDelta", messageId: "m", text: "Done." },
      { type: "text", messageId: "m", text: "Done." },
      { type: "usage", usage: null },
    ]);
    assert.deepEqual(stage.waits, [500, 1_500]);
  });

  it("gives up after four times, and says so", async () => {
    const stage = new Stage(() => ({ error: cut }));
    await assert.rejects(stage.ask(), {
      code: "brokenResponse",
      params: { problem: "The answer ended.", times: 4 },
    });
    assert.equal(stage.scripted.requests.length, 4);
  });

  it("waits as long as the server asks, but not for ever", async () => {
    const stage = new Stage([{ error: limited(70_000) }, { text: "ok" }]);
    await stage.ask();
    assert.deepEqual(stage.waits, [70_000]);
    const impatient = new Stage([{ error: limited(121_000) }, { text: "ok" }]);
    await assert.rejects(impatient.ask(), { code: "rateLimited", template: "Too many requests." });
    assert.deepEqual(impatient.waits, []);
  });

  it("says how long it waits, where that is long", async () => {
    const stage = new Stage([
      { error: limited(70_000) },
      { error: limited(9_000) },
      { text: "ok" },
    ]);
    await stage.ask();
    const told = stage.events.flatMap((event) => (event.type === "retrying" ? [event] : []));
    assert.deepEqual(
      told.map((event) => [replyRemark({ retry: event }, english), event.waitMs]),
      [
        ["The server is limiting requests; retrying in 1 min 10 s (attempt 2).", 70_000],
        ["The server is limiting requests; retrying (attempt 3 of 4).", undefined],
      ],
    );
  });

  it("does not try again in a moment where a limit for the day does not say when it is reset", async () => {
    const forDay = (retryAfterMs?: number) =>
      new ModelError("rateLimited", "Nothing more today.", {}, { isForDay: true, retryAfterMs });
    const stage = new Stage([{ error: forDay() }, { text: "ok" }]);
    await assert.rejects(stage.ask(), { isForDay: true, template: "Nothing more today." });
    assert.equal(stage.scripted.requests.length, 1);
    const near = new Stage([{ error: forDay(60_000) }, { text: "ok" }]);
    await near.ask();
    assert.deepEqual(near.waits, [60_000]);
  });

  it("begins nothing anew after a quarter of an hour", async () => {
    const stage: Stage = new Stage(() => {
      stage.clock.advance(10 * 60_000);
      return { error: new ModelError("unreachable", "Silence.", {}) };
    });
    await assert.rejects(stage.ask(), {
      code: "unreachable",
      params: { problem: "Silence.", times: 2 },
    });
  });

  it("says at once what no repetition mends", async () => {
    for (const error of [
      new ModelError("unauthorised", "No.", {}),
      new ModelError("notFound", "No.", {}),
      new ModelError("badRequest", "No.", {}),
      new ModelError("contextTooLong", "No.", {}),
      new ModelError("toolsUnsupported", "No.", {}),
      new ModelError("brokenResponse", "No.", {}, { passing: false }),
      new Error("a bug"),
    ]) {
      const stage = new Stage([{ error }, { text: "ok" }]);
      await assert.rejects(stage.ask(), error);
      assert.equal(stage.scripted.requests.length, 1);
    }
  });

  it("can be stopped while it waits", async () => {
    const clock = new ManualClock();
    const stopper = new AbortController();
    const model = new RetryingModel(new ScriptedModel([{ error: cut }]), clock);
    const request = { messages: [], tools: [] };
    const asked = askModel(model, request, "m", () => undefined, stopper.signal);
    await clock.untilSleeping();
    const reason = new Error("stopped");
    stopper.abort(reason);
    await assert.rejects(asked, reason);
    assert.equal(clock.sleeping, 0);
  });
});
