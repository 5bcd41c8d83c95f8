import assert from "node:assert/strict";
import type { Requester } from "../../../../src/core/navigator/tasks/requester.js";
import { stoppedByUser } from "../../../../src/core/work/stop.js";
import { completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";

/** Returns somebody who follows a request, with the ids of the tasks that they were told of. */
function follower() {
  const stopping = new AbortController();
  const tasks: string[] = [];
  const requester: Requester = {
    signal: stopping.signal,
    began: (taskId) => {
      tasks.push(taskId);
    },
  };
  return {
    requester,
    tasks,
    stop: () => {
      stopping.abort(stoppedByUser());
    },
  };
}

const line = (id: string): string =>
  `${JSON.stringify({ taskId: `ROO#TASK_${id}`, suggested_mode: "rooroo-developer", goal_for_expert: id })}\n`;

describe("somebody who follows a request", () => {
  it("is told of its task, and of all that the queue runs for it", async () => {
    const files = { ".rooroo/queue.jsonl": line("a1") + line("a2") };
    const stage = new NavigatorStage(() => Promise.resolve(completes()), { files });
    const first = follower();
    await stage.navigator.say("/do Fix it", undefined, [], { requester: first.requester });
    assert.equal(first.tasks.length, 1);
    const second = follower();
    await stage.navigator.act({ action: "proceed", one: false }, undefined, second.requester);
    assert.deepEqual(second.tasks, ["ROO#TASK_a1", "ROO#TASK_a2"]);
  });

  it("ends their own request and no other", async () => {
    const open = new Map<string, () => void>();
    let begun: () => void = () => undefined;
    const bothBegun = new Promise<void>((resolve) => (begun = resolve));
    const answer: ModelScript = async (request, signal) => {
      const isMine = request.messages[1]!.content.includes("Mine");
      await new Promise<void>((resolve, reject) => {
        open.set(isMine ? "mine" : "other", resolve);
        signal.addEventListener("abort", () => {
          reject(signal.reason as Error);
        });
        if (open.size === 2) begun();
      });
      return completes();
    };
    const stage = new NavigatorStage(answer, { concurrency: 2 });
    const other = stage.navigator.say("/do The other");
    const mine = follower();
    const own = stage.navigator.say("/do Mine", undefined, [], { requester: mine.requester });
    await bothBegun;
    mine.stop();
    assert.equal((await own).status, "failed");
    assert.ok(stage.navigator.busy, "the other goes on");
    open.get("other")!();
    assert.equal((await other).status, "done");
    const ends = stage.events.flatMap((event) =>
      event.type === "sessionEnded" ? [event.end] : [],
    );
    assert.deepEqual(ends, ["Stopped", "Done"]);
  });
});
