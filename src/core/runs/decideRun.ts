import { UserError } from "../errors.js";
import type { RunId } from "../ids.js";
import type { Lock } from "../ports/locks.js";
import { filled, writtenLanguage } from "../text/writtenLanguage.js";
import { reinstatedInstructions } from "./documents/activeInstructions.js";
import { changedProposal, readProposal } from "./documents/proposal.js";
import type { RunState } from "./documents/runState.js";
import type { RunStore } from "./documents/runStore.js";
import { isOpen, type RunRow } from "./documents/runTables.js";
import { runWordsIn } from "./documents/runWords.js";
import { runLock } from "./work/driveRun.js";
import { failureReason, skipEdits, isCancellation, retryEdits } from "./work/failure.js";

/** The user's decision on a proposal, or on a run (R-MV-10). */
export type RunDecision =
  | { readonly type: "CONFIRM" }
  | { readonly type: "MODIFY"; readonly words: string }
  | { readonly type: "CANCEL" }
  /** A run that has failed tries again what has failed. */
  | { readonly type: "RETRY" }
  /** A run that has failed goes on without what has failed. */
  | { readonly type: "SKIP" };

/**
 * Writes down the user's decision; it takes effect when the run is resumed.
 *
 * @throws {UserError} if the decision does not fit the run's present state
 */
export async function decideRun(
  runId: RunId,
  decision: RunDecision,
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
    if (decision.type === "CANCEL") await cancel(run, store);
    else if (decision.type === "RETRY" || decision.type === "SKIP") {
      await takeBackFailure(state, decision.type, store);
    } else {
      const { status } = run;
      // The status comes before the proposal, and a process may be killed between the two.
      if (status === "AWAITING_CONFIRMATION" && !state.hasProposal) {
        throw new UserError(
          "runNotProposed",
          "The work on {runId} was interrupted before its proposal was written. Resume the run: the proposal is made, and you are asked again.",
          { runId },
        );
      }
      if (status !== "AWAITING_CONFIRMATION") {
        throw new UserError(
          "runNotAwaiting",
          "{runId} is not waiting for confirmation: it is {status}.",
          { runId, status },
        );
      }
      if (decision.type === "CONFIRM") await confirm(runId, store);
      else await modify(runId, decision.words, store);
    }
  } finally {
    await own.held.release();
  }
}

/** R-MV-11. The proposal is read again, since the user may have edited it. */
async function confirm(runId: RunId, store: RunStore): Promise<void> {
  const path = store.layout.proposal(runId);
  const proposed = readProposal(path, await store.text(path));
  const holding = await store.activeInstructions(runId);
  const stranger = proposed
    .flatMap(({ supersedes }) => supersedes)
    .find((id) => holding.every(({ instruction_id }) => instruction_id !== id));
  if (stranger !== undefined) {
    throw new UserError(
      "instructionInactive",
      "{path}: {instruction} is not an active instruction. Correct the proposal.",
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
  const say = runWordsIn(writtenLanguage(run.user_request));
  await files.createFile(
    layout.failure(id),
    `# ${filled(say.wasCancelled, id)}\n\n- end: CANCELLED\n- run_id: ${id}\n- ${reason}\n`,
  );
  await setStatus(id, "FAILED", store);
  await store.withdrawInstructions(id);
  await files.createFile(layout.report(id), `${filled(say.cancelled, id)}\n`);
}

/**
 * Has a run that has failed go on. The report of the failure is kept under another name. The status comes last: until
 * then the run has failed, and the decision can be made again.
 */
async function takeBackFailure(
  state: RunState,
  how: "RETRY" | "SKIP",
  store: RunStore,
): Promise<void> {
  const { runId, rows } = state;
  const { files, layout } = store;
  const failure = await store.text(layout.failure(runId));
  const status = rows.process_runs[0]?.status ?? "";
  if (status !== "FAILED") {
    throw new UserError("runNotFailed", "{runId} has not failed: it is {status}.", {
      runId,
      status,
    });
  }
  if (isCancellation(runId, failure)) {
    throw new UserError("runCancelled", "{runId} was cancelled. Start another run.", { runId });
  }
  const reason = failureReason(failure);
  // A process that was killed may have come so far already.
  const isLeftOut = failure === "" || rows.left_out.some((row) => row.reason === reason);
  const edits =
    how === "RETRY"
      ? retryEdits(state)
      : (skipEdits(state, reason) ?? (isLeftOut ? [] : undefined));
  if (edits === undefined) {
    throw new UserError(
      "nothingToLeaveOut",
      "{runId} cannot go on without what has failed. Have it tried again.",
      { runId },
    );
  }
  // The report goes first: beside a failure that is taken back it would count as the next one's.
  await files.removeFile(layout.report(runId));
  const kept = await store.earlierFailures(runId);
  if (failure !== "" && kept.at(-1) !== failure) {
    await files.createFile(layout.earlierFailure(runId, kept.length + 1), failure);
  }
  await store.write(runId, edits);
  await files.removeFile(layout.failure(runId));
  await reinstate(runId, store);
  await setStatus(runId, "PENDING", store);
}

/** Has the run's instructions hold again, and what they had replaced no longer. */
async function reinstate(runId: RunId, store: RunStore): Promise<void> {
  const path = store.layout.proposal(runId);
  const text = await store.text(path);
  await store.change("user_instructions", runId, ({ rows }) => {
    const known = rows.map(({ values }) => values);
    if (known.every((one) => one.superseded_by_id !== runId)) return [];
    return reinstatedInstructions(runId, known, readProposal(path, text));
  });
}

function setStatus(id: string, status: string, store: RunStore): Promise<void> {
  return store.write(id, [
    { table: "process_runs", edit: { type: "set", id, values: { status } } },
  ]);
}
