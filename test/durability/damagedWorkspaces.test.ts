import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { formatQueueEntry } from "../../src/core/documents/queue.js";
import { messageOf, UserError } from "../../src/core/errors.js";
import { readJobs } from "../../src/core/jobs/documents/jobFolder.js";
import { jobOverview } from "../../src/core/jobs/facts/jobOverview.js";
import type { Overview } from "../../src/core/navigator/overview/overview.js";
import type { FileSystem } from "../../src/core/ports/files.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { MemoryFileSystem } from "../fakes/memoryFileSystem.js";
import { NavigatorStage } from "../fakes/navigatorWorld.js";
import { PlainSigner } from "../fakes/plainSigner.js";
import { asking, interrupted, ended, fresh, workspace } from "./damagedFiles.js";
import { overviewAt } from "./overviewAt.js";
import { say } from "./say.js";
import { useMemoryFolder } from "./useMemoryFolder.js";

/** A workspace in which the start has nothing to write, so that it changes no byte. */
const healthy: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(workspace).map(([path, text]) => [
      path,
      path.endsWith("queue.jsonl") ? text.split("\n").slice(1).join("\n") : text,
    ]),
  ),
  [`.rooroo/tasks/${ended}/plan-queued.json`]: '{"schema":1,"tasks":[]}\n',
  ".roomodes":
    "customModes:\n  - slug: docs\n    name: Docs\n    roleDefinition: You write.\n    groups: [read]\n",
  ".rooignore": "private/\n",
  "AGENTS.md": "Be careful.\n",
  ".jixo/trip.job.md": "---\nname: trip\n---\n\nPlan a trip.\n",
  ".jixo/trip.log.md":
    '---\ntitle: "Trip"\nprogress: "0%"\n---\n\n## Roadmap\n\n- [ ] 1. Book\n  - status: Pending\n\n## Work Log\n',
};

const paths = Object.keys(healthy);

/** What may have become of a file's text. */
const damages: Readonly<Record<string, (text: string) => string | Uint8Array>> = {
  empty: () => "",
  "cut in half": (text) => text.slice(0, text.length / 2),
  "without its last byte": (text) => text.slice(0, -1),
  twice: (text) => text + text,
  "with NULs": (text) => text.replaceAll(/[aeiou]/g, "\0"),
  "nothing but NULs": (text) => new Uint8Array(text.length),
  "no UTF-8": (text) => Buffer.from(text).map((byte, at) => (at % 3 === 0 ? byte | 0x80 : byte)),
  "UTF-16": (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  null: () => "null\n",
  "a list": () => "[]\n",
  "a text": () => '"text"\n',
  "an empty object": () => "{}\n",
  "with other types": (text) =>
    text.replaceAll(/"(?=[^"]*":)/g, '"').replaceAll(/: ?"[^"]*"/g, ": 7"),
  deep: () => "[".repeat(100_000),
  "deep objects": () => `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}\n`,
  huge: (text) => text + " ".repeat(5_100_000),
  "one endless line": () => "x".repeat(5_100_000),
  "of a newer version": (text) =>
    text.replaceAll('"schema":1', '"schema":99').replaceAll('"schema": 1', '"schema": 99'),
};

/** Files without which nobody can say how a task stands. */
const records = /\/(task|report|question|approval)\.json$/;

/** Damages that a record may survive, or that say only of some that they are there. */
const readable = new Set([
  "without its last byte",
  "no UTF-8",
  "with other types",
  "of a newer version",
]);

/** Ids that are no names of folders, and folders' names that are no ids. */
const strangeIds = [
  "..",
  "../../etc",
  "ROO#TASK_../../x",
  "ROO#TASK_a/b",
  "/etc/passwd",
  "ROO#TASK_\u0001\u001b[2J",
  "ROO#TASK_\u202Eexe",
  "ROO#TASK_\n",
  `ROO#TASK_${"A".repeat(5_000)}`,
  "",
  " ",
  "CON",
  "ROO#TASK_1\0",
  "__proto__",
  "constructor",
];

/** Those of them that are ids once the white space around them is gone. */
const usableIds: ReadonlySet<string> = new Set(["ROO#TASK_\n", "constructor"]);

let cases = 0;

/** Returns what lists and the start say of a workspace; nothing else may come of them than words. */
async function open(files: MemoryFileSystem): Promise<{ overview: Overview; told: string }> {
  cases++;
  const stage = new NavigatorStage(
    () => {
      throw new Error("nobody said anything");
    },
    { files },
  );
  const refused: string[] = [];
  await stage.navigator.recover(() => false).catch(inWords(refused));
  const overview = await stage.navigator.overview();
  const jobs = await readJobs(files);
  const none = { live: [], holders: new Set<string>(), isRun: false, isForeign: true };
  const listed = jobs.map((job) => jobOverview(job, none, stage.clock.now()));
  const told = JSON.stringify([overview, stage.notices, refused, listed]);
  return { overview, told };
}

function inWords(into: string[]): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof UserError)) throw error;
    into.push(messageOf(error));
  };
}

function bytesOf(files: MemoryFileSystem): Map<string, string> {
  return new Map(files.paths.map((path) => [path, files.text(path) ?? ""]));
}

