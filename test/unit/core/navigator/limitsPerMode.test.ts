import assert from "node:assert/strict";
import { calls, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";

const direct = triages({ route: "direct", expert: "rooroo-developer", goal: "Look" });
const missing = calls("read_file", { path: "missing" });

describe("limits of a mode", () => {
  it("hold for it, and those for all hold for the others", async () => {
    const modes = { "rooroo-developer": { turns: 2 }, "rooroo-analyzer": { turns: 1 } };
    const stage = new NavigatorStage([direct, missing, missing], { modes });
    await stage.navigator.say("look");
    assert.match(stage.ends[0] ?? "", /Failed: Stopped after 2 turns/);
  });
});
