import { UserError } from "../../errors.js";
import { agentUnit, type AgentUnit } from "./agentUnit.js";
import { wordsFor } from "./communicator.js";
import { executorCall } from "./executor.js";
import { failureEdits, failureText } from "./stepEdits.js";
import { nextStep } from "./nextStep.js";
import { plannerCall } from "./planner.js";
import { prepareRun } from "./prepareRun.js";
import { RunContext } from "./runContext.js";
import { type RunState, withEdits } from "../documents/runState.js";
import type { RunStore } from "../documents/runStore.js";
import { runUnitId } from "./runUnit.js";
import type { RunServices } from "./runServices.js";
import type { SessionEnd } from "../../work/agentSession.js";
import { type Stopped, stopWork, untilStopped } from "../../work/stop.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import type { Clock, Ids } from "../../ports/system.js";
import { type PlanTarget, type Step, targetText, type Work } from "./step.js";
import type { IgnoreTest } from "../../access/ignoredFiles.js";
import { ignoredPlaces } from "../../access/ignoredFiles.js";
import type { RunLayout } from "../documents/runLayout.js";
import type { RunId } from "../../ids.js";

export interface RunEnd {
  /**
   * `waiting`: the run awaits the user's confirmation; `elsewhere`: another process runs it; `stopped`: it
   * can be resumed once the reason is dealt with.
   */
  readonly status: "done" | "failed" | "waiting" | "elsewhere" | "stopped";
  readonly reason: string;
}

/**
 * Resumes a run until it is over, awaits confirmation, or cannot continue. Repeatedly finds the next step,
 * writes its edits, carries it out, and writes the result (R-MV-2). If the process is killed at any point,
 * the next one resumes from what is written.
 */
export async function driveRun(
  runId: RunId,
  store: RunStore,
  world: RunServices,
  signal: AbortSignal,
): Promise<RunEnd> {
  const own = await world.lock.tryHold(runLock(runId));
  if ("holder" in own) {
    return { status: "elsewhere", reason: `${runId} is running in ${own.holder.label}.` };
  }
  const { held } = own;
  const { files } = store;
  const { clock } = world.experts;
  try {
    return await untilStopped(runLock(runId), { files, clock }, signal, (stopping) =>
      takeSteps(runId, store, world, () => held.check(), stopping),
    );
  } finally {
    await held.release();
  }
}

/**
 * Takes one step after the other until the run can go no further.
 *
 * @param guard rejects if this process may not write any more
 */
async function takeSteps(
  runId: RunId,
  store: RunStore,
  world: RunServices,
  guard: () => Promise<void>,
  signal: AbortSignal,
): Promise<RunEnd> {
  try {
    for (;;) {
      if (signal.aborted) return { status: "stopped", reason: "Stopped." };
      const { state, problem } = await store.read(runId);
      if (problem !== undefined) return { status: "stopped", reason: toFix(problem) };
      const { edits, step } = nextStep(state);
      await guard();
      await store.write(runId, edits);
      const now = withEdits(state, edits);
      const end = await new StepRunner(now, store, world, guard, signal).take(step);
      if (end !== undefined) return end;
    }
  } catch (error) {
    if (!(error instanceof UserError) || signal.aborted) throw error;
    return { status: "stopped", reason: toFix(error.message) };
  }
}

/**
 * Orders a run to stop, in whichever process drives it, and waits up to 30 seconds for it to end.
 *
 * @param endsHere resolves when the run has ended that this process drives
 * @returns 1 or 0 in `found` and `left`: whether it was driven, and whether it still is
 */
export function stopRun(
  runId: RunId,
  world: { files: FileSystem; lock: Lock; clock: Clock; ids: Ids },
  endsHere?: Promise<unknown>,
): Promise<Stopped> {
  const name = runLock(runId);
  const atWork = async () => ((await world.lock.holder(name)) === undefined ? 0 : 1);
  return stopWork(name, atWork, world, endsHere);
}

/** Returns the name of the lock that is held while a run is driven, and by which it is ordered to stop. */
export function runLock(runId: RunId): string {
  return `run-${runId.replace(/[^\w-]/g, "_")}`;
}

const toFix = (problem: string): string => `${problem} Fix it, then resume the run.`;

/** Carries out one step of a run. */
class StepRunner {
  readonly #context: RunContext;

  constructor(
    private readonly state: RunState,
    private readonly store: RunStore,
    private readonly world: RunServices,
    private readonly guard: () => Promise<void>,
    private readonly signal: AbortSignal,
  ) {
    const hasWebSearch = world.experts.webSearch?.() !== undefined;
    this.#context = new RunContext(store, state, hasWebSearch);
  }

  /** Returns the end of the run's progress, or `undefined` if the next step can follow. */
  async take(step: Step): Promise<RunEnd | undefined> {
    const { runId } = this.state;
    switch (step.type) {
      case "prepare":
        await prepareRun(step.task, runId, this.store);
        return undefined;
      case "plan":
        return this.#plan(step.target, step);
      case "execute":
        return this.#execute(step.work, step);
      case "await":
        return this.#ask();
      case "report":
        return this.#report(step.outcome);
      case "over":
        return over(step.outcome, runId);
      case "unclear":
        return { status: "stopped", reason: toFix(step.reason) };
    }
  }

  async #plan(target: PlanTarget, step: Step): Promise<RunEnd | undefined> {
    const { runId } = this.state;
    const call = await plannerCall(target, this.state, this.#context, this.store.layout);
    const round = target.type === "proposal" ? `-${await this.#round()}` : "";
    const taskId = this.#unitId(`plan-${targetText(target).replace(":", "-")}${round}`);
    const end = await this.#call({ ...call.unit, taskId });
    if (end.type === "interrupted") return { status: "stopped", reason: end.reason };
    const planned = call.planned(end.args);
    if ("errorLog" in planned) {
      await this.#fail(step, call.unit.objective, planned.errorLog);
    } else if (planned.proposal !== undefined) {
      await this.#propose(planned.proposal);
    } else await this.store.write(runId, planned.edits);
    await end.confirm();
    return undefined;
  }

