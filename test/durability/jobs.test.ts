import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FSWatcher, watch } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { readJobLog } from "../../src/core/jobs/documents/jobLog.js";
import { logProblems } from "../../src/core/jobs/documents/logProblems.js";
import type { Rooroo } from "../cli/rooroo.js";
import { closeStages, Stage } from "../cli/stage.js";
import type { HttpModelRequest, HttpReply } from "../fakes/httpModel.js";
import { calls } from "../fakes/navigatorWorld.js";
import { randomFrom } from "../fakes/randomFrom.js";
import type { LogEdits } from "./jobEditor.js";
import { counted, findsNo, noneLocked, wantedKills } from "./kills.js";
import { say } from "./say.js";
import { useMemoryFolder } from "./useMemoryFolder.js";

const areMany = wantedKills !== undefined;
const phases = areMany ? 10 : 4;
const tasks = areMany ? 120 : 40;
const processes = areMany ? 6 : 4;
const kills = areMany ? 20 : 6;
const edits = areMany ? 40 : 14;
/** The most edits that may be overwritten in the moment between a last look and a saving, and the most tasks. */
const unlucky = edits / 4;
const seed = Number(process.env["ROOROO_TEST_SEED"] ?? 11);

const logPath = ".jixo/long.log.md";
const ids = Array.from({ length: tasks }, (_, index) => {
  const perPhase = tasks / phases;
  return `${Math.floor(index / perPhase) + 1}.${(index % perPhase) + 1}`;
});
const plan = Array.from({ length: phases }, (_, index) => {
  const own = ids.filter((id) => id.startsWith(`${index + 1}.`));
  return { text: `${index + 1}. Phase`, tasks: own.map((id) => `${id}. Append`) };
});

/**
 * A task's command appends a line to a file of its own, after a while in which its runner may be killed;
 * whoever has the task looks first whether somebody did that already.
 */
function answer({ messages, results }: HttpModelRequest): HttpReply {
  if (messages[0]?.content?.includes("PLANNER") === true) {
    const changes = [{ action: "add", items: plan }];
    return calls("attempt_completion", { title: "Long", summary: "Planned.", changes });
  }
  const [, id = ""] = /Your objective: Task ([\d.]+)\. /.exec(messages[1]?.content ?? "") ?? [];
  const last = results.at(-1);
  if (last === undefined) return calls("read_file", { path: `done/${id}.txt` });
  // Whoever goes on with what a killed runner had begun does not know what became of its last call.
  if (last.content.includes("The program was closed while this call ran")) {
    return calls("read_file", { path: `done/${id}.txt` });
  }
  const isDone =
    last.name !== "read_file" || last.content.split("\n").some((line) => line.endsWith(`| ${id}`));
  return isDone
    ? calls("attempt_completion", { result: "Succeeded", summary: "Done." })
    : calls("execute_command", { command: `sleep 0.1 && echo ${id} >> done/${id}.txt` });
}

/** Kills processes at moments that the seed says: so many changes of locks and log behind a request. */
class Killer {
  readonly running: Rooroo[] = [];
  readonly killed = new Set<Rooroo>();
  private readonly chance = randomFrom(seed);
  /** By the number of the request: changes until somebody is killed. */
  private readonly due = new Map<number, number>();
  private readonly countdowns: number[] = [];
  private readonly watchers: FSWatcher[];
  private asked = 0;

  constructor(stage: Stage) {
    const between = Math.floor((2.5 * tasks) / kills);
    for (let index = 0; index < kills; index++) {
      this.due.set(10 + index * between + this.random(between), this.random(12));
    }
    this.watchers = [".jixo", ".rooroo/locks"].map((folder) =>
      watch(stage.path(folder), () => {
        this.count();
      }),
    );
  }

  /** Counts a request that has come. */
  request(): void {
    const changes = this.due.get(++this.asked);
    if (changes !== undefined) this.countdowns.push(changes);
    this.count();
  }

  stop(): void {
    for (const watcher of this.watchers) watcher.close();
  }

  private count(): void {
    for (const [index, left] of this.countdowns.entries()) this.countdowns[index] = left - 1;
    while (this.countdowns.some((left) => left < 0)) {
      this.countdowns.splice(
        this.countdowns.findIndex((left) => left < 0),
        1,
      );
      const victims = this.running.filter((one) => !this.killed.has(one));
      const victim = victims[this.random(victims.length)];
      if (victim === undefined) continue;
      this.killed.add(victim);
      victim.kill("SIGKILL");
    }
  }

  private random(below: number): number {
    return Math.floor(this.chance() * below);
  }
}

