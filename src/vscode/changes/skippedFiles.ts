import * as vscode from "vscode";
import type { UndoneFile } from "../../core/changes/taskChanges.js";
import type { TaskId } from "../../core/ids.js";
import { errorText } from "../errors/errorText.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import type { EarlierVersions } from "./earlierVersions.js";
import { listed } from "./listed.js";
import type { Review } from "./reviews.js";

/** A file that an undo left as it is. */
type SkippedFile = Extract<UndoneFile, { type: "left" }> & { readonly taskId: TaskId };

/**
 * Reports the files that an undo skipped, and offers to show what has changed in them since the task.
 *
 * @param done what was done, for people
 */
export async function showSkipped(
  review: Review,
  done: string,
  left: readonly SkippedFile[],
  { folder, earlier }: { readonly folder: vscode.Uri; readonly earlier: EarlierVersions },
): Promise<void> {
  const resources = left.flatMap(({ path, taskId, since }) => {
    if (!since) return [];
    const uri = vscode.Uri.joinPath(folder, path);
    const before = since.left && earlier.uri(folder, path, [taskId], "left");
    return [[uri, before, since.now && uri]];
  });
  const showThem = t("Show What Changed Since");
  const chosen = await vscode.window.showWarningMessage(
    `${done} ${listed(
      left.map(({ problem }) => errorText(problem)),
      t,
    )}`,
    ...(resources.length > 0 ? [showThem] : []),
  );
  if (chosen !== showThem) return;
  const title = t("Changed since “{0}”", shorten(review.goal, 40));
  await vscode.commands.executeCommand("vscode.changes", title, resources);
}
