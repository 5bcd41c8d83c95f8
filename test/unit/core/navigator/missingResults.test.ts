import assert from "node:assert/strict";
import { completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";

const own = "ROO#SUB_TASK_7-S002_2";
const earlier = ".rooroo/tasks/ROO#SUB_TASK_7-S001_1";

/** Runs one queued task over some earlier work; returns what its expert is told, and how often a model was asked. */
async function toldTo(goal: string, context: string, files: Record<string, string> = {}) {
  const line = { taskId: own, suggested_mode: "rooroo-developer", goal_for_expert: goal };
  const stage = new NavigatorStage([completes()], {
    files: {
      ".rooroo/queue.jsonl": `${JSON.stringify(line)}\n`,
      [`.rooroo/tasks/${own}/context.md`]: context,
      [`${earlier}/context.md`]: "Look at the pump",
      [`${earlier}/analysis_report.md`]: "It is worn.",
      ".rooroo/tasks/ROO#TASK_20250101000000_AAAA/schema.sql": "-- tables",
      ".rooroo/plans/ROO#TASK_7_plan_overview.md": "# Plan",
      ...files,
    },
  });
  assert.equal((await stage.navigator.proceed()).status, "done");
  assert.equal(stage.model.requests.length, 1);
  const told = stage.model.requests[0]!.messages[1]!.content;
  const list = /\nThere is nothing at these paths[^\n]*\n((?:- .*\n)*)/.exec(told)?.[1];
  return list?.trim().split("\n");
}

describe("paths to results of earlier tasks that a task names", () => {
  it("are looked at before its expert starts, which is told of those with nothing there and of what is likely meant", async () => {
    const told = await toldTo(
      `Follow \`${earlier}/analysis.md\` and .rooroo/plans/ROO%23TASK_7_overview.md.`,
      "Tables: tasks/ROO#TASK_20250101000000_AAAB/schema.sql，见 .rooroo/tasks/ROO#TASK_9/水泵.md。",
    );
    assert.deepEqual(told, [
      `- ${earlier}/analysis.md; likely meant: ${earlier}/analysis_report.md`,
      "- .rooroo/plans/ROO#TASK_7_overview.md; likely meant: .rooroo/plans/ROO#TASK_7_plan_overview.md",
      "- .rooroo/tasks/ROO#TASK_20250101000000_AAAB/schema.sql; likely meant: .rooroo/tasks/ROO#TASK_20250101000000_AAAA/schema.sql",
      "- .rooroo/tasks/ROO#TASK_9/水泵.md",
    ]);
  });

  it("are not told of where there is something, nor those of the task's own folder, nor patterns", async () => {
    const goal = `Read ${earlier}/ and ${earlier}/analysis_report.md; write .rooroo/tasks/${own}/new.md`;
    const context =
      "See .rooroo/tasks/<id>/a.md, .rooroo/tasks/*/b.md, {{workspace}}/.rooroo/tasks/";
    assert.equal(await toldTo(goal, context), undefined);
  });
});
