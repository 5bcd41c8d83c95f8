import { decideRun } from "../../core/runs/decideRun.js";
import { isOpen } from "../../core/runs/runTables.js";
import { stopRun } from "../../core/runs/driveRun.js";
import { findLayout, type RunLayout } from "../../core/runs/runLayout.js";
import { RunStore } from "../../core/runs/runStore.js";
import type { RunRow } from "../../core/runs/runTables.js";
import { runView, type RunView } from "../../core/runs/runView.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import type { Cli, Result } from "../command.js";
import { workspaceRoot } from "../session/settings.js";
import type { Style } from "../terminal/style.js";
import { terminalLine, terminalText } from "../terminal/terminalText.js";
import { WrongUse } from "../wrongUse.js";

/** Lists all runs, and what comes next in each. */
export async function listRuns(directory: string | undefined, cli: Cli): Promise<Result<never>> {
  const { store, layout } = await runFiles(directory, cli);
  const ids = (await store.rows("process_runs")).map(({ run_id }) => run_id);
  const shared = await store.sharedTables();
  const runs: RunView[] = [];
  for (const id of ids) runs.push(runView(await store.read(id, shared), layout));
  const text = () =>
    runs.length === 0
      ? "No runs yet.\n"
      : runs.map((view) => listedText(view, cli.terminal.style)).join("");
  return { end: "done", json: () => ({ runs }), text };
}

/** Shows one run. Throws {@link WrongUse} if it is unknown or ambiguous. */
export async function showRun(
  given: string | undefined,
  directory: string | undefined,
  cli: Cli,
): Promise<Result<never>> {
  const { store, layout } = await runFiles(directory, cli);
  const runId = await runNamed(given, isOpen, store);
  const view = runView(await store.read(runId), layout);
  return { end: "done", json: () => view, text: () => viewText(view, cli.terminal.style) };
}

/** Stops a run in whichever process runs it. Throws {@link WrongUse} if it is unknown or ambiguous. */
export async function stopNamedRun(
  given: string | undefined,
  directory: string | undefined,
  cli: Cli,
): Promise<Result<"waiting">> {
  const { store, local } = await runFiles(directory, cli);
  const runId = await runNamed(given, isOpen, store);
  const { found, left } = await stopRun(runId, local);
  const text = () => {
    const name = terminalText(runId);
    if (found === 0) return `${name} is not running.\n`;
    return left === 0 ? `Stopped ${name}.\n` : `${name} is stopping and still running.\n`;
  };
  return {
    end: left === 0 ? "done" : "waiting",
    json: () => ({ run_id: runId, found, left }),
    text,
  };
}

/** Ends a run; its files stay. Throws {@link WrongUse} if it is unknown or ambiguous. */
export async function cancelRun(
  given: string | undefined,
  directory: string | undefined,
  cli: Cli,
): Promise<Result<never>> {
  const { store, local } = await runFiles(directory, cli);
  const runId = await runNamed(given, isOpen, store);
  await stopRun(runId, local);
  await decideRun(runId, { type: "CANCEL" }, store, local.lock);
  return {
    end: "done",
    json: () => ({ run_id: runId, status: "FAILED" }),
    text: () => `${terminalText(runId)} is cancelled; its files are kept.\n`,
  };
}

interface RunFiles {
  readonly store: RunStore;
  readonly local: LocalServices;
  readonly layout: RunLayout;
}

/**
 * Finds the runs of the workspace.
 *
 * @param directory the runs' directory as the user named it; `undefined`: the usual one
 */
export async function runFiles(directory: string | undefined, { options }: Cli): Promise<RunFiles> {
  const local = localServices(await workspaceRoot(options.workspace), "rooroo run");
  const { files, lock } = local;
  const layout = await findLayout(files, directory);
  return { store: new RunStore(files, lock, layout), local, layout };
}

/**
 * Returns the id of the run given by its id or a unique end of it. If none is given, returns the only run
 * that `fits` or, if none fits, the only run. Throws {@link WrongUse} if the run is unknown or ambiguous.
 */
export async function runNamed(
  given: string | undefined,
  fits: (run: RunRow<"process_runs">) => boolean,
  store: RunStore,
): Promise<string> {
  const runs = await store.rows("process_runs");
  const found = meant(given, fits, runs);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.run_id;
  const ids = (of: readonly RunRow<"process_runs">[]) => of.map(({ run_id }) => run_id).join(", ");
  if (found.length > 1)
    throw new WrongUse("runAmbiguous", "Several runs fit: {runs}. Say which one.", {
      runs: ids(found),
    });
  if (runs.length === 0)
    throw new WrongUse("noRunsYet", "There are no runs yet. Start one with rooroo run start.");
  throw new WrongUse("runUnknownAmong", "There is no run {run}. There are: {runs}.", {
    run: given ?? "",
    runs: ids(runs),
  });
}

function meant(
  given: string | undefined,
  fits: (run: RunRow<"process_runs">) => boolean,
  runs: readonly RunRow<"process_runs">[],
): readonly RunRow<"process_runs">[] {
  if (given === undefined) {
    const fitting = runs.filter(fits);
    return fitting.length === 0 ? runs : fitting;
  }
  const exact = runs.filter(({ run_id }) => run_id === given);
  if (exact.length > 0) return exact;
  return given === "" ? [] : runs.filter(({ run_id }) => run_id.endsWith(given));
}

function listedText(view: RunView, { bold, dim, yellow }: Style): string {
  const { run_id, status, user_request, next, problem } = view;
  return [
    `${bold(terminalLine(run_id, 100))}  ${terminalLine(status, 40)}\n`,
    `  ${terminalLine(user_request, 90)}\n`,
    ...(problem === null ? [] : [`  ${yellow("!")} ${terminalLine(problem, 300)}\n`]),
    dim(`  next: ${terminalLine(next, 90)}\n`),
  ].join("");
}

function viewText(view: RunView, { bold, dim, yellow }: Style): string {
  const { completed, planned } = view.tasks;
  const place = [view.current_phase_id, view.current_stage_id, view.current_task_id];
  const at = place.filter((id) => id !== "" && id !== "0").join(", ");
  const files = [view.proposal, view.output_location, view.failure].filter((path) => path !== null);
  const phases = Object.entries(view.phases).map(([name, status]) => `${name} ${status}`);
  return [
    `${bold(terminalLine(view.run_id, 100))}  ${terminalLine(view.status, 40)}`,
    `  ${terminalLine(view.user_request, 300)}`,
    ...phases.map((phase) => dim(`  ${terminalLine(phase, 100)}`)),
    `  ${completed} of ${planned} tasks planned so far are done${at === "" ? "" : `; at ${terminalLine(at, 200)}`}`,
    ...(view.problem === null ? [] : [`  ${yellow("!")} ${terminalLine(view.problem, 300)}`]),
    `  next: ${terminalLine(view.next, 200)}`,
    ...files.map((path) => `  ${terminalText(path)}`),
    "",
  ].join("\n");
}
