import type { DocumentProblem } from "../documents/documentProblem.js";
import { UserError } from "../errors.js";
import { decideRun, type Signal } from "./decideRun.js";
import { driveRun, type RunEnd, runLock } from "./driveRun.js";
import type { RunLayout } from "./runLayout.js";
import {
  type RunOverview,
  runOverview,
  type RunProblem,
  type RunsOverview,
} from "./runOverview.js";
import { type CheckedTable, RunStore } from "./runStore.js";
import { isId, readRunTable, type RunRow, type TableName } from "./runTables.js";
import type { RunEvent, RunWorld } from "./runWorld.js";
import { newRun } from "./startRun.js";
import { tableProblems } from "./tableProblems.js";

/** Of the newest runs so many are looked at. */
const mostRuns = 50;

export interface RunsWorld extends Omit<RunWorld, "tell"> {
  /** Where runs are now. */
  layout(): Promise<RunLayout>;
  tell(runId: string, event: RunEvent): void;
}

/** The runs that go on in this process, and what people do with those that go on anywhere. */
export class Runs {
  readonly #running = new Map<
    string,
    { readonly stop: AbortController; ended: Promise<unknown> }
  >();

  constructor(private readonly world: RunsWorld) {}

  isHere(runId: string): boolean {
    return this.#running.has(runId);
  }

  layout(): Promise<RunLayout> {
    return this.world.layout();
  }

  /** Records a run; answers with its id. Throws a {@link UserError} where nothing is asked for. */
  async start(request: string): Promise<string> {
    if (request.trim() === "") throw new UserError("Say what the run is for.");
    return newRun(request.trim(), await this.store(), this.world.experts.clock.now());
  }

  /** Has a run go on as far as it can. Throws a {@link UserError} while it does so here already. */
  async drive(runId: string): Promise<RunEnd> {
    if (this.#running.has(runId)) throw new UserError(`${runId} goes on here already.`);
    const stop = new AbortController();
    const ended = this.#drive(runId, stop.signal);
    this.#running.set(runId, { stop, ended });
    try {
      return await ended;
    } finally {
      this.#running.delete(runId);
    }
  }

  async #drive(runId: string, signal: AbortSignal): Promise<RunEnd> {
    const { files, lock, experts } = this.world;
    const tell = (event: RunEvent): void => {
      this.world.tell(runId, event);
    };
    try {
      const store = await this.store();
      return await driveRun(runId, store, { files, lock, experts, tell }, signal);
    } catch (error) {
      if (signal.aborted) return { status: "stopped", reason: "Stopped." };
      throw error;
    }
  }

  /** As {@link decideRun}; what goes on here and is to be cancelled is stopped first. */
  async decide(runId: string, signal: Signal): Promise<void> {
    if (signal.type === "CANCEL") await this.stop(runId);
    await decideRun(runId, signal, await this.store(), this.world.lock);
  }

  /** Resolves when it does not go on here any more. */
  async stop(runId: string): Promise<void> {
    const own = this.#running.get(runId);
    own?.stop.abort(new UserError("Stopped."));
    await Promise.allSettled([own?.ended]);
  }

  /** Ends what goes on in this process, for one that is about to end itself. */
  async stopOwn(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((runId) => this.stop(runId)));
  }

  /** Nobody has it go on, in whichever process. */
  async isFree(runId: string): Promise<boolean> {
    return (await this.world.lock.holder(runLock(runId))) === undefined;
  }

  /** As tables and locks are now. */
  async overview(): Promise<RunsOverview> {
    const store = await this.store();
    const { rows } = await store.table("process_runs", "");
    const newest = rows
      .filter(({ values }) => isId(values.run_id))
      .slice(-mostRuns)
      .reverse();
    const shared = await store.sharedTables();
    const runs = newest.map(({ values, source }) => {
      return this.#overview(values, source.row + 1, store, shared);
    });
    return { runs: await Promise.all(runs), problems: shared.flatMap(problemsOf) };
  }

  async #overview(
    { run_id: runId }: RunRow<"process_runs">,
    tableLine: number,
    store: RunStore,
    shared: readonly CheckedTable[],
  ): Promise<RunOverview> {
    const { layout } = store;
    const [read, holder, proposal, report, failure, earlier] = await Promise.all([
      store.read(runId, shared),
      this.world.lock.holder(runLock(runId)),
      store.text(layout.proposal(runId)),
      store.text(layout.report(runId)),
      store.text(layout.failure(runId)),
      store.earlierProposals(runId),
    ]);
    const problems = read.tables.flatMap(problemsOf);
    const facts = { tableLine, problems, proposal, report, failure, earlier };
    const label = holder && `${holder.label} (process ${holder.pid})`;
    return runOverview(read, { ...facts, isHere: this.isHere(runId), holder: label }, layout);
  }

  /** What is wrong in a table, as an editor has it. */
  readonly problemsIn = problemsIn;

  private async store(): Promise<RunStore> {
    const { files, lock } = this.world;
    return new RunStore(files, lock, await this.world.layout());
  }
}

function problemsIn(name: TableName, text: string): readonly DocumentProblem[] {
  return tableProblems(name, readRunTable(name, text));
}

function problemsOf({ path, problems }: CheckedTable): RunProblem[] {
  return problems.map(({ row, rule, message }) => ({ path, line: row + 1, rule, message }));
}
