import * as vscode from "vscode";
import type { ReviewedChanges } from "../../core/conversation/input/reviewedChanges.js";
import { UserError } from "../../core/errors.js";
import { t } from "../text/words.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import { type GitRepository, gitRepository } from "./gitRepository.js";

/**
 * Asks which changes are to be reviewed; `undefined` if nothing was chosen.
 *
 * @param argument the source control whose button was pressed
 * @throws {UserError} as `gitRepository` does, or if there is no other branch
 */
export async function chooseChanges(
  { folder }: Pick<WorkspaceSession, "folder">,
  argument: unknown,
): Promise<ReviewedChanges | undefined> {
  const repository = await gitRepository(folder, argument);
  const isStaged = repository.state.indexChanges.length > 0;
  const staged = { label: t("Staged Changes"), detail: t("what is staged"), of: "staged" } as const;
  const items: (vscode.QuickPickItem & Pick<ReviewedChanges, "of">)[] = [
    ...(isStaged ? [staged] : []),
    { label: t("All Changes"), detail: t("since the last commit"), of: "workTree" },
    { label: t("Branch…"), detail: t("since it left another branch"), of: "branch" },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: t("Review My Changes"),
    placeHolder: t("Choose the changes to review"),
  });
  if (chosen === undefined) return undefined;
  if (chosen.of !== "branch") return { of: chosen.of };
  const base = await chooseBase(repository);
  return base === undefined ? undefined : { of: "branch", base };
}

async function chooseBase(repository: GitRepository): Promise<string | undefined> {
  const refs = await repository.getRefs({ sort: "committerdate" });
  const names = new Set(refs.flatMap(({ name }) => name ?? []));
  names.delete(repository.state.HEAD?.name ?? "");
  if (names.size === 0) {
    throw new UserError("noOtherBranch", "There is no other branch with which this one compares.");
  }
  return vscode.window.showQuickPick([...names], {
    title: t("Review My Changes"),
    placeHolder: t("The branch that this one was begun on"),
  });
}
