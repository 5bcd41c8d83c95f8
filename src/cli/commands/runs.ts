import { usageText } from "../../core/agent/usageText.js";
import type { SessionUsage } from "../../core/ports/messages.js";
import { decideRun } from "../../core/runs/decideRun.js";
import { findLayout, type RunLayout } from "../../core/runs/documents/runLayout.js";
import { RunStore } from "../../core/runs/documents/runStore.js";
import { isOpen, type RunRow } from "../../core/runs/documents/runTables.js";
import { isRunTakenOver, takeableRun } from "../../core/runs/documents/takenOver.js";
import { readRunOverview, type RunOverview } from "../../core/runs/runOverview.js";
import { stopRun } from "../../core/runs/work/driveRun.js";
import { runUsage } from "../../core/runs/work/runUsage.js";
import { spoken } from "../../core/text/words.js";
import { takeOver, type TakenOverServices } from "../../core/work/takenOver.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { externalLines, externalMark } from "../terminal/externalMark.js";
import type { Style } from "../terminal/style.js";
import { terminalLine, terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

/** Lists all runs, and what comes next in each. */
export async function listRuns(directory: string | undefined, cli: Cli): Promise<Result<never>> {
  const { store, local } = await runFiles(directory, cli);
  const { rows } = await store.table("process_runs", "");
  const shared = await store.sharedTables();
  const runs: RunOverview[] = [];
  for (const row of rows) runs.push(await readRunOverview(row, store, local, { shared }));
  const { style } = cli.terminal;
  const text = () =>
    runs.length === 0
      ? `${t("No runs yet.")}\n`
      : [
          ...runs.map((run) => listedText(run, style)),
          ...externalLines(runs).map((line) => `\n${line}\n`),
        ].join("");
  return { end: "done", json: () => ({ runs: runs.map(runJson) }), text };
}

/** Shows one run. Throws {@link WrongUse} if it is unknown or ambiguous. */
export async function showRun(
  given: string | undefined,
  directory: string | undefined,
  cli: Cli,
): Promise<Result<never>> {
  const { store, local } = await runFiles(directory, cli);
  const runId = await runNamed(given, isOpen, store);
  const { rows } = await store.table("process_runs", "");
  const row = rows.find(({ values }) => values.run_id === runId);
  if (row === undefined)
    throw new WrongUse("runGone", "There is no run {run} any more.", { run: runId });
  const run = await readRunOverview(row, store, local);
  const { used } = await runUsage(runId, local);
  return {
    end: "done",
    json: () => ({ ...runJson(run), used: usageJson(used) }),
    text: () => runText(run, usageText(used), cli.terminal.style),
  };
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
    if (found === 0) return `${t("{0} is not running.", name)}\n`;
    return `${left === 0 ? t("Stopped {0}.", name) : t("{0} is stopping and still running.", name)}\n`;
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
  const runId = await ownRun(given, isOpen, store, local);
  await stopRun(runId, local);
  await takeOver(takeableRun(runId, store.layout), local);
  await decideRun(runId, { type: "CANCEL" }, store, local.lock);
  return {
    end: "done",
    json: () => ({ run_id: runId, status: "FAILED" }),
    text: () => `${t("{0} is cancelled; its files are kept.", terminalText(runId))}\n`,
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
async function runNamed(
  given: string | undefined,
  fits: (run: RunRow<"process_runs">) => boolean,
  store: RunStore,
): Promise<string> {
  return runAmong(given, fits, await store.rows("process_runs"));
}

function runAmong(
  given: string | undefined,
  fits: (run: RunRow<"process_runs">) => boolean,
  runs: readonly RunRow<"process_runs">[],
): string {
  const found = matchingRuns(given, fits, runs);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.run_id;
  if (found.length > 1)
    throw new WrongUse("runAmbiguous", "Several runs fit: {runs}. Say which one.", {
      runs: idsOf(found),
    });
  if (runs.length === 0)
    throw new WrongUse("noRunsYet", "There are no runs yet. Start one with rooroo run start.");
  throw new WrongUse("runUnknownAmong", "There is no run {run}. There are: {runs}.", {
    run: given ?? "",
    runs: idsOf(runs),
  });
}

function idsOf(runs: readonly RunRow<"process_runs">[]): string {
  return runs.map(({ run_id }) => run_id).join(", ");
}

/**
 * Does the same as {@link runNamed} for what goes on with a run. If none is given, only those count that a person has taken
 * over here.
 */
export async function ownRun(
  given: string | undefined,
  fits: (run: RunRow<"process_runs">) => boolean,
  store: RunStore,
  services: TakenOverServices,
): Promise<string> {
  const runs = await store.rows("process_runs");
  if (given !== undefined) return runAmong(given, fits, runs);
  const isOwn = await Promise.all(
    runs.map(({ run_id: id }) => isRunTakenOver(id, store.layout, services)),
  );
  const own = runs.filter((_, index) => isOwn[index]);
  const foreign = runs.filter((_, index) => !isOwn[index]);
  const meant = own.some(fits) ? [] : foreign.filter(fits);
  if (foreign.length === 0 || (own.length > 0 && meant.length === 0)) {
    return runAmong(undefined, fits, own);
  }
  throw new WrongUse(
    "runsNotTakenOver",
    "Nobody has started or resumed these runs here, and they may have come with the folder: {runs}. Read what is in {place}/, then take one over by naming it in this command.",
    { runs: idsOf(meant.length > 0 ? meant : foreign), place: store.layout.in("runs") },
  );
}

function matchingRuns(
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

/** Returns a run's state for output as JSON. */
function runJson(run: RunOverview) {
  return {
    run_id: run.runId,
    user_request: run.request,
    status: run.status,
    state: run.state,
    foreign: run.isForeign,
    reason: run.reason,
    current_phase_id: run.place.phase,
    current_stage_id: run.place.stage,
    current_task_id: run.place.task,
    phases: Object.fromEntries(run.phases.map(({ name, status }) => [name, status])),
    tasks: { completed: run.tasks.done, planned: run.tasks.total },
    next: run.next,
    proposal: run.awaitedProposal,
    output_location: outputLocation(run),
    left_out: run.leftOut.map(({ id, name, reason }) => ({ part_id: id, part_name: name, reason })),
    failure: run.failurePath,
    problem: run.problem,
  };
}

function usageJson({ calls, inputTokens, outputTokens, costUsd }: SessionUsage) {
  return {
    calls,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cost_usd: costUsd ?? null,
  };
}

/** Returns a run's status for people: a cancelled run has not failed. */
function statusText({ state, status }: RunOverview): string {
  return state === "cancelled" ? "CANCELLED" : terminalLine(status, 40);
}

/** Returns the line that says why a run has failed, if it has. */
function reasonLines({ state, reason }: RunOverview): string[] {
  return state === "failed" && reason ? [`  ${t("why: {0}", terminalLine(reason, 300))}`] : [];
}

function outputLocation({ status, outputsPath }: RunOverview): string | null {
  return status === "COMPLETED" ? `${outputsPath}/` : null;
}

function listedText(run: RunOverview, style: Style): string {
  const { bold, dim, yellow } = style;
  const { runId, request, next, problem } = run;
  return [
    `${bold(terminalLine(runId, 100))}  ${statusText(run)}${externalMark(run, style)}\n`,
    `  ${terminalLine(request, 90)}\n`,
    ...reasonLines(run).map((line) => `${line}\n`),
    ...(problem === null ? [] : [`  ${yellow("!")} ${terminalLine(spoken(problem, t), 300)}\n`]),
    dim(`  ${t("next: {0}", terminalLine(spoken(next, t), 90))}\n`),
  ].join("");
}

function runText(run: RunOverview, used: string, style: Style): string {
  const { bold, dim, yellow } = style;
  const { place, tasks, phases } = run;
  const ids = [place.phase, place.stage, place.task];
  const at = ids.filter((id) => id !== "" && id !== "0").join(", ");
  const paths = [run.awaitedProposal, outputLocation(run), run.failurePath];
  const files = paths.filter((path) => path !== null);
  return [
    `${bold(terminalLine(run.runId, 100))}  ${statusText(run)}${externalMark(run, style)}`,
    `  ${terminalLine(run.request, 300)}`,
    ...externalLines([run]).map((line) => `  ${line}`),
    ...reasonLines(run),
    ...phases.map(({ name, status }) => dim(`  ${terminalLine(`${name} ${status}`, 100)}`)),
    `  ${t("done: {0} of {1, plural, one {# task} other {# tasks}} planned so far", tasks.done, tasks.total)}${at === "" ? "" : `; ${t("at {0}", terminalLine(at, 200))}`}`,
    ...(run.problem === null
      ? []
      : [`  ${yellow("!")} ${terminalLine(spoken(run.problem, t), 300)}`]),
    ...run.leftOut.map(
      ({ name, reason }) => `  ${t("left out: {0}", terminalLine(`${name}: ${reason}`, 300))}`,
    ),
    `  ${t("used: {0}", used)}`,
    `  ${t("next: {0}", terminalLine(spoken(run.next, t), 200))}`,
    ...files.map((path) => `  ${terminalText(path)}`),
    "",
  ].join("\n");
}
