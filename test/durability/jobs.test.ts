import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { readJobLog } from "../../src/core/jobs/jobLog.js";
import { logProblems } from "../../src/core/jobs/logProblems.js";
import type { Rooroo } from "../cli/rooroo.js";
import { closeStages, Stage } from "../cli/stage.js";
import { calls } from "../fakes/navigatorWorld.js";
import { randomFrom } from "../fakes/randomFrom.js";
import { say } from "./say.js";

const tasks = 40;
const processes = 4;
const kills = 8;

describe("four processes at one job, killed again and again", function () {
  this.timeout(60_000);
  afterEach(closeStages);

  it("[R-JIXO-8] [R-JIXO-17] [R-JIXO-21] [R-JIXO-22] complete each task exactly once, and lose no entry", async () => {
    const began = performance.now();
    const chance = randomFrom(11);
    const random = (below: number): number => Math.floor(chance() * below);
    // Requests, by number, at which somebody is killed: in the middle of a task, or near one's end.
    const due = new Set(Array.from({ length: kills }, (_, index) => 4 + index * 4 + random(3)));
    const running: Rooroo[] = [];
    const killed = new Set<Rooroo>();
    let asked = 0;
    const items = Array.from({ length: tasks }, (_, index) => ({ text: `${index + 1}. Task` }));
    const stage = await Stage.open(
      ({ messages }) => {
        const isPlanner = messages[0]?.content?.includes("PLANNER") === true;
        if (due.delete(++asked)) {
          const victims = running.filter((one) => !killed.has(one));
          const victim = victims[random(victims.length)];
          if (victim !== undefined) killed.add(victim);
          victim?.kill("SIGKILL");
        }
        return isPlanner
          ? calls("attempt_completion", {
              ...{ title: "Forty", summary: "Planned." },
              changes: [{ action: "add", items }],
            })
          : calls("attempt_completion", { result: "Succeeded", summary: "Done." });
      },
      { ".jixo/forty.job.md": "Do forty things.\n" },
    );
    let starts = 0;
    const works = async (): Promise<void> => {
      for (;;) {
        const process = stage.start("job", "run", "forty");
        starts++;
        running.push(process);
        const { code, signal, stderr } = await process.ended;
        running.splice(running.indexOf(process), 1);
        if (code === 0) return;
        if (signal !== "SIGKILL") assert.equal(code, 2, stderr);
        // Whoever stands by looks again when another has ended.
        if (code === 2 && running.length > 0) await Promise.race(running.map(({ ended }) => ended));
      }
    };
    await Promise.all(Array.from({ length: processes }, works));

    const text = await stage.read(".jixo/forty.log.md");
    const log = readJobLog(text);
    assert.deepEqual(logProblems(log), []);
    assert.equal(log.givenProgress, 100);
    assert.deepEqual(
      log.tasks.map(({ id, status }) => `${id} ${status ?? ""}`),
      items.map((_, index) => `${index + 1} Completed`),
    );
    const done = log.entries.flatMap(({ result, fields }) =>
      result === "Succeeded" ? [fields.get("objective")?.value ?? ""] : [],
    );
    const expected = ["Create the plan", ...items.map(({ text }) => `Task ${text}`)];
    assert.deepEqual(done.toSorted(), expected.toSorted());
    assert.equal(killed.size, kills);
    // What the killed have left there is nobody's, and is not in anybody's way.
    const locks = (await readdir(stage.path(".rooroo/locks"))).filter((name) =>
      /^job-(log|planner)-.*\.lock$/.test(name),
    );
    assert.deepEqual(locks, []);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    say(
      `${tasks} tasks, ${starts} processes started, ${killed.size} killed, ${asked} requests, ${seconds} s`,
    );
  });
});
