import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { type FSWatcher, watch } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type Job, jobNamed } from "../../src/core/jobs/documents/jobFolder.js";
import { logProblems } from "../../src/core/jobs/documents/logProblems.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { diskJobs } from "../fakes/diskJobs.js";
import { randomFrom } from "../fakes/randomFrom.js";
import { neverAnswers, ScriptedModel } from "../fakes/scriptedModel.js";
import { fastClock } from "./fastClock.js";
import { counted, findsNo, noneLocked, wantedKills } from "./kills.js";
import { nightTasks, phases, sharedFile } from "./nightModel.js";
import { Person, undoAt } from "./nightPerson.js";
import { say } from "./say.js";
import { useMemoryFolder } from "./useMemoryFolder.js";

const areMany = wantedKills !== undefined;
const kills = areMany ? 24 : 10;
/** A process is killed after so many changes of files, or up to this number more of them. */
const [soonest, later] = areMany ? [30, 400] : [20, 150];
const undos = undoAt.length;
/** How many times as fast as the real clock the night's is. */
const speed = 600;
const seed = Number(process.env["ROOROO_TEST_SEED"] ?? 7);
const program = fileURLToPath(new URL("nightWorker.js", import.meta.url));

describe("a night of many tasks on a real repository", function () {
  // No verdict depends on how fast the machine is.
  this.timeout(3_600_000);
  useMemoryFolder();
  let root = "";
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "rooroo-night-"));
  });
  afterEach(async () => {
    child?.kill("SIGKILL");
    await rm(root, { recursive: true, force: true });
  });

  function git(...args: readonly string[]): string {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const options = { cwd: root, env, encoding: "utf8", stdio: "pipe", maxBuffer: 1e8 } as const;
    return execFileSync("git", args, options).trimEnd();
  }
  const path = (name: string) => join(root, name);
  const read = (name: string) => readFile(path(name), "utf8").catch(() => "");
  const jobNow = (): Promise<Job> => jobNamed("night", new DiskFileSystem(root));

  async function repository(): Promise<void> {
    git("init", "--quiet", "--initial-branch=main");
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.test");
    for (const folder of ["shared", "src", "gen", ".jixo", ".rooroo/locks"]) {
      await mkdir(path(folder), { recursive: true });
    }
    await writeFile(path(".gitignore"), ".rooroo/\n.jixo/\n");
    await writeFile(path("notes.md"), "Notes\n");
    await writeFile(path("gen/README.md"), "What commands make.\n");
    for (let phase = 1; phase <= phases; phase++) {
      await writeFile(path(`shared/${phase}.txt`), sharedFile(phase));
    }
    await writeFile(path(".jixo/night.job.md"), "---\ngit: commit\n---\n\nDo many things.\n");
    git("add", ".");
    git("commit", "--quiet", "-m", "First");
  }

  it("[R-JIXO-34] leaves each task done, parked or failed for its true reason, and each done one as one commit, through kills, outages and a person", async () => {
    await repository();
    const told = `seed ${seed}`;
    const chance = randomFrom(seed);
    const random = (below: number) => Math.floor(chance() * below);
    const began = Date.now();
    const asked = new ScriptedModel(neverAnswers());
    const person = new Person(
      root,
      diskJobs(root, { model: asked, clock: fastClock(began, speed) }),
    );
    let killed = 0;
    let lives = 0;
    const problems: string[] = [];
    while (!(await isOver())) {
      assert.ok(++lives < 3 * kills, `${lives} processes were started, ${told}`);
      const running = spawn(process.execPath, [program, root, String(began), String(speed)]);
      child = running;
      const printed = Promise.all([text(running.stdout), text(running.stderr)]);
      let left = killed < kills ? soonest + random(later) : Infinity;
      const watchers = [".jixo", ".rooroo/locks", ".git", "src"].map((folder): FSWatcher =>
        watch(path(folder), () => {
          if (--left === 0) running.kill("SIGKILL");
        }),
      );
      const [code, signal] = (await once(running, "close")) as [number | null, string | null];
      for (const watcher of watchers) watcher.close();
      const [stdout, stderr] = await printed;
      if (signal === "SIGKILL") killed++;
      else if (code !== 0) problems.push(`${stdout}${stderr}`);
      // The person looks at it, and changes files of their own.
      await person.look();
      if (lives === 3) {
        await writeFile(path("notes.md"), "Notes\nmine\n");
        await writeFile(
          path("shared/2.txt"),
          (await read("shared/2.txt")).replace("end\n", "end\nmine\n"),
        );
      }
    }
    person.close();
    await counted("job", killed, async () => {
      assert.deepEqual(problems, [], told);

      const job = await jobNow();
      assert.deepEqual(logProblems(job.log), [], told);
      const open = new Set(
        job.file.clarifications.filter((one) => one.answer === undefined).map(({ id }) => id),
      );
      const ends = new Map(job.log.tasks.map((task) => [task.number ?? "", task]));
      const done: string[] = [];
      for (const [id, kind] of nightTasks) {
        const task = ends.get(id);
        const status = `${kind} ${task?.status ?? "gone"}`;
        if (kind === "Hopeless") assert.equal(status, "Hopeless Cancelled", `${id}, ${told}`);
        else if (kind === "Stick" && task?.status === "Pending") {
          assert.ok(
            open.has(task.fields.get("waits for")?.value ?? ""),
            `${id} waits for nothing, ${told}`,
          );
        } else {
          assert.equal(status, `${kind} Completed`, `${id}, ${told}`);
          done.push(id);
        }
        const content = await read(kind === "Command" ? `gen/${id}.txt` : `src/${id}.txt`);
        const line = `task ${id} is ${kind === "Share" ? "done" : "open"}\n`;
        assert.ok(
          (await read(`shared/${id.split(".")[0] ?? ""}.txt`)).includes(line),
          `${id}, ${told}`,
        );
        const expected =
          kind === "Share"
            ? ""
            : kind === "Command"
              ? `made ${id}\n`
              : kind === "Hopeless"
                ? "half\n"
                : task?.status === "Completed"
                  ? `done ${id}\n`
                  : "";
        assert.equal(content, expected, `${id}, ${told}`);
      }
      const parked = [...nightTasks.keys()].filter((id) => ends.get(id)?.status === "Pending");
      const stuck = [...nightTasks.values()].filter((kind) => kind === "Stick");
      assert.equal(parked.length, Math.floor(stuck.length / 2), told);

      // Each task that is done is one commit; the others are those of what the hopeless ones left, and of undoing.
      const subjects = git("log", "--format=%s", "main..job/night").split("\n");
      const unfinished = subjects.filter((one) => one.startsWith("Unfinished: "));
      const undone = subjects.filter((one) => one.startsWith("Undo "));
      assert.deepEqual(
        undone.map((one) => one.replace(/^Undo |\. Write$/g, "")).toSorted(),
        person.undone.toSorted(),
        told,
      );
      assert.equal(person.undone.length, undos, told);
      const commits = new Map<string, number>();
      for (const subject of subjects) {
        if (unfinished.includes(subject)) continue;
        const back = subject.startsWith("Undo ");
        const id = subject.replace(/^Undo /, "").replace(/\. .*/, "");
        commits.set(id, (commits.get(id) ?? 0) + (back ? -1 : 1));
      }
      assert.deepEqual([...commits.keys()].toSorted(), done.toSorted(), told);
      await findsNo("twice", () => {
        assert.deepEqual(
          [...commits].filter(([, count]) => count !== 1),
          [],
          told,
        );
      });
      await noneLocked(root);
      const hopeless = [...nightTasks].filter(([, kind]) => kind === "Hopeless");
      assert.equal(unfinished.length, hopeless.length, told);

      // What is not committed is the person's, and nothing else.
      assert.deepEqual(
        git("status", "--porcelain")
          .split("\n")
          .map((line) => line.trim()),
        ["M notes.md", "M shared/2.txt"],
        told,
      );
      const mine = git("diff", "-U0", "HEAD")
        .split("\n")
        .filter((line) => /^[+-](?![+-])/.test(line));
      assert.deepEqual(mine, ["+mine", "+mine"], told);

      // One task's commit can be reverted by itself, and all of them together.
      git("stash", "--quiet");
      const night = git("rev-parse", "HEAD");
      for (const id of [done[random(done.length)] ?? "", done[random(done.length)] ?? ""]) {
        const commit = git(
          "log",
          "-1",
          "--format=%H",
          `--grep=^Task: ${id}\\. `,
          "--extended-regexp",
        );
        const files = git("show", "--name-only", "--format=", commit);
        git("revert", "--no-edit", commit);
        assert.equal(git("diff", "--name-only", night), files, told);
        assert.match(
          git("diff", night),
          new RegExp(`^-(done|made) ${id}|^-task ${id} is done`.replaceAll(".", "\\."), "m"),
        );
        git("reset", "--quiet", "--hard", night);
      }
      git("revert", "--no-edit", "main..job/night");
      assert.equal(git("diff", "--stat", "main"), "", told);
      // How many changes are told of before all is done differs with the machine.
      assert.ok(killed > kills / 2, told);
      const entries = job.log.entries.length;
      const minutes = Math.round(((Date.now() - began) * speed) / 60_000);
      say(
        `${nightTasks.size} tasks, six runners, ${killed} kills in ${lives} processes, ${entries} entries, ${subjects.length} commits, ${person.answered} answers, ${person.undone.length} undone by hand, ${minutes} minutes of the night's clock, ${((Date.now() - began) / 1000).toFixed(1)} s`,
      );
    });
  });

  /** Returns whether nothing is left that a runner could do. */
  async function isOver(): Promise<boolean> {
    const { log, file } = await jobNow();
    const open = new Set(
      file.clarifications.filter(({ answer }) => answer === undefined).map(({ id }) => id),
    );
    if (log.tasks.length === 0 || file.clarifications.some(({ answer }) => answer !== undefined))
      return false;
    return log.tasks.every(
      ({ status, fields }) =>
        status === "Completed" ||
        status === "Cancelled" ||
        (status === "Pending" && open.has(fields.get("waits for")?.value ?? "")),
    );
  }
});
