import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { Review } from "./reviews.js";
import { shorten } from "../shorten.js";

/**
 * Returns the review that a command is about: the one of a tree row or an id, else `active`, else one
 * that the user chooses. Throws a {@link UserError} if there is no such review.
 *
 * @param active the review that the active editor shows, if the command applies to it
 */
export async function chooseReview(
  argument: unknown,
  reviews: readonly Review[],
  active: Review | undefined,
): Promise<Review | undefined> {
  const id = typeof argument === "string" ? argument.slice(argument.lastIndexOf(":") + 1) : "";
  const named = id === "" ? active : reviews.find((one) => one.id === id);
  if (named) return named;
  if (id !== "" || reviews.length === 0) {
    throw new UserError(vscode.l10n.t("There are no changes to review."));
  }
  const picked = await vscode.window.showQuickPick(
    reviews.map((review) => ({ label: shorten(review.goal, 80), detail: review.id, review })),
    { placeHolder: vscode.l10n.t("Whose changes?"), matchOnDetail: true },
  );
  return picked?.review;
}
