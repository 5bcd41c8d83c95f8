import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { readTemporaryName } from "../../src/core/access/temporaryName.js";
import { readJobLog } from "../../src/core/jobs/documents/jobLog.js";
import { logProblems } from "../../src/core/jobs/documents/logProblems.js";
import { FaultyProxy, gatewayFaults } from "../fakes/faultyProxy.js";
import { HttpModel, type HttpModelRequest } from "../fakes/httpModel.js";
import { adds, does, judges, plans } from "../fakes/jobStage.js";
import { calls } from "../fakes/navigatorWorld.js";
import type { ScriptedResponse } from "../fakes/scriptedModel.js";
import { say } from "./say.js";
import type { Soaked } from "./soakWorker.js";
import { useMemoryFolder } from "./useMemoryFolder.js";

/** The minutes in which jobs are begun; unless they are given, two jobs are done. */
const minutes = Number(process.env["ROOROO_TEST_SOAK_MINUTES"] ?? 0);
const fewest = 2;
const tasks = Array.from({ length: 12 }, (_, index) => `${index + 1}`);
/** How many times as fast as the real clock the jobs' is. */
const speed = minutes > 0 ? 60 : 600;
/** After so many jobs most code that runs often has been compiled, which takes memory. */
const compiledAfter = 100;
/**
 * Mebibytes by which the heap may grow from then, or from the middle, to the end: for code that is compiled late, which is more
 * where there were fewer jobs, and for each job.
 */
const [mostLate, mostEarly, mostOfJob] = [1, 3, 1 / 256];
const program = fileURLToPath(new URL("soakWorker.js", import.meta.url));

/** Plans twelve tasks, and has each write a file, then change it: done twice, the change would be seen twice. */
function answer({ messages, results, responseFormat, tools }: HttpModelRequest): ScriptedResponse {
  const told = messages[1]?.content ?? "";
  if (tools.includes("judge_plan") || responseFormat !== undefined) return judges(true);
  const [, job = "", id] = /Your objective: Task \d+\. Task (\w+)-(\d+)/.exec(told) ?? [];
  if (id === undefined) {
    const [, name = ""] = /Do the job (\w+)\./.exec(told) ?? [];
    return told.includes("Create the plan")
      ? plans([adds(...tasks.map((task) => `${task}. Task ${name}-${task}`))])
      : plans([]);
  }
  const path = `src/${job}/${id}.txt`;
  const last = results.at(-1);
  switch (last?.name) {
    case undefined:
      return calls("write_to_file", { path, content: "begun\n" });
    case "write_to_file":
    case "read_file":
      return calls("edit_file", { path, old_text: "begun", new_text: "begun, and done" });
    default:
      return does();
  }
}

describe("jobs whose server spoils every fifth answer, in every way that gateways do", function () {
  // No verdict depends on how fast the machine is.
  this.timeout(7_200_000);
  useMemoryFolder();
  let root = "";
  let child: ChildProcess | undefined;
  let server: HttpModel | undefined;
  let proxy: FaultyProxy | undefined;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "rooroo-soak-"));
    await mkdir(join(root, ".jixo"));
    server = await HttpModel.start(answer);
    // A server that has not answered a job yet, and sends a web page, may have another address.
    const isFirst = (request: string) => request.includes("Your objective: Create the plan");
    proxy = await FaultyProxy.start(server.url, gatewayFaults, isFirst);
  });
  afterEach(async () => {
    child?.kill("SIGKILL");
    await proxy?.stop();
    await server?.stop();
    await rm(root, { recursive: true, force: true });
  });

  it("end with every task done once, and leave no memory, no open file and no temporary file behind", async () => {
    const own = ["--expose-gc", program, root, proxy?.url ?? "", String(speed)];
    const running = spawn(process.execPath, own, { stdio: ["pipe", "pipe", "inherit"] });
    child = running;
    const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
    const seen: Soaked[] = [];
    const began = Date.now();
    while (seen.length < fewest || Date.now() - began < minutes * 60_000) {
      const name = `job${seen.length + 1}`;
      await writeFile(join(root, ".jixo", `${name}.job.md`), `Do the job ${name}.\n`);
      running.stdin.write(`${name}\n`);
      const next = (await lines.next()) as IteratorResult<string, undefined>;
      assert.ok(next.value !== undefined, "the process has ended");
      const soaked = JSON.parse(next.value) as Soaked;
      seen.push(soaked);
      const log = await readFile(join(root, ".jixo", `${name}.log.md`), "utf8");
      assert.equal(soaked.code, 0, `${soaked.reason}\n${log}`);
      assert.deepEqual(logProblems(readJobLog(log)), []);
      for (const id of tasks) {
        const text = await readFile(join(root, "src", name, `${id}.txt`), "utf8");
        assert.equal(text, "begun, and done\n", `${name}, task ${id}`);
      }
    }
    running.stdin.end();
    assert.deepEqual(await leftovers(root), []);
    assert.deepEqual([...(proxy?.told ?? [])].sort(), [...gatewayFaults].sort());
    const half = Math.floor(seen.length / 2);
    const [first, middle, last] = [seen[0], seen[half], seen.at(-1)];
    const figures = (of: (one: Soaked) => number) =>
      [first, middle, last].map((one) => one && of(one).toFixed(1)).join(", ");
    say(
      `${seen.length} jobs of ${tasks.length} tasks, ${proxy?.requests ?? 0} requests; at the beginning, in the middle and at the end ` +
        `${figures(({ heap }) => heap)} MiB of the heap, ${figures(({ rss }) => rss)} MiB in all, ${[first, middle, last].map((one) => one?.handles).join(", ")} open files`,
    );
    const handles = seen.map((one) => one.handles);
    assert.ok(Math.max(...handles) <= (handles[0] ?? 0) + 20, handles.join(", "));
    const isCompiled = seen.length > compiledAfter;
    const from = isCompiled ? Math.max(half, compiledAfter) : half;
    const grown = (last?.heap ?? 0) - (seen[from]?.heap ?? 0);
    const most = (isCompiled ? mostLate : mostEarly) + mostOfJob * (seen.length - from);
    assert.ok(grown <= most, `the heap has grown by ${grown} MiB since job ${from}`);
  });
});

async function leftovers(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => readTemporaryName(basename(name)) !== undefined);
}