describe("several processes at one job, killed again and again, and a person who edits its log", function () {
  // No verdict depends on how fast the machine is.
  this.timeout(3_600_000);
  useMemoryFolder();
  afterEach(closeStages);

  it("[R-JIXO-8] [R-JIXO-17] [R-JIXO-21] [R-JIXO-22] complete each task exactly once, and lose no entry and no edit", async () => {
    const began = performance.now();
    const told = `seed ${seed}`;
    let killer: Killer | undefined;
    const stage = await Stage.open(
      (request) => {
        killer?.request();
        return answer(request);
      },
      { ".jixo/long.job.md": "Do all things.\n", "done/README.txt": "What is done.\n" },
      // Locks come and go while sandboxes are set up.
      { ROOROO_SANDBOX: "auto" },
    );
    await mkdir(stage.path(".rooroo/locks"), { recursive: true });
    const { running, killed } = (killer = new Killer(stage));
    let starts = 0;
    const works = async (): Promise<void> => {
      for (;;) {
        const process = stage.start("job", "run", "long", "--approve", "all");
        starts++;
        running.push(process);
        const { code, signal, stdout, stderr } = await process.ended;
        running.splice(running.indexOf(process), 1);
        if (code === 0) return;
        if (signal !== "SIGKILL") assert.equal(code, 2, `${told}\n${stdout}${stderr}`);
        // Whoever stands by looks again when another has ended.
        if (code === 2 && running.length > 0) await Promise.race(running.map(({ ended }) => ended));
      }
    };
    const program = fileURLToPath(new URL("jobEditor.js", import.meta.url));
    const args = [program, stage.path(logPath), String(edits), String(seed)];
    const working = Promise.all(Array.from({ length: processes }, works));
    while (!(await stage.read(logPath)).includes("status:")) {
      await once(watch(stage.path(".jixo")).unref(), "change");
    }
    const editor = spawn(process.execPath, args);
    const printed = Promise.all([text(editor.stdout), text(editor.stderr)]);
    await working;
    editor.stdin.end();
    const [stdout, stderr] = await printed;
    assert.equal(stderr, "", told);
    const hand = JSON.parse(stdout) as LogEdits;
    killer.stop();
    await counted("job", killed.size, async () => {
      // What the person saved last may have been made of what was there a moment before.
      const last = await stage.run("job", "run", "long", "--approve", "all");
      assert.equal(last.code, 0, `${told}\n${last.stdout}${last.stderr}`);

      const written = await stage.read(logPath);
      const log = readJobLog(written);
      assert.deepEqual(logProblems(log), [], told);
      assert.equal(log.givenProgress, 100, told);
      assert.deepEqual(
        log.tasks.map(({ id, status }) => `${id} ${status ?? ""}`),
        ids.map((id) => `${id} Completed`),
        told,
      );
      const expected = ["Create the plan", ...ids.map((id) => `Task ${id}. Append`)];
      const entries = log.entries.map(({ result, fields }) => ({
        result: result ?? "",
        objective: fields.get("objective")?.value ?? "",
        // Who saves in place empties the log for a moment; a plan that was made of that is not used.
        isRefused: fields.get("reason")?.value === "outdated",
      }));
      // What a runner wrote between the person's last look and the saving is overwritten: it finds that
      // its task is not its own, says so, and another one does it.
      const overwritten = entries.filter(({ result }) => result === "Cancelled");
      assert.deepEqual(
        entries
          .filter((entry) => !entry.isRefused && !overwritten.includes(entry))
          .map(({ objective, result }) => `${objective}: ${result}`)
          .toSorted(),
        expected.map((objective) => `${objective}: Succeeded`).toSorted(),
        told,
      );
      const effects = await Promise.all(
        ids.map(async (id) => ({ id, lines: await stage.read(`done/${id}.txt`) })),
      );
      const isUndone = (id: string, lines: string): boolean =>
        lines === "" || lines.replaceAll(`${id}\n`, "") !== "";
      assert.deepEqual(
        effects.filter(({ id, lines }) => isUndone(id, lines)),
        [],
        told,
      );
      const twice = effects.filter(({ id, lines }) => lines !== `${id}\n`).map(({ id }) => id);
      await findsNo("twice", () => {
        assert.deepEqual(
          twice.filter(
            (id) => !overwritten.some(({ objective }) => objective.includes(` ${id}. `)),
          ),
          [],
          told,
        );
      });
      assert.deepEqual(
        hand.marks.filter((mark) => written.split(new RegExp(`\\b${mark}\\b`)).length !== 2),
        [],
        told,
      );
      // Where nobody is at work when it is time, nobody is killed.
      assert.ok(killed.size > kills / 2, told);
      // What the killed have left there is nobody's, and is not in anybody's way.
      const locks = (await readdir(stage.path(".rooroo/locks"))).filter((name) =>
        /^job-(log|planner)-.*\.lock$/.test(name),
      );
      await findsNo("locked", () => {
        assert.deepEqual(locks, [], told);
      });
      await noneLocked(stage.root);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      say(
        `${tasks} tasks, ${starts} processes started, ${killed.size} killed, ${stage.model.requests.length} requests, ${hand.marks.length} edits by hand (${hand.readAgain} read again, ${hand.lost} overwritten and made again; ${overwritten.length} tasks overwritten by hand and done by others), ${seconds} s`,
      );
      assert.ok(hand.marks.length > edits / 2, told);
      assert.ok(hand.lost <= unlucky, `${hand.lost} edits were overwritten, ${told}`);
      assert.ok(overwritten.length <= unlucky, `${overwritten.length} were overwritten, ${told}`);
    });
  });
});
