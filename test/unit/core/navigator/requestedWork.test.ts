import assert from "node:assert/strict";
import { newJobFile } from "../../../../src/core/jobs/documents/jobFolder.js";
import { takeableJob } from "../../../../src/core/jobs/documents/takenOver.js";
import { outerLoop } from "../../../../src/core/jobs/work/outerLoop.js";
import type { Navigator } from "../../../../src/core/navigator/navigator.js";
import type { WorkServices } from "../../../../src/core/navigator/requests/workServices.js";
import { RunLayout } from "../../../../src/core/runs/documents/runLayout.js";
import { RunStore } from "../../../../src/core/runs/documents/runStore.js";
import { carryOutRunAction } from "../../../../src/core/runs/runAction.js";
import { isTakenOver } from "../../../../src/core/work/takenOver.js";
import { adds, plans } from "../../../fakes/jobStage.js";
import { endsAtChange, MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { calls, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";
import { runReply } from "../../../fakes/runPlays.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";

const never = new AbortController().signal;
const isRequestFile = (path: string) => path.endsWith(".request");

/** Plays the agents of runs and of the job, whatever was said before. */
const plays: ModelScript = ({ forcedTool, messages }) => {
  if (forcedTool === "judge_request") return calls("judge_request", { is_single_command: true });
  const [system = "", told = ""] = messages.map(({ content }) => content);
  const results = messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
  if (system.includes("PLANNER")) return plans([adds("1. Pack")]);
  if (!system.includes("Helper") && !told.includes("List the files")) {
    return runReply(told, results);
  }
  // A write that was cut off is not known to have happened.
  return results.every((result) => !result.includes("list.txt"))
    ? calls("write_file", { path: "list.txt", content: "a.txt\n" })
    : calls("attempt_completion", { status: "SUCCESS", message: "It is in list.txt." });
};

type JobService = NonNullable<WorkServices["job"]>;
type RunService = NonNullable<WorkServices["run"]>;

/** A process over these files, with runs and jobs as the command line has them. */
class Process {
  readonly stage: NavigatorStage;

  constructor(readonly files: MemoryFileSystem) {
    this.stage = new NavigatorStage(plays, {
      files,
      works: {
        run: { begin: (...given) => this.start(...given) },
        job: {
          create: (job) => newJobFile(files, new PlainSigner(), { ...job, dirs: [] }),
          begin: (...given) => this.run(...given),
        },
      },
    });
  }

  get store(): RunStore {
    return new RunStore(this.files, this.stage.lock, new RunLayout(""));
  }

  start: RunService["begin"] = async ({ run: { request, isSimple } }, signal, _, begun) => {
    const { experts, publisher } = this.stage.dependencies;
    const { files, lock } = this.stage;
    const services = { files, lock, experts, publisher, say: () => undefined };
    const action = { type: "start", request, isSimple } as const;
    const end = await carryOutRunAction(action, this.store, services, signal, begun);
    return { status: end.status === "done" ? "done" : "waiting" };
  };

  run: JobService["begin"] = async ({ job: { name, most } }, signal, _, begun) => {
    const { experts, publisher } = this.stage.dependencies;
    const { files, lock } = this.stage;
    const end = await outerLoop(
      {
        name,
        most,
        startedBy: "person",
        runners: 1,
        quota: 10,
        onRecorded: async () => begun?.end(),
      },
      { files, lock, experts, publisher },
      signal,
    );
    return { status: end.code === 0 ? "done" : "waiting" };
  };

  /** Does what a command does: writes it down, does it, and ends it. */
  async command(given: Parameters<Navigator["accept"]>[0]): Promise<void> {
    const begun = await this.stage.navigator.accept(given);
    try {
      if (given.kind === "run") await this.start(given, never, undefined, begun);
      if (given.kind === "job") await this.run(given, never, undefined, begun);
    } finally {
      await begun?.end();
    }
  }

  /** Returns the id of the request that is shown as interrupted, if there is one. */
  async left(): Promise<string | undefined> {
    await this.stage.navigator.recover(() => false);
    const { tasks } = await this.stage.navigator.overview();
    assert.ok(tasks.length <= 1);
    return tasks[0]?.taskId;
  }
}

/** Carries out a command in a process that ends at each change of a file, and looks at what the next one finds. */
async function atEachEnd(
  files: Readonly<Record<string, string>>,
  given: Parameters<Navigator["accept"]>[0],
  check: (next: Process, left: string | undefined, at: string) => Promise<void>,
): Promise<void> {
  let isOver = false;
  for (let nth = 1; !isOver; nth++) {
    const disk = new MemoryFileSystem(files);
    disk.beforeOperation = endsAtChange(nth);
    isOver = await new Process(disk).command(given).then(
      () => true,
      () => false,
    );
    delete disk.beforeOperation;
    const at = `ended at change ${nth}, with ${disk.paths.join(", ")}`;
    const next = new Process(disk);
    const left = await next.left();
    if (nth === 1) assert.equal(left, undefined, at);
    else await check(next, left, at);
    assert.equal(disk.paths.some(isRequestFile), false, at);
  }
}

describe("a command whose process ends", () => {
  it("is in the list until its run is, and starts one run when it goes on", async () => {
    const request = "Write a report about bees";
    const given = { kind: "run", run: { request, isSimple: false } } as const;
    await atEachEnd({}, given, async ({ stage, store }, left, at) => {
      const before = await store.rows("process_runs");
      assert.ok(left !== undefined || before.length === 1, at);
      if (left !== undefined) await stage.navigator.resume(left);
      const rows = await store.rows("process_runs");
      assert.deepEqual(
        rows.map((row) => row.user_request),
        [request],
        at,
      );
    });
  });

  it("is in the list until it is done, if it has no run, and goes on where it was", async () => {
    const request = "List the files";
    let resumed = 0;
    await atEachEnd({}, { kind: "run", run: { request } }, async ({ stage, files }, left, at) => {
      if (left !== undefined) {
        resumed++;
        await stage.navigator.resume(left);
      }
      const sessions = files.paths.filter((path) => /SIMPLE.*transcript\.jsonl$/.test(path));
      assert.equal(sessions.length, 1, at);
      assert.equal(files.text("list.txt"), "a.txt\n", at);
      assert.deepEqual(await stage.dependencies.requests.interrupted(stage.dependencies.store), {
        left: [],
        begun: [],
      });
    });
    assert.ok(resumed > 5, String(resumed));
  });

  it("is in the list until the job's own records show that it runs", async () => {
    const files = { ".jixo/trip.job.md": "Plan a trip.\n" };
    const given = { kind: "job", job: { name: "trip", most: 1 } } as const;
    await atEachEnd(files, given, async (next, left, at) => {
      const isRecorded = next.files.paths.some(
        (path) => path.startsWith(".rooroo/jobs/trip/runners/") || path === ".jixo/trip.log.md",
      );
      assert.ok(left !== undefined || isRecorded, at);
      if (left === undefined) return;
      await next.stage.navigator.resume(left);
      const log = next.files.text(".jixo/trip.log.md") ?? "";
      assert.equal(log.match(/1\. Pack/g)?.length, 1, at);
    });
  });

  it("leaves a job that is the person's own when its file was all that was written", async () => {
    const create = "/job trip Plan a trip.";
    for (let nth = 1, isOver = false; !isOver; nth++) {
      const files = new MemoryFileSystem();
      files.beforeOperation = endsAtChange(nth);
      const { status } = await new Process(files).stage.navigator
        .say(create)
        .catch(() => ({ status: "failed" }));
      isOver = status === "done";
      delete files.beforeOperation;
      const next = new Process(files);
      const left = await next.left();
      if (left !== undefined) await next.stage.navigator.resume(left);
      const isWritten = files.text(".jixo/trip.job.md") !== undefined;
      const job = takeableJob({ stem: "trip", jobPath: ".jixo/trip.job.md" });
      const isOwn = await isTakenOver(job, { files, signer: new PlainSigner() });
      assert.deepEqual([isWritten, isOwn], nth === 1 ? [false, false] : [true, true], String(nth));
    }
  });
});
