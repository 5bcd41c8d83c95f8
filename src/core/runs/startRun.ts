import * as z from "zod";
import { forcedAnswer } from "../agent/replies/forcedAnswer.js";
import { UserError } from "../errors.js";
import { withOrWithoutTools } from "../experts/withOrWithoutTools.js";
import { tagged } from "../text/tagged.js";
import { spoken } from "../text/words.js";
import type { Beginning } from "../work/requestedWork.js";
import { takeOver } from "../work/takenOver.js";
import type { RunStore } from "./documents/runStore.js";
import type { RunRow } from "./documents/runTables.js";
import { takeableRun } from "./documents/takenOver.js";
import { agentUnit } from "./work/agentUnit.js";
import { commandEnding, readCommand } from "./work/runReports.js";
import type { RunServices } from "./work/runServices.js";
import { runUnitId } from "./work/runUnit.js";

/** The kind of a request, which decides how it is handled (R-MV-3). */
export type RunMode = "SIMPLE_TASK" | "INITIAL_RUN" | "CONTINUOUS_RUN";

const judgeTool = {
  kind: "completion" as const,
  name: "judge_request",
  description: "Say whether the request is a single command.",
  parameters: z.object({ is_single_command: z.boolean() }),
};

const judgeSystem = `You judge whether a request is one command that is done at once, such as a translation of a sentence or a list of files. Call judge_request once. Work that needs investigation or planning, or has parts, is not; if in doubt, it is not. Judge the request in <request>; do not carry it out.`;

/**
 * Decides how a request is handled. Unless the user says it, a model judges whether the request is a single
 * command; the rest is decided by code.
 *
 * @param isSimple what the user says; `undefined`: a model judges
 * @throws {UserError} if the request is empty
 */
export async function modeOf(
  request: string,
  isSimple: boolean | undefined,
  store: RunStore,
  { experts }: RunServices,
  signal: AbortSignal,
): Promise<RunMode> {
  if (request.trim() === "") throw new UserError("runRequestEmpty", "Say what the run is for.");
  const isCommand = isSimple ?? (await isSingleCommand(request, experts, signal));
  if (isCommand) return "SIMPLE_TASK";
  const known = await store.rows("process_runs");
  return known.length === 0 ? "INITIAL_RUN" : "CONTINUOUS_RUN";
}

async function isSingleCommand(
  request: string,
  experts: RunServices["experts"],
  signal: AbortSignal,
): Promise<boolean> {
  const own = experts.modelFor?.("rooroo-run-planner") ?? experts.model;
  const user = tagged("request", request);
  const asked = await withOrWithoutTools(
    "rooroo-run-planner",
    own,
    experts,
    (without) => forcedAnswer(judgeTool, { system: judgeSystem, user }, own, signal, without),
    () => undefined,
  );
  return asked.ok && asked.answer.is_single_command;
}

/**
 * Records a new run of the person, and returns its id (R-MV-5).
 *
 * @param begun the request as it was written down; ended when the run is
 */
export async function newRun(
  request: string,
  store: RunStore,
  { files, clock, signer }: Pick<RunServices["experts"], "files" | "clock" | "signer">,
  begun?: Beginning,
): Promise<string> {
  const stamp = stampOf(clock.now());
  const start = `run-${stamp.slice(0, 8)}-${stamp.slice(8)}`;
  const became = begun?.became;
  for (let number = 1; ; number++) {
    const id = became ?? `${start}-${String(number).padStart(3, "0")}`;
    const isTaken = (rows: readonly RunRow<"process_runs">[]) =>
      rows.some(({ run_id }) => run_id === id);
    if (became === undefined && isTaken(await store.rows("process_runs"))) continue;
    await begun?.becomes(id);
    await takeOver(takeableRun(id, store.layout), { files, signer });
    const row = { isOwn: true };
    await store.change("process_runs", "", ({ rows }) => {
      // Another process may have taken the id just now.
      const isThere = isTaken(rows.map(({ values }) => values));
      row.isOwn = !isThere || became !== undefined;
      const values = { run_id: id, user_request: request, status: "PENDING" };
      return isThere ? [] : [{ type: "add", values }];
    });
    if (!row.isOwn) continue;
    await begun?.end();
    return id;
  }
}

function stampOf(time: Date): string {
  return time.toISOString().replace(/\D/g, "").slice(0, 14);
}

/**
 * Does a single command without a run, and returns its result (R-MV-4). Its events belong to a run that has
 * no tables.
 *
 * @param begun the request as it was written down: where it was interrupted, its session goes on
 */
export async function simpleTask(
  request: string,
  store: RunStore,
  services: RunServices,
  signal: AbortSignal,
  begun?: Beginning,
): Promise<{ readonly status: "done" | "failed" | "stopped"; readonly message: string }> {
  const { clock, ids } = services.experts;
  const stamp = stampOf(clock.now());
  const taskId = begun?.became ?? runUnitId(stamp, `SIMPLE-${ids.hex(6)}`);
  await begun?.becomes(taskId);
  const kept = ["runs", "outputs", "db", "assets", "guidelines"].map((name) =>
    store.layout.in(name).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
  );
  const ofRuns = new RegExp(`^(?:${kept.join("|")})(?:/|$)`, "i");
  const end = await agentUnit(
    {
      taskId,
      role: "Helper",
      objective: request,
      request,
      message: tagged("request", request),
      ending: commandEnding,
      writes: {
        fits: (path) => !ofRuns.test(path),
        description: "project files, but nothing of the runs",
      },
      inEnvelopes: '{"status": "SUCCESS", "message": "…"}',
      accept: () => Promise.resolve(undefined),
    },
    () => Promise.resolve(),
    { ...services, publisher: services.publisher.of({ kind: "run", name: `run-${stamp}` }) },
    signal,
  );
  if (end.type === "interrupted") return { status: "stopped", message: spoken(end.reason) };
  await end.confirm();
  const { status, message } = readCommand(end.args);
  return { status: status === "SUCCESS" ? "done" : "failed", message };
}
