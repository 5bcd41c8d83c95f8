import assert from "node:assert/strict";
import { costText } from "../../../../src/core/agent/costText.js";
import type { Prices } from "../../../../src/core/agent/price.js";
import { addCosts } from "../../../../src/core/agent/usageSums.js";
import { noUsage } from "../../../../src/core/conversation/state/items.js";
import { addCallUsage, dayOf } from "../../../../src/core/conversation/state/usageTotals.js";
import { costOf, PricedModel, priceOf } from "../../../../src/core/models/pricedModel.js";
import type { LanguageModel } from "../../../../src/core/ports/model.js";
import { completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { ScriptedModel } from "../../../fakes/scriptedModel.js";

const usage = { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 100_000 };

describe("prices", () => {
  it("are those of the person's settings, the longest name first, else published ones", () => {
    const own = { "my-": { input: 1, output: 2 }, "my-big": { input: 3, output: 4 } };
    assert.equal(priceOf("my-small", own)?.input, 1);
    assert.equal(priceOf("my-big-one", own)?.input, 3);
    assert.equal(priceOf("gpt-4.1", { "gpt-4": { input: 9, output: 9 } })?.input, 9);
    assert.equal(priceOf("gpt-4.1-2025-04-14")?.output, 8);
    assert.equal(priceOf("gpt-4.1-turbo-max"), undefined);
    assert.equal(priceOf("toString"), undefined);
    assert.equal(priceOf("other"), undefined);
  });

  it("make the cost of a call, what came from the cache at its own price", () => {
    assert.equal(costOf(usage, { input: 2, cachedInput: 0.5, output: 8 }), 1.2 + 0.2 + 0.8);
    assert.equal(costOf(usage, { input: 2, output: 8 }), 2 + 0.8);
  });

  it("add up while all are known, and by the day", () => {
    assert.equal(addCosts(1, undefined), undefined);
    const morning = addCallUsage(noUsage, { ...usage, costUsd: 1 }, "2026-11-20T10:00:00Z");
    const noon = addCallUsage(morning, { ...usage, costUsd: 2 }, "2026-11-20T12:00:00Z");
    assert.deepEqual([noon.costUsd, noon.day?.costUsd], [3, 3]);
    const unknown = addCallUsage(noon, usage, "2026-11-20T12:00:01Z");
    assert.deepEqual([unknown.costUsd, unknown.day?.costUsd], [undefined, undefined]);
    const later = addCallUsage(unknown, { ...usage, costUsd: 4 }, "2026-11-25T12:00:00Z");
    assert.deepEqual(later.day, { date: dayOf("2026-11-25T12:00:00Z"), costUsd: 4 });
    assert.equal(later.costUsd, undefined);
  });

  it("are not needed where the server says what a call cost, and count before it where they are set", async () => {
    const model = new ScriptedModel(() => ({ text: "", usage: { ...usage, costUsd: 7 } }));
    const told = async (own: Prices): Promise<number | undefined> => {
      const priced = new PricedModel(model, () => own);
      const request = { messages: [], tools: [] };
      for await (const event of priced.respond(request, new AbortController().signal)) {
        if (event.type === "usage") return event.usage.costUsd;
      }
      return undefined;
    };
    assert.equal(await told({}), 7);
    assert.equal(await told({ scripted: { input: 2, output: 8 } }), 2.8);
  });

  it("are shown to the cent, or finer where there is less than that", () => {
    assert.deepEqual([1.239, 0.5, 0.04213, 0.00001, 0, undefined].map(costText), [
      "$1.24",
      "$0.50",
      "$0.0421",
      "<$0.0001",
      "",
      "",
    ]);
  });

  it("reach a task's report and the overview, and nothing where one is unknown", async () => {
    const named = (name: string): LanguageModel => ({
      name,
      respond: async function* (request, signal) {
        yield* stage.model.respond(request, signal);
      },
    });
    const reply = { ...completes(), usage };
    const stage: NavigatorStage = new NavigatorStage(() => reply, {
      modelFor: (slug) => named(slug === "rooroo-developer" ? "gpt-4.1" : "unheard-of"),
    });
    await stage.navigator.say("/do It");
    await stage.navigator.say("/ask What");
    const { tasks } = await stage.navigator.overview();
    const costs = tasks.map(({ mode, effort }) => [mode, effort?.costUsd]);
    assert.deepEqual(costs.sort(), [
      ["rooroo-analyzer", undefined],
      ["rooroo-developer", 2.2],
    ]);
  });
});