  async #execute(work: Work, step: Step): Promise<RunEnd | undefined> {
    const { files, layout } = this.store;
    const call = await executorCall(work, this.state, this.#context, files, layout);
    const [id, purpose] =
      work.type === "tool"
        ? [work.tool.tool_task_id, work.tool.tool_task_purpose]
        : [work.task.task_id, work.task.task_purpose];
    const end = await this.#call({ ...call.unit, taskId: this.#unitId(id) });
    if (end.type === "interrupted") return { status: "stopped", reason: end.reason };
    const done = await call.done(end.args);
    if ("errorLog" in done) await this.#fail(step, purpose, done.errorLog);
    else await this.store.write(this.state.runId, done.edits);
    await end.confirm();
    return undefined;
  }

  async #call(unit: Omit<AgentUnit, "request">): Promise<SessionEnd> {
    const request = this.#context.run.user_request;
    const known = await this.#context.known();
    const ignores = otherRunsHidden(this.state.runId, known, this.store.layout);
    const end = await agentUnit({ ...unit, request, ignores }, this.guard, this.world, this.signal);
    // If this process was suspended and lost the lock to another one, the result must not be written.
    await this.guard();
    return end;
  }

  /**
   * Sets the status before the document is written: in the other order it would count as confirmed (R-MV-10).
   */
  async #propose(text: string): Promise<void> {
    const { runId } = this.state;
    const path = this.store.layout.proposal(runId);
    const values = { status: "AWAITING_CONFIRMATION" };
    await this.store.write(runId, [
      { table: "process_runs", edit: { type: "set", id: runId, values } },
    ]);
    await this.store.files.createFile(path, text);
  }

  /** Asks the user to confirm the proposal, also when they are reminded of it. */
  async #ask(): Promise<RunEnd> {
    const { runId } = this.state;
    const path = this.store.layout.proposal(runId);
    const reason = `${runId} is awaiting your confirmation of ${path}.`;
    const text = await this.store.text(path);
    const said = await wordsFor(
      {
        taskId: this.#unitId(`ask-${await this.#round()}`),
        request: this.#context.run.user_request,
        mode: "AWAITING_CONFIRMATION",
        needed: [runId, path],
        facts: { [path]: text },
        otherwise: `${reason} Confirm it, say what is to change, or cancel.`,
      },
      this.guard,
      this.world,
      this.signal,
    );
    if (said !== undefined) this.world.say(`${said}\n\n${text}`);
    return { status: "waiting", reason };
  }

  /** Writes what failed and why before the status, so that the reason is never lost (R-MV-25). */
  async #fail(step: Step, purpose: string, errorLog: string): Promise<void> {
    const { runId } = this.state;
    const text = failureText(this.state, step, purpose, errorLog);
    await this.store.files.createFile(this.store.layout.failure(runId), text);
    await this.guard();
    await this.store.write(runId, failureEdits(this.state, step));
  }

  /** Tells the user how the run ended, and keeps the report (R-MV-26, R-MV-28). */
  async #report(outcome: "COMPLETED" | "FAILED"): Promise<RunEnd | undefined> {
    const { layout, files } = this.store;
    const { runId } = this.state;
    const outputs = `${layout.outputs(runId)}/`;
    const failure = await this.store.text(layout.failure(runId));
    const isDone = outcome === "COMPLETED";
    const said = await wordsFor(
      {
        taskId: this.#unitId("report"),
        request: this.#context.run.user_request,
        mode: isDone ? "REPORT_COMPLETION" : "REPORT_FAILURE",
        needed: isDone ? ["[Job Completed]", runId, outputs] : [runId],
        facts: isDone ? { output_location: outputs } : { "the failure": failure },
        otherwise: isDone
          ? `[Job Completed] ${runId} is complete. Its outputs are in ${outputs}`
          : `${runId} has failed.\n\n${failure}`,
      },
      this.guard,
      this.world,
      this.signal,
    );
    if (said === undefined) return { status: "stopped", reason: "Stopped." };
    await files.createFile(layout.report(runId), `${said.trimEnd()}\n`);
    this.world.say(said);
    return undefined;
  }

  /** Returns the number of the present proposal, 1-based. */
  async #round(): Promise<number> {
    return (await this.store.earlierProposals(this.state.runId)).length + 1;
  }

  #unitId(unit: string): string {
    return runUnitId(this.state.runId, unit);
  }
}

function over(outcome: "COMPLETED" | "FAILED", runId: RunId): RunEnd {
  return outcome === "COMPLETED"
    ? { status: "done", reason: `${runId} is complete.` }
    : { status: "failed", reason: `${runId} has failed.` };
}

/**
 * Returns a test that hides other runs from the agents of one run (R-MV-35): their folders, outputs, and
 * agent sessions.
 *
 * @param known paths that stay readable
 */
function otherRunsHidden(runId: RunId, known: readonly string[], layout: RunLayout): IgnoreTest {
  const tasks = ".rooroo/tasks";
  return ignoredPlaces(
    {
      all: [layout.in("runs/"), layout.in("outputs/"), `${tasks}/ROO#RUN_`],
      own: [
        `${layout.run(runId)}/`,
        `${layout.outputs(runId)}/`,
        `${tasks}/${runUnitId(runId, "")}`,
      ],
      open: known,
    },
    "of another run, and not in the catalog",
  );
}
