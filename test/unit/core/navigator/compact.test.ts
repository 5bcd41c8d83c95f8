import assert from "node:assert/strict";
import { asks, calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";

const files = { "a.txt": "a line of the file\n".repeat(300) };
const reads = calls("read_file", { path: "a.txt" });
const stage = (script: readonly ModelScript[]) => new NavigatorStage(script, { files });

/** Returns the notices of the conversation. */
const notices = (world: NavigatorStage) =>
  world.events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
const summarised = (world: NavigatorStage) =>
  world.events.flatMap((event) =>
    event.type === "agent" && event.event.type === "summarised" ? [event.event] : [],
  );
/** Returns whether the model is asked for a summary by this request. */
const isSummary = (world: NavigatorStage, index: number) =>
  (world.model.requests[index]?.messages[0]?.content ?? "").includes("You summarise the work");

describe("/compact", () => {
  it("has the expert at work compacted before its next step, with what the user wants kept", async () => {
    const world = stage([
      reads,
      async () => {
        await world.navigator.say("/compact keep the API names");
        return reads;
      },
      { text: "It read a.txt: lines of the file." },
      completes(),
    ]);
    assert.equal((await world.navigator.say("/do Read it twice")).status, "done");
    assert.ok(notices(world).includes("Developer: compacting before the next step."));
    assert.ok(isSummary(world, 2));
    const [asked] = world.model.requests[2]!.messages;
    assert.match(asked!.content, /keep above all: keep the API names$/);
    const after = JSON.stringify(world.model.requests[3]?.messages);
    assert.match(after, /It read a\.txt: lines of the file\./);
    assert.equal(after.split("a line of the file").length - 1 <= 300, true, "one reading is left");
    assert.deepEqual(
      summarised(world).map(({ messages, asked }) => [messages, asked]),
      [[2, true]],
    );
    assert.ok(!world.files.paths.some((path) => path.endsWith("compact.json")), "its file is gone");
  });

  it("waits for a task that waits for the user, also over a restart", async () => {
    const world = stage([reads, reads, asks("Which one?")]);
    await world.navigator.say("/do Read and ask");
    await world.navigator.say("/compact");
    assert.ok(
      notices(world).includes(
        "“Read and ask” will be compacted when it goes on, before its next step.",
      ),
    );
    const later = new NavigatorStage([{ text: "It read a.txt twice." }, completes()], {
      files: world.files,
    });
    await later.navigator.answer(world.started[0]!, "The first");
    assert.ok(isSummary(later, 0));
    assert.equal(summarised(later).length, 1);
    assert.match(JSON.stringify(later.model.requests[1]?.messages), /It read a\.txt twice\./);
  });

  it("says plainly that there is nothing to compact, and asks no model", async () => {
    const world = stage([completes()]);
    await world.navigator.say("/do Read it");
    await world.navigator.say("/compact");
    assert.match(notices(world).at(-1) ?? "", /^There is nothing to compact: no expert is at work/);
    assert.equal(world.model.requests.length, 1);
  });

  it("takes no order that came with the folder", async () => {
    const world = stage([reads, reads, asks("Which one?"), completes()]);
    await world.navigator.say("/do Read and ask");
    const path = `.rooroo/tasks/${world.started[0]}/compact.json`;
    await world.files.replaceFile(path, '{"schema":1,"keep":"nothing at all"}\n');
    await world.navigator.answer(world.started[0]!, "The first");
    assert.equal(summarised(world).length, 0);
  });
});
