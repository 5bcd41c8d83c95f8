import { strict as assert } from "node:assert";
import { planPlaceCommands } from "../../../../src/vscode/changes/planPlaceCommands.js";
import type { Editor } from "../../../fakes/vscode/editor.js";
import { useEditor } from "../../../panel/useEditor.js";

type Parts = Parameters<typeof planPlaceCommands>[0];

describe("Land Plan", () => {
  let editor: Editor;
  useEditor({}, (opened) => {
    editor = opened;
  });

  it("offers the plans that have come to an end on other machines, those that failed, too", async () => {
    const states = ["queued", "running", "done", "failed"];
    const away = states.map((state) => ({
      planId: state,
      goal: `It is ${state}`,
      state,
      tasks: [],
    }));
    const overview = { tasks: [], plans: [], places: [], away };
    const received: unknown[] = [];
    const commands = planPlaceCommands({
      workspace: { require: () => ({ overview: () => Promise.resolve(overview) }) },
      receive: (argument: unknown) => {
        received.push(argument);
        return Promise.reject(new Error("That is enough."));
      },
    } as unknown as Parts);
    let offered: readonly string[] = [];
    editor.person.picks((items) => {
      offered = items.map(({ label }) => label);
      return Promise.resolve(items.find(({ label }) => label === "It is failed"));
    });
    await assert.rejects(commands["rooroo.landPlan"](undefined), /That is enough/);
    assert.deepEqual(offered, ["It is done", "It is failed"]);
    assert.deepEqual(received, ["failed"]);
  });
});
