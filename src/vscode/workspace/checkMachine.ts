import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import {
  type Finding,
  type MachineFacts,
  machineReport,
  subjectNames,
} from "../../core/navigator/overview/machineReport.js";
import { spoken } from "../../core/text/words.js";
import { t } from "../text/words.js";

const icons: Readonly<Record<Finding["state"], string>> = {
  ok: "$(pass)",
  note: "$(info)",
  problem: "$(error)",
};

/** Commands that help with a finding, by the finding's subject. */
const helps: Readonly<Partial<Record<Finding["subject"], CommandId>>> = {
  Model: "rooroo.selectModel",
  Workspace: "rooroo.openQueue",
};

/**
 * Shows what this machine can do, one row per finding. Choosing a row with a problem or a note runs the
 * command that helps; without such a command, its text is copied to the clipboard.
 */
export async function checkMachine(found: MachineFacts): Promise<void> {
  const facts = "problem" in found.model ? { ...found, model: await editorsModel(found) } : found;
  const rows = machineReport(facts).map((finding) => ({
    label: `${icons[finding.state]} ${t(subjectNames[finding.subject])}`,
    detail: spoken(finding.text, t),
    finding,
  }));
  const chosen = await vscode.window.showQuickPick(rows, {
    title: t("What this machine can do"),
    matchOnDetail: true,
  });
  if (chosen === undefined || chosen.finding.state === "ok") return;
  const command = helps[chosen.finding.subject];
  if (command === undefined) await vscode.env.clipboard.writeText(spoken(chosen.finding.text, t));
  else await vscode.commands.executeCommand(command);
}

/** Returns facts about VS Code's first model; if it offers none, the model facts as given. */
async function editorsModel({ model }: MachineFacts): Promise<MachineFacts["model"]> {
  const [first] = await vscode.lm.selectChatModels();
  return first === undefined ? model : { name: first.name, server: "vscode:", hasKey: false };
}
