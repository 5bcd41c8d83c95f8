import * as vscode from "vscode";
import type { ReviewedGitConfig } from "../../core/commands/git/reviewGitConfig.js";
import { spoken } from "../../core/text/words.js";
import { t } from "../text/words.js";

/** Shows what the configuration of the workspace's repository may have git run, and allows it as it is if the user wants. */
export async function reviewGitConfig(reviewed: ReviewedGitConfig): Promise<void> {
  if (reviewed.type === "none") {
    void vscode.window.showInformationMessage(spoken(reviewed.why, t));
    return;
  }
  const description = reviewed.description.map((line) => spoken(line, t)).join("\n");
  if (reviewed.isAllowed) {
    const detail = `${description}\n\n${t("Take it back with “Rooroo: Manage Approvals…”.")}`;
    const allowed = t("The git configuration of this repository is allowed.");
    await vscode.window.showInformationMessage(allowed, { modal: true, detail });
    return;
  }
  const yes = t("Allow Until It Changes");
  const question = t("Allow the git configuration of this repository as it is?");
  const options = { modal: true, detail: description };
  if ((await vscode.window.showWarningMessage(question, options, yes)) === yes) {
    await reviewed.allow();
  }
}
