import assert from "node:assert/strict";
import { calls, completes } from "../fakes/navigatorWorld.js";
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

  it("tells the runner of a job by the job's name, and which one if there are several", async () => {
    let told: () => void = () => undefined;
    const isTold = new Promise<void>((resolve) => (told = resolve));
    let begun = 0;
    let areBegun: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (areBegun = resolve));
    const stage = await Stage.open(
      async ({ messages }) => {
        const [system = "", first = ""] = messages.map(({ content }) => content ?? "");
        if (system.includes("You are the PLANNER")) {
          const items = [{ text: "1. Go" }, { text: "2. Rest" }];
          const changes = [{ action: "add", items }];
          return calls("attempt_completion", { summary: "Planned.", title: "Trip", changes });
        }
        if (++begun === 2) areBegun();
        await isTold;
        const isRest = first.includes("Task 2. Rest");
        const summary = messages.some(({ content }) => content?.includes("by train"))
          ? `By train${isRest ? " to rest" : ""}.`
          : "Anyhow.";
        return calls("attempt_completion", { result: "Succeeded", summary });
      },
      { ".jixo/trip.job.md": "Plan a trip.\n" },
    );
    const nobody = await stage.run("tell", "trip", "by", "train");
    assert.match(nobody.stderr, /Nobody is at work for trip now/);
    const work = stage.start("job", "run", "trip", "--runners", "2", "--approve", "all");
    await both;
    const which = await stage.run("tell", "trip", "by", "train");
    assert.equal(which.code, 64);
    const [, session = ""] = /(ROO#JOB_\w+) \(Task 2\. Rest\)/.exec(which.stderr) ?? [];
    const tell = await stage.run("tell", session, "by", "train");
    assert.equal(tell.stdout, `The expert of ${session} is told before its next turn.\n`);
    told();
    const { code, stdout } = await work.ended;
    assert.equal(code, 0, stdout);
    const log = await stage.read(".jixo/trip.log.md");
    assert.match(log, /\*\*Said\*\*: by train/);
    assert.match(log, /By train to rest\./);
    assert.match(log, /Anyhow\./);
  });
});
