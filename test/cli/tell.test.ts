import assert from "node:assert/strict";
import { completes } from "../fakes/navigatorWorld.js";
import { plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const direct = { route: "direct", expert: "rooroo-developer", goal: "Do it" };

describe("rooroo tell", () => {
  afterEach(closeStages);

  it("tells the expert of a task that another process runs, and nothing once it has ended", async () => {
    let begun: (taskId: string) => void = () => undefined;
    let told: () => void = () => undefined;
    const task = new Promise<string>((resolve) => (begun = resolve));
    const isTold = new Promise<void>((resolve) => (told = resolve));
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": async ({ taskId, messages }) => {
          begun(taskId);
          await isTold;
          const last = messages.at(-1)?.content ?? "";
          return completes({ message: last.includes("no zeros") ? "Without zeros." : "Zeros." });
        },
      }),
    );
    const work = stage.start("ask", "Do it", "--approve", "all");
    const taskId = await task;
    const tell = await stage.run("tell", taskId.slice(-6), "no", "zeros");
    assert.equal(tell.code, 0, tell.stderr);
    assert.equal(tell.stdout, `The expert of ${taskId} is told before its next turn.\n`);
    const tasks = (await stage.json("status"))["tasks"] as { messages: { text: string }[] }[];
    assert.equal(tasks[0]?.messages[0]?.text, "no zeros");
    told();
    const { code, stdout } = await work.ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^> no zeros$/m);
    assert.match(stdout, /✓ Done.*\n {2}Without zeros\./);

    const late = await stage.run("tell", taskId, "And this");
    assert.equal(late.code, 64);
    assert.match(late.stderr, /has ended, so nobody would read this/);
  });
});
