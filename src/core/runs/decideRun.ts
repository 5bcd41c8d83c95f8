import { UserError } from "../errors.js";
import type { Lock } from "../ports/locks.js";
import { runLock } from "./work/driveRun.js";
import { isOpen, type RunRow } from "./documents/runTables.js";
import { changedProposal, readProposal } from "./documents/proposal.js";
import type { RunStore } from "./documents/runStore.js";
import type { RunId } from "../ids.js";

/** The user's decision on a proposal, or on a run (R-MV-10). */
export type Signal =
  | { readonly type: "CONFIRM" }
  | { readonly type: "MODIFY"; readonly words: string }
  | { readonly type: "CANCEL" };

/**
 * Writes down the user's decision; it takes effect when the run is resumed.
 *
 * @throws {UserError} if the decision does not fit the run's present state
 */
export async function decideRun(
  runId: RunId,
  signal: Signal,
  store: RunStore,
  lock: Lock,
): Promise<void> {
  const own = await lock.tryHold(runLock(runId));
  if ("holder" in own) {
    throw new UserError("runHeldElsewhere", "{runId} is running in {holder}. Stop it first.", {
      runId,
      holder: own.holder.label,
    });
  }
  try {
    const { state, problem } = await store.read(runId);
    const [run] = state.rows.process_runs;
    if (problem !== undefined) throw new UserError("runTablesInvalid", "{problem}", { problem });
    if (run === undefined) throw new UserError("runUnknown", "There is no run {runId}.", { runId });
    if (signal.type === "CANCEL") await cancel(run, store);
    else {
      if (run.status !== "AWAITING_CONFIRMATION" || !state.hasProposal) {
        throw new UserError(
          "runNotAwaiting",
          "{runId} is not waiting for confirmation: it is {status}.",
          { runId, status: run.status },
        );
      }
      if (signal.type === "CONFIRM") await confirm(runId, store);
      else await modify(runId, signal.words, store);
    }
  } finally {
    await own.held.release();
  }
}

/** R-MV-11. The proposal is read again, since the user may have edited it. */
async function confirm(runId: RunId, store: RunStore): Promise<void> {
  const path = store.layout.proposal(runId);
  const proposed = readProposal(path, await store.text(path));
  const holding = (await store.rows("user_instructions")).filter(
    ({ status }) => status === "ACTIVE",
  );
  const stranger = proposed
    .flatMap(({ supersedes }) => supersedes)
    .find((id) => holding.every(({ instruction_id }) => instruction_id !== id));
  if (stranger !== undefined) {
    throw new UserError(
      "instructionInactive",
      "{path}: {instruction} is not an active instruction.",
      { path, instruction: stranger },
    );
  }
  await setStatus(runId, "PENDING", store);
}

/** Keeps the proposal together with the user's words, so that a new one is made. */
async function modify(runId: RunId, words: string, store: RunStore): Promise<void> {
  if (words.trim() === "") throw new UserError("changeEmpty", "Say what to change.");
  const { files, layout } = store;
  const path = layout.proposal(runId);
  const text = changedProposal(await store.text(path), words);
  let number = 1;
  while (!(await files.createFile(layout.earlierProposal(runId, number), text))) number++;
  await files.removeFile(path);
}

async function cancel(run: RunRow<"process_runs">, store: RunStore): Promise<void> {
  const { run_id: id, status } = run;
  if (!isOpen(run)) {
    throw new UserError("runOver", "{runId} has ended: it is {status}.", { runId: id, status });
  }
  const { files, layout } = store;
  const reason = "cancelled by user";
  await files.createFile(
    layout.failure(id),
    `# ${id} was cancelled\n\n- end: CANCELLED\n- run_id: ${id}\n- ${reason}\n`,
  );
  await setStatus(id, "FAILED", store);
  await files.createFile(layout.report(id), `${id}: ${reason}.\n`);
}

function setStatus(id: string, status: string, store: RunStore): Promise<void> {
  return store.write(id, [
    { table: "process_runs", edit: { type: "set", id, values: { status } } },
  ]);
}

/**
 * Whether a run's failure report says that the user cancelled the run: its first field does. The reports of
 * earlier versions have no such field, but a heading of their own.
 */
export function isCancellation(runId: RunId, report: string): boolean {
  return (
    /^# [^\n]*\n\n- end: CANCELLED\n/.test(report) ||
    report.startsWith(`# ${runId} was cancelled\n`)
  );
}
