import type { DocumentProblem } from "../documents/documentProblem.js";
import { UserError } from "../errors.js";
import type { RunId, TaskId } from "../ids.js";
import type { Beginning } from "../work/requestedWork.js";
import { stoppedByUser, type Stopped } from "../work/stop.js";
import { takeOver } from "../work/takenOver.js";
import type { WorkKind } from "../work/work.js";
import { WorkRegistry } from "../work/workRegistry.js";
import { decideRun, type RunDecision } from "./decideRun.js";
import type { RunLayout } from "./documents/runLayout.js";
import { RunStore } from "./documents/runStore.js";
import { isId, readRunTable, type TableName } from "./documents/runTables.js";
import { tableProblems } from "./documents/tableProblems.js";
import { takeableRun, checkRunTakenOver } from "./documents/takenOver.js";
import { UnitRecords } from "./documents/unitRecords.js";
import { problemsOf, readRunOverview, type RunsOverview } from "./runOverview.js";
import { runWork } from "./runWork.js";
import { newRun } from "./startRun.js";
import { driveRun, type RunEnd, runLock, stopRun } from "./work/driveRun.js";
import type { RunServices } from "./work/runServices.js";

/** The number of runs in an overview, the newest ones. */
const mostRuns = 50;

export interface RunsDependencies extends Omit<RunServices, "say"> {
  /** Returns the present place of the runs. */
  layout(): Promise<RunLayout>;
  /** Shows a message of a run's Communicator to the user, in Markdown. */
  say(runId: RunId, text: string): void;
}

/** The runs that this process drives, and the user's actions on the runs of any process. */
export class Runs implements WorkKind {
  readonly #running = new WorkRegistry();
  readonly #records: UnitRecords;

  constructor(private readonly services: RunsDependencies) {
    this.#records = new UnitRecords(services.files, services.experts.signer);
  }

  isHere(runId: RunId): boolean {
    return this.#running.has(runId);
  }

  layout(): Promise<RunLayout> {
    return this.services.layout();
  }

  /**
   * Records a new run, and returns its id.
   *
   * @param begun the request as it was written down; ended when the run is
   * @throws {UserError} if the request is empty
   */
  async start(request: string, begun?: Beginning): Promise<string> {
    if (request.trim() === "") throw new UserError("runRequestEmpty", "Say what the run is for.");
    return newRun(request.trim(), await this.#store(), this.services.experts, begun);
  }

  async takeOver(runId: RunId): Promise<void> {
    await takeOver(takeableRun(runId, await this.layout()), this.services.experts);
  }

  /**
   * Resumes a run until it can go no further.
   *
   * @throws {UserError} if this process runs it already, or if nobody has taken it over
   */
  async drive(runId: RunId): Promise<RunEnd> {
    await checkRunTakenOver(runId, await this.layout(), this.services.experts);
    if (this.#running.has(runId))
      throw new UserError("runAlreadyRunning", "{runId} is running here already.", { runId });
    return this.#running.run(runId, (signal) => this.#drive(runId, signal));
  }

  async #drive(runId: RunId, signal: AbortSignal): Promise<RunEnd> {
    const publisher = this.services.publisher.of({ kind: "run", name: runId });
    const say = (text: string): void => {
      this.services.say(runId, text);
    };
    try {
      const store = await this.#store();
      return await driveRun(runId, store, { ...this.services, publisher, say }, signal);
    } catch (error) {
      if (signal.aborted) return { status: "stopped", reason: "Stopped." };
      throw error;
    }
  }

  /** Does the same as {@link decideRun}; a run that is to be cancelled is stopped first. */
  async decide(runId: RunId, decision: RunDecision): Promise<void> {
    await this.takeOver(runId);
    if (decision.type === "CANCEL") await this.stop(runId);
    await decideRun(runId, decision, await this.#store(), this.services.lock);
  }

  /**
   * Stops a run in whichever process drives it, and waits up to 30 seconds for it to end.
   *
   * @returns in `left` whether it is still at work: 1 or 0
   */
  async stop(runId: RunId): Promise<Stopped> {
    const { files, lock, experts } = this.services;
    const { clock, ids } = experts;
    const endsHere = this.#running.stop(runId, stoppedByUser());
    return stopRun(runId, { files, lock, clock, ids }, endsHere);
  }

  /** Stops all runs of this process, before the process itself ends. */
  async stopOwn(reason: UserError): Promise<void> {
    await this.#running.stopAll(reason);
  }

  /** Returns whether no process runs it now. */
  async isFree(runId: RunId): Promise<boolean> {
    return (await this.services.lock.holder(runLock(runId))) === undefined;
  }

  /** Records that what agents of a run have changed was undone. It runs nowhere meanwhile. */
  async setUndone(runId: RunId, taskIds: readonly TaskId[]): Promise<void> {
    const own = await this.services.lock.tryHold(runLock(runId));
    if (!("held" in own)) return;
    try {
      await this.#records.setUndone(runId, taskIds);
    } finally {
      await own.held.release();
    }
  }

  /** Returns the newest runs, from their tables and locks as they are now. */
  async overview(): Promise<RunsOverview> {
    const store = await this.#store();
    const { rows } = await store.table("process_runs", "");
    const newest = rows
      .filter(({ values }) => isId(values.run_id))
      .slice(-mostRuns)
      .reverse();
    const shared = await store.sharedTables();
    const runs = newest.map((row) => {
      const isHere = this.isHere(row.values.run_id);
      const { lock, experts } = this.services;
      const services = { lock, signer: experts.signer };
      return readRunOverview(row, store, services, { isHere, shared, records: this.#records });
    });
    return { runs: await Promise.all(runs), problems: shared.flatMap(problemsOf) };
  }

  /** Returns the problems of a table's text, for an editor. */
  readonly problemsIn = problemsIn;
  readonly rowsOf = rowsOf;
  readonly work = runWork;

  async #store(): Promise<RunStore> {
    const { files, lock } = this.services;
    return new RunStore(files, lock, await this.services.layout());
  }
}

/** Returns the 0-based row of each run in the text of the table of runs. */
function rowsOf(text: string): ReadonlyMap<string, number> {
  const { rows } = readRunTable("process_runs", text);
  return new Map(rows.map(({ values, source }) => [values.run_id, source.row]));
}

function problemsIn(name: TableName, text: string): readonly DocumentProblem[] {
  return tableProblems(name, readRunTable(name, text));
}
