import { type IgnoreTest, ignoredPlaces } from "../../access/ignoredFiles.js";
import { removeLeftovers } from "../../access/leftovers.js";
import { saidBy, UserError } from "../../errors.js";
import type { RunId, TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import type { Clock, Ids } from "../../ports/system.js";
import { type Said, spoken, type Words, words } from "../../text/words.js";
import { writtenLanguage } from "../../text/writtenLanguage.js";
import type { SessionEnd } from "../../work/agentSession.js";
import { type Stopped, stopWork, untilStopped } from "../../work/stop.js";
import type { RunLayout } from "../documents/runLayout.js";
import { type RunState, withEdits } from "../documents/runState.js";
import type { RunStore } from "../documents/runStore.js";
import type { RunRow } from "../documents/runTables.js";
import { agentUnit, type AgentUnit } from "./agentUnit.js";
import { tellFailure } from "./communicator.js";
import { executorCall } from "./executor.js";
import {
  failureEdits,
  failureText,
  skipEdits,
  skipHelperEdits,
  isAbout,
  isCancellation,
  leftOutNote,
  leftOutOf,
} from "./failure.js";
import { materialFound, materialOf, additionalMaterialNotice } from "./material.js";
import { nextStep } from "./nextStep.js";
import { noteInOutput } from "./noteInOutput.js";
import { plannerCall } from "./planner.js";
import { prepareRun } from "./prepareRun.js";
import { RunContext } from "./runContext.js";
import { runReport } from "./runReport.js";
import type { RunServices } from "./runServices.js";
import { runUnitId, unitsOf } from "./runUnit.js";
import { runUsage } from "./runUsage.js";
import { type PlanTarget, type Step, unitOfStep, type Work } from "./step.js";

export interface RunEnd {
  /**
   * `waiting`: the run awaits the user's confirmation; `elsewhere`: another process runs it; `stopped`: it
   * can be resumed once the reason is dealt with.
   */
  readonly status: "done" | "failed" | "waiting" | "elsewhere" | "stopped";
  readonly reason: Said;
  /** Whether a run that has failed can go on without what has. Absent: it cannot be tried again, either. */
  readonly canSkip?: boolean;
}

/**
 * Resumes a run until it is over, awaits confirmation, or cannot continue. Repeatedly finds the next step,
 * writes its edits, carries it out, and writes the result (R-MV-2). If the process is killed at any point,
 * the next one resumes from what is written.
 */
export async function driveRun(
  runId: RunId,
  store: RunStore,
  services: RunServices,
  signal: AbortSignal,
): Promise<RunEnd> {
  const own = await services.lock.tryHold(runLock(runId));
  if ("holder" in own) {
    return {
      status: "elsewhere",
      reason: words("{runId} is running in {holder}.", { runId, holder: own.holder.label }),
    };
  }
  const { held } = own;
  const { files } = store;
  const { clock } = services.experts;
  try {
    const { layout } = store;
    await removeLeftovers([layout.in("db"), layout.run(runId)], files, { below: true });
    return await untilStopped(runLock(runId), { files, clock }, signal, (stopping) =>
      takeSteps(runId, store, services, () => held.check(), stopping),
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
  services: RunServices,
  guard: () => Promise<void>,
  signal: AbortSignal,
): Promise<RunEnd> {
  try {
    const failures = await store.earlierFailures(runId);
    for (;;) {
      if (signal.aborted) return { status: "stopped", reason: words("Stopped.") };
      const { state, problem } = await store.read(runId);
      if (problem !== undefined) return { status: "stopped", reason: toFix(problem) };
      const { edits, step } = nextStep(state);
      await guard();
      await store.write(runId, edits);
      const now = withEdits(state, edits);
      const end = await new StepRunner(now, step, {
        store,
        services,
        guard,
        signal,
        failures,
      }).take();
      if (end !== undefined) return end;
    }
  } catch (error) {
    if (!(error instanceof UserError) || signal.aborted) throw error;
    return { status: "stopped", reason: toFix(saidBy(error)) };
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
  services: { files: FileSystem; lock: Lock; clock: Clock; ids: Ids },
  endsHere?: Promise<unknown>,
): Promise<Stopped> {
  const name = runLock(runId);
  const atWork = async () => ((await services.lock.holder(name)) === undefined ? 0 : 1);
  return stopWork(name, atWork, services, endsHere);
}

/** Returns the name of the lock that is held while a run is driven, and by which it is ordered to stop. */
export function runLock(runId: RunId): string {
  return `run-${runId.replace(/[^\w-]/g, "_")}`;
}

const toFix = (problem: Said): Words =>
  words("{problem} Fix it, then resume the run.", { problem });

/** The parameters that the steps of a run share. */
interface Drive {
  readonly store: RunStore;
  readonly services: RunServices;
  /** Rejects if this process may not write any more. */
  readonly guard: () => Promise<void>;
  readonly signal: AbortSignal;
  /** The reports of failures after which the user had the run go on, oldest first. */
  readonly failures: readonly string[];
}

/** Carries out one step of a run. */
class StepRunner {
  readonly #context: RunContext;

  constructor(
    private readonly state: RunState,
    private readonly step: Step,
    private readonly drive: Drive,
  ) {
    const { store, services, failures } = drive;
    const hasWebSearch = services.experts.webSearch?.() !== undefined;
    const failure = failures.at(-1) ?? "";
    const earlier = isAbout(failure, step) ? failure : "";
    this.#context = new RunContext(store, state, hasWebSearch, earlier);
  }

  /** Returns the end of the run's progress, or `undefined` if the next step can follow. */
  async take(): Promise<RunEnd | undefined> {
    const { step, drive } = this;
    const { runId } = this.state;
    switch (step.type) {
      case "prepare":
        await prepareRun(step.task, runId, drive.store);
        return undefined;
      case "plan":
        return this.#plan(step.target);
      case "execute":
        return this.#execute(step.work);
      case "await":
        return this.#ask();
      case "report":
        return this.#report(step.outcome);
      case "over":
        return over(step.outcome, this.state, drive.store);
      case "unclear":
        return { status: "stopped", reason: toFix(step.reason) };
    }
  }

  async #plan(target: PlanTarget): Promise<RunEnd | undefined> {
    const { store, services } = this.drive;
    const { runId } = this.state;
    if (target.type === "proposal") {
      const material = await materialOf(store.files, store.layout);
      services.publisher.notice("info", materialFound(material));
    }
    const call = await plannerCall(target, this.state, this.#context, store.layout);
    const round = target.type === "proposal" ? await this.#round() : 0;
    const taskId = this.#unitId(unitOfStep({ type: "plan", target }, round));
    const end = await this.#call({ ...call.unit, taskId });
    if (end.type === "interrupted") return { status: "stopped", reason: end.reason };
    const planned = call.planned(end.args);
    if ("errorLog" in planned) {
      await this.#fail(call.unit.objective, planned.errorLog);
    } else if (planned.proposal !== undefined) {
      await this.#propose(planned.proposal);
    } else await store.write(runId, planned.edits);
    await end.confirm();
    return undefined;
  }

  async #execute(work: Work): Promise<RunEnd | undefined> {
    const { store } = this.drive;
    const { files, layout } = store;
    const call = await executorCall(work, this.state, this.#context, files, layout);
    const purpose = work.type === "tool" ? work.tool.tool_task_purpose : work.task.task_purpose;
    const taskId = this.#unitId(unitOfStep({ type: "execute", work }, 0));
    const end = await this.#call({ ...call.unit, taskId });
    if (end.type === "interrupted") return { status: "stopped", reason: end.reason };
    const done = await call.done(end.args);
    if ("errorLog" in done) await this.#fail(purpose, done.errorLog);
    else {
      if (work.type === "task") await this.#noteLeftOut(work.task, this.state);
      await store.write(this.state.runId, done.edits);
    }
    await end.confirm();
    return undefined;
  }

  async #call(unit: Omit<AgentUnit, "request">): Promise<SessionEnd> {
    const { store, services, guard, signal } = this.drive;
    const request = this.#context.run.user_request;
    const known = await this.#context.known();
    const ignores = otherRunsHidden(this.state.runId, known, store.layout);
    const { runId } = this.state;
    await takeMessages(unit.taskId, runId, services);
    const end = await agentUnit({ ...unit, runId, request, ignores }, guard, services, signal);
    // If this process was suspended and lost the lock to another one, the result must not be written.
    await guard();
    return end;
  }

  /**
   * Sets the status before the document is written: in the other order it would count as confirmed (R-MV-10).
   */
  async #propose(text: string): Promise<void> {
    const { runId } = this.state;
    const { files, layout } = this.drive.store;
    const values = { status: "AWAITING_CONFIRMATION" };
    await this.drive.store.write(runId, [
      { table: "process_runs", edit: { type: "set", id: runId, values } },
    ]);
    await files.createFile(layout.proposal(runId), text);
  }

  /** Shows the user the proposal that they are asked to confirm, also when they are reminded of it. */
  async #ask(): Promise<RunEnd> {
    const { store, services } = this.drive;
    const { runId } = this.state;
    const path = store.layout.proposal(runId);
    const reason = words("{runId} is awaiting your confirmation of {path}.", { runId, path });
    const additional = additionalMaterialNotice(await materialOf(store.files, store.layout));
    services.say([...additional.map((one) => spoken(one)), await store.text(path)].join("\n\n"));
    return { status: "waiting", reason };
  }

  /**
   * Writes what failed and why before the status, so that the reason is never lost (R-MV-25). A helper that failed is
   * left out, and the run goes on.
   */
  async #fail(purpose: string, errorLog: string): Promise<void> {
    const { store, guard, failures } = this.drive;
    const { runId } = this.state;
    const without = skipHelperEdits(this.state, this.step, errorLog);
    if (without !== undefined) {
      const task = this.#helpedTask();
      if (task !== undefined) await this.#noteLeftOut(task, withEdits(this.state, without));
      await guard();
      return store.write(runId, without);
    }
    const text = failureText(this.state, this.step, purpose, errorLog, failures.length + 1);
    await store.files.createFile(store.layout.failure(runId), text);
    await guard();
    await store.write(runId, failureEdits(this.state, this.step));
  }

  /** Returns the task that this step's helper helps. */
  #helpedTask(): RunRow<"tasks"> | undefined {
    const { step } = this;
    if (step.type === "execute") return step.work.task;
    const id = step.type === "plan" && step.target.type === "tools" ? step.target.id : "";
    return this.state.rows.tasks.find(({ task_id }) => task_id === id);
  }

  /** Adds to a task's output, if it is there, what was left out of it. */
  async #noteLeftOut(task: RunRow<"tasks">, { rows }: RunState): Promise<void> {
    const language = writtenLanguage(this.#context.run.user_request);
    const notes = leftOutOf(task, rows).map((part) => leftOutNote(part, language));
    const taskId = this.#unitId(task.task_id);
    if (notes.length > 0) {
      await noteInOutput(task.output_path, notes, taskId, this.drive.store, this.drive.services);
    }
  }

  /** Tells the user how the run ended, and keeps the report (R-MV-26, R-MV-28). */
  async #report(outcome: "COMPLETED" | "FAILED"): Promise<RunEnd | undefined> {
    const { store, services, guard, signal } = this.drive;
    const { layout, files } = store;
    const { runId } = this.state;
    const outputs = `${layout.outputs(runId)}/`;
    if (outcome === "FAILED") await store.withdrawInstructions(runId);
    const opening =
      outcome === "COMPLETED"
        ? `[Job Completed] ${runId} is complete. Its outputs are in ${outputs}`
        : await tellFailure(
            {
              taskId: this.#unitId("report"),
              runId,
              request: this.#context.run.user_request,
              failure: await store.text(layout.failure(runId)),
            },
            guard,
            services,
            signal,
          );
    if (opening === undefined) return { status: "stopped", reason: words("Stopped.") };
    const { used, said } = await runUsage(runId, services.experts);
    const report = runReport(outcome, this.state, opening, outputs, said, used);
    await files.createFile(layout.report(runId), `${report}\n`);
    services.say(report);
    return undefined;
  }

  /** Returns the number of the present proposal, 1-based. */
  async #round(): Promise<number> {
    return (await this.drive.store.earlierProposals(this.state.runId)).length + 1;
  }

  /** Returns the id of a unit's session. */
  #unitId(unit: string): TaskId {
    return runUnitId(this.state.runId, unit, this.drive.failures.length);
  }
}

/** Takes the messages that the run's earlier agents were not told, for the session that is about to work. */
async function takeMessages(
  taskId: TaskId,
  runId: RunId,
  { files, experts: { messages } }: RunServices,
): Promise<void> {
  for (const earlier of await unitsOf(runId, files)) {
    if (earlier !== taskId) await messages.handOn(earlier, taskId);
  }
}

async function over(
  outcome: "COMPLETED" | "FAILED",
  state: RunState,
  store: RunStore,
): Promise<RunEnd> {
  const { runId } = state;
  if (outcome === "COMPLETED")
    return { status: "done", reason: words("{runId} is complete.", { runId }) };
  const failure = await store.text(store.layout.failure(runId));
  if (isCancellation(runId, failure))
    return { status: "failed", reason: words("{runId} was cancelled.", { runId }) };
  const canSkip = skipEdits(state, "") !== undefined;
  return { status: "failed", reason: words("{runId} has failed.", { runId }), canSkip };
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