/** Checks that the tasks that have nothing to do with a path are listed as they were. */
function checkOthers(overview: Overview, path: string, where: string): void {
  const states: readonly (readonly [string, string])[] = [
    [asking, "needsYou"],
    [interrupted, "queued"],
    [ended, "done"],
    [fresh, "queued"],
  ];
  for (const [taskId, state] of states) {
    const isQueue = path.endsWith("queue.jsonl") && state === "queued";
    if (isQueue || path.includes(taskId)) continue;
    const found = overview.tasks.find((task) => task.taskId === taskId);
    assert.equal(found?.state, state, `${taskId}: ${where}`);
  }
}

describe("a damaged workspace", () => {
  useMemoryFolder();

  it("is as good as whole when it is", async () => {
    const files = new MemoryFileSystem(healthy);
    const before = bytesOf(files);
    const { overview } = await open(files);
    checkOthers(overview, "", "healthy");
    assert.deepEqual(overview.problems, []);
    assert.deepEqual(overview.modeProblems, []);
    assert.deepEqual(bytesOf(files), before);
  });

  for (const [name, damage] of Object.entries(damages)) {
    it(`is listed, told of and left as it is, one file ${name}`, async () => {
      for (const path of paths) {
        const damaged = damage(healthy[path] ?? "");
        const files = new MemoryFileSystem({ ...healthy, [path]: damaged });
        const before = bytesOf(files);
        const { overview, told } = await open(files);
        const where = `${path} ${name}`;
        checkOthers(overview, path, where);
        const isTold = records.test(path) && !readable.has(name);
        if (isTold) assert.ok(told.includes(path), `nobody is told: ${where}`);
        assert.deepEqual(bytesOf(files), before, where);
      }
    });
  }

  it("names a record that is too long, and a job's file", async () => {
    for (const path of [`.rooroo/tasks/${ended}/report.json`, ".jixo/trip.job.md"]) {
      const text = (healthy[path] ?? "") + " ".repeat(5_100_000);
      const { told } = await open(new MemoryFileSystem({ ...healthy, [path]: text }));
      assert.ok(told.includes(`${path} is longer than 5.0 MB`), told.slice(0, 2_000));
    }
  });

  it("is listed with ids and folders that nobody can have made", async () => {
    for (const taskId of strangeIds) {
      const [line = ""] = [interrupted].map((id) =>
        formatQueueEntry({
          taskId: id,
          mode: "rooroo-developer",
          contextPath: "c.md",
          goal: "Go",
          parentTaskId: null,
          planId: null,
          autoProceed: true,
        }),
      );
      const strange = JSON.stringify({ ...(JSON.parse(line) as object), taskId });
      const queuePath = ".rooroo/queue.jsonl";
      const files = new MemoryFileSystem({
        ...healthy,
        [queuePath]: `${strange}\n${healthy[queuePath] ?? ""}`,
      });
      const before = bytesOf(files);
      const { overview } = await open(files);
      const expected = usableIds.has(taskId) ? 0 : 1;
      assert.equal(overview.problems.length, expected, JSON.stringify(taskId));
      checkOthers(overview, "", JSON.stringify(taskId));
      assert.deepEqual(bytesOf(files), before);
      if (!/^[^/\0]*[^/\0 .][^/\0]*$/.test(taskId)) continue;
      const record = healthy[`.rooroo/tasks/${ended}/task.json`] ?? "";
      const folders = { ...healthy, [`.rooroo/tasks/${taskId}/task.json`]: record };
      const withFolder = await open(new MemoryFileSystem(folders));
      checkOthers(withFolder.overview, "", JSON.stringify(taskId));
    }
  });

  /** What may stand in a file's place. */
  const stand: Readonly<Record<string, (at: string, secret: string) => Promise<unknown>>> = {
    "a folder": (at) => mkdir(at),
    "a pipe": (at) => promisify(execFile)("mkfifo", [at]),
    "a link to nothing": (at) => symlink("nowhere", at),
    "a link to itself": (at) => symlink(at, at),
    "a link to a secret": (at, secret) => symlink(secret, at),
    "a device": (at) => symlink("/dev/zero", at),
  };

  for (const [name, put] of Object.entries(stand)) {
    it(`is listed without waiting, ${name} in a file's place`, async () => {
      if (process.platform === "win32") return;
      for (const path of paths) {
        const folder = await mkdtemp(join(tmpdir(), "damaged-"));
        const at = (one: string) => join(folder, one);
        for (const [one, text] of Object.entries(healthy)) {
          await mkdir(dirname(at(one)), { recursive: true });
          if (one !== path) await writeFile(at(one), text);
        }
        await writeFile(at(".env"), "KEY=hunter22\n");
        await put(at(path), at(".env"));
        cases++;
        const where = `${path}: ${name}`;
        const overview = await overviewAt(folder, new PlainSigner());
        checkOthers(overview, path, where);
        const files: FileSystem = new DiskFileSystem(folder);
        const shown = JSON.stringify([overview, await readJobs(files)]);
        assert.ok(!shown.includes("hunter22"), where);
        for (const [one, text] of Object.entries(healthy)) {
          if (one !== path) assert.equal(await readFile(at(one), "utf8"), text, where);
        }
        const found = await readdir(folder, { recursive: true });
        assert.deepEqual(
          found.filter((one) => one.endsWith(".tmp")),
          [],
          where,
        );
        await rm(folder, { recursive: true });
      }
    });
  }

  after(() => {
    say(`${cases} damaged workspaces`);
    assert.ok(cases >= 300, `${cases}`);
  });
});
