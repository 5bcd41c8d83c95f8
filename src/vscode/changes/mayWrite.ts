import * as vscode from "vscode";
import type { MayWrite } from "../../core/changes/taskChanges.js";
import { spoken } from "../../core/text/words.js";
import { t } from "../text/words.js";

/** Asks the user before a control file of tools, editors or agents is written, and shows its content. */
export const mayWrite: MayWrite = async ({ title, preview }) => {
  const allow = t("Allow");
  const detail = t(
    "This file controls tools, editors or agents.\n\n{0}",
    spoken(preview.text, t).slice(0, 2000),
  );
  return (
    (await vscode.window.showWarningMessage(
      `${spoken(title, t)}?`,
      { modal: true, detail },
      allow,
    )) === allow
  );
};
