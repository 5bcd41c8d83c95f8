import { UserError } from "../../core/errors.js";
import type { RunOverview, RunPart } from "../../core/runs/runOverview.js";
import type { Runs } from "../../core/runs/runs.js";
import type { ChangeReview } from "../changes/changeReview.js";
import { type Review, review as reviewOf } from "../changes/reviews.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import { choose } from "../work/choose.js";

/** Returns all parts of a run, in order. */
export function partsIn(parts: readonly RunPart[]): RunPart[] {
  return parts.flatMap((part) => [part, ...partsIn(part.children)]);
}

/** Shows what a run has changed, or one of its parts, for review. */
export async function reviewRunChanges(
  run: RunOverview,
  part: RunPart | undefined,
  review: ChangeReview,
): Promise<void> {
  const offered = part ? reviewOfPart(run, part) : reviewOfRun(run);
  review.offer(offered);
  await review.open(offered.id);
}

/**
 * Undoes what a part of a run has changed, if the user confirms it. The run's tables go on saying what was done.
 *
 * @param part `undefined`: the user chooses it
 * @throws {UserError} if the run is not over, or if it has no part that can be undone
 */
export async function undoRunPart(
  run: RunOverview,
  part: RunPart | undefined,
  review: ChangeReview,
  runs: Runs,
): Promise<void> {
  if (!["done", "failed", "cancelled"].includes(run.state)) {
    throw new UserError(
      "runNotOver",
      "The run is not over, and what follows needs what it has written. Undo this when the run has ended, or cancel the run first.",
    );
  }
  const chosen = part ?? (await choosePart(run));
  if (chosen === undefined) return;
  const offered = reviewOfPart(run, chosen);
  review.offer(offered);
  const undone = await review.undo(offered.id);
  if (undone.some(({ type }) => type !== "left")) {
    await runs.setUndone(run.runId, chosen.sessions);
  }
}

function reviewOfPart({ runId }: RunOverview, { id, title, sessions }: RunPart): Review {
  return reviewOf("task", `${runId}/${id}`, title, sessions.toReversed());
}

function reviewOfRun({ runId, request, parts }: RunOverview): Review {
  const sessions = partsIn(parts).flatMap((part) => part.sessions.toReversed());
  return reviewOf("run", runId, request, sessions);
}

/** Lets the user choose one of the parts that have changed something. */
function choosePart({ parts, request }: RunOverview): Promise<RunPart | undefined> {
  const none = () =>
    new UserError("noRunPartToUndo", "“{request}” has no part whose changes can be undone.", {
      request: shorten(request, 60),
    });
  return choose(
    partsIn(parts).filter(({ work }) => work?.changes !== undefined),
    undefined,
    {
      names: ({ id }) => [id],
      show: ({ title, output }) => ({ label: shorten(title, 80), description: output ?? "" }),
      placeHolder: t("Select the part whose changes to undo"),
      unknown: none,
      none,
    },
  );
}
