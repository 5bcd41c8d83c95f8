import assert from "node:assert/strict";
import type { TaskId } from "../../../../src/core/ids.js";
import { Spending, type SpendLimits } from "../../../../src/core/spending/spending.js";
import {
  addSpending,
  limitText,
  noSpending,
  readLimit,
  type SpendTotals,
  spendingText,
} from "../../../../src/core/spending/spendTotals.js";
import type { UsageLog } from "../../../../src/core/spending/usageLog.js";
import { spoken } from "../../../../src/core/text/words.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import type { ScriptedResponse } from "../../../fakes/scriptedModel.js";

class MemoryUsage implements UsageLog {
  used: SpendTotals = noSpending;
  record(use: SpendTotals): Promise<void> {
    this.used = addSpending(this.used, use);
    return Promise.resolve();
  }
  onDay(): Promise<SpendTotals> {
    return Promise.resolve(this.used);
  }
}

const usage = { inputTokens: 90, outputTokens: 10, cachedTokens: 0 };
const look = (turn: number): ScriptedResponse => ({
  ...calls("read_file", { path: "a.txt", end_line: turn + 1 }),
  usage,
});

/** Returns a stage with a task that makes so many requests, under these limits. */
function stageOf(requests: number, spend: Partial<SpendLimits>, usageLog?: UsageLog) {
  const looks = Array.from({ length: requests - 1 }, (_, turn) => look(turn));
  const scripts = [...looks, completes()];
  const stage = new NavigatorStage(scripts, {
    files: { "a.txt": "a\n" },
    spend: { task: {}, day: {}, ...spend },
    ...(usageLog === undefined ? {} : { usageLog }),
  });
  stage.approve = () => ({ type: "allowed", scope: "once" });
  return stage;
}
const asked = (stage: NavigatorStage): string[] =>
  stage.approvals.map(({ action }) => spoken(action.preview.text));

describe("limits on what is spent", () => {
  it("ask when a task has used its requests, and again after as many more", async () => {
    const stage = stageOf(5, { task: { requests: 2 } });
    assert.equal((await stage.navigator.say("/do it")).status, "done");
    const [taskId] = stage.started;
    assert.deepEqual(asked(stage), [
      `Task ${taskId} has used 2 requests. Go on for another 2 requests?`,
      `Task ${taskId} has used 4 requests. Go on for another 2 requests?`,
    ]);
    assert.equal(stage.approvals[0]?.options.length, 0);
  });

  it("ask about each task by itself: more for one is no more for another", async () => {
    const limits: SpendLimits = { task: { requests: 2 }, day: {} };
    const clock = new ManualClock();
    const spending = new Spending({ clock, limits: () => limits });
    const used: SpendTotals = { ...noSpending, requests: 2 };
    const [one, other] = ["ROO#TASK_A", "ROO#TASK_B"] as unknown as [TaskId, TaskId];
    (await spending.reached(one, used))?.goOn();
    assert.equal(await spending.reached(one, used), undefined);
    assert.equal((await spending.reached(other, used))?.of, "task");
  });

  it("ask when its tokens are used up, and not before", async () => {
    const stage = stageOf(4, { task: { tokens: 250 } });
    await stage.navigator.say("/do it");
    assert.equal(asked(stage).length, 1);
    assert.match(asked(stage)[0]!, /has used 300 tokens\. Go on for another 250 tokens\?$/);
  });

  it("stop the task where it is when the person says so, to be resumed", async () => {
    const stage = stageOf(3, { task: { requests: 1 } });
    stage.approve = () => ({ type: "denied" });
    assert.equal((await stage.navigator.say("/do it")).status, "failed");
    assert.equal(stage.model.requests.length, 1);
    assert.deepEqual(stage.ends, ["Stopped: Stopped."]);
    stage.approve = () => ({ type: "allowed", scope: "once" });
    assert.equal((await stage.navigator.resume(stage.started[0]!)).status, "done");
    assert.equal(asked(stage).length, 3);
  });

  it("let the task wait where nobody can be asked, and ask again when it is resumed", async () => {
    const stage = stageOf(3, { task: { requests: 1 } });
    stage.approve = () => ({ type: "unavailable" });
    assert.equal((await stage.navigator.say("/do it")).status, "waiting");
    const [taskId = ""] = stage.started;
    const approval = stage.json(`.rooroo/tasks/${taskId}/approval.json`);
    assert.equal(approval["title"], "Go on for another 1 request");
    assert.equal((await stage.navigator.resume(taskId)).status, "waiting");
    assert.equal(stage.model.requests.length, 1);
  });

  it("count all that was used on a day, triage and other windows included", async () => {
    const log = new MemoryUsage();
    const stage = stageOf(3, { day: { requests: 3 } }, log);
    await stage.navigator.say("/do it");
    assert.deepEqual([log.used.requests, log.used.tokens], [3, 200]);
    assert.deepEqual(asked(stage), []);
    const other = stageOf(2, { day: { requests: 3 } }, log);
    await other.navigator.say("/do it");
    assert.deepEqual(asked(other), [
      "Today’s work has used 3 requests. Go on for another 3 requests?",
    ]);
    assert.equal(log.used.requests, 5);
  });

  it("are none where none are set", async () => {
    const stage = stageOf(12, {}, new MemoryUsage());
    assert.equal((await stage.navigator.say("/do it")).status, "done");
    assert.deepEqual(asked(stage), []);
  });

  it("say amounts as people do", () => {
    assert.equal(spendingText("requests", 1), "1 request");
    assert.equal(spendingText("tokens", 1_500_000), "1,500,000 tokens");
    assert.equal(spendingText("cost", 2.5), "$2.50");
  });

  it("has limits that are read as they are written", () => {
    for (const limit of [
      {},
      { requests: 1 },
      { tokens: 1_000_000 },
      { cost: 5 },
      { cost: 0.0625 },
      { requests: 500, tokens: 2_500_000, cost: 12.5 },
    ]) {
      assert.deepEqual(readLimit(limitText(limit)), limit, limitText(limit));
    }
    assert.equal(limitText({}), "none");
    assert.equal(limitText({ requests: 500, cost: 5 }), "500 requests, $5");
    assert.deepEqual(readLimit("as little as possible"), {});
  });
});
