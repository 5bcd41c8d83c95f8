import assert from "node:assert/strict";
import { closeAsk } from "../../../../src/core/team/closeAsk.js";
import { MemoryTeamQueue } from "../../../fakes/memoryTeamQueue.js";

const worker = { machine: "north", repositories: ["shop"], labels: [] };
const commit = "1".repeat(40);

/** A task that has asked and was answered, and its next attempt. */
async function answered() {
  const queue = new MemoryTeamQueue();
  const tasks = [{ id: "ROO#SUB_A_S001", labels: [] }];
  await queue.send({ id: "A", repository: "shop", base: commit, tasks, signature: "s" });
  const claimed = async () => {
    const [claim] = await queue.claim(worker, 1);
    assert.ok(claim);
    return claim;
  };
  await queue.ask(await claimed(), { id: "ask-1", kind: "approval", subject: "s" }, commit);
  await queue.answer("ask-1", { kind: "approval", choice: "allow", signature: "s" });
  const marks: string[] = [];
  const markFirst = (mark: string) => () => Promise.resolve(marks.push(mark) === 1);
  return { queue, claimed, marks, markFirst, claim: await claimed() };
}

describe("an ask that is closed", () => {
  it("leaves its answer to the first, and to nobody whom the queue has forgotten about", async () => {
    const { queue, claim, marks, markFirst } = await answered();
    const close = (mark: string) =>
      closeAsk(claim, "ask-1", true, { queue, markFirst: markFirst(mark) });
    assert.equal(await close("first"), "mayUse");
    assert.equal(await close("second"), "closed");
    // As where somebody takes back in the database that it was used.
    const forgetful = { useAnswer: () => Promise.resolve(true), beat: queue.beat.bind(queue) };
    const again = { queue: forgetful, markFirst: markFirst("third") };
    assert.equal(await closeAsk(claim, "ask-1", true, again), "closed");
    assert.deepEqual(marks, ["first", "second", "third"]);
  });

  it("is closed without an answer, too, so that none counts that comes later", async () => {
    const { queue, claim, marks, markFirst } = await answered();
    const given = { queue, markFirst: markFirst("asked anew") };
    assert.equal(await closeAsk(claim, "ask-1", false, given), "closed");
    assert.deepEqual(marks, ["asked anew"]);
  });

  it("stays open for the next attempt where the task was given to it", async () => {
    const { queue, claim, claimed, marks, markFirst } = await answered();
    queue.silence(claim);
    await queue.takeOver();
    const next = await claimed();
    for (const isAnswered of [true, false]) {
      const given = { queue, markFirst: markFirst("zombie") };
      assert.equal(await closeAsk(claim, "ask-1", isAnswered, given), "lost");
    }
    assert.deepEqual(marks, []);
    const given = { queue, markFirst: markFirst("next") };
    assert.equal(await closeAsk(next, "ask-1", true, given), "mayUse");
  });
});
