import assert from "node:assert/strict";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

describe("a recording of the work", function () {
  after(closeStages);

  it("is played again by a server that is given its folder", async () => {
    const script = plays(
      { route: "direct", expert: "rooroo-developer", goal: "Write it" },
      {
        "rooroo-developer": ({ results }) =>
          results.length === 0
            ? calls("write_to_file", { path: "a.txt", content: "as recorded\n" })
            : completes({ message: "Written." }),
      },
    );
    const first = await Stage.open(script);
    const done = await first.run("ask", "Write it", "--approve", "all", "--record");
    assert.equal(done.code, 0, done.stderr);
    const [folder] = await first.list(".rooroo/logs/recordings");
    assert.ok(folder);

    const server = new LLMock({ host: "127.0.0.1", port: 0 });
    server.loadFixtureDir(join(first.root, ".rooroo/logs/recordings", folder));
    await server.start();
    try {
      const second = await Stage.open(() => ({ status: 500, message: "not asked" }));
      const again = await second.run(
        "ask",
        "Write it",
        "--approve",
        "all",
        "--base-url",
        `${server.url}/v1`,
      );
      assert.equal(again.code, 0, again.stdout + again.stderr);
      assert.equal(await second.read("a.txt"), "as recorded\n");
      assert.match(again.stdout, /Written\./);
    } finally {
      await server.stop();
    }
  });
});
