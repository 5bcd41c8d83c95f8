import * as vscode from "vscode";
import type { Settings } from "../settings/settings.js";
import { writeSetting } from "../settings/writeSetting.js";
import { t } from "../text/words.js";
import { isOwnTool } from "./ownToolNames.js";

/** Lets the user choose which of VS Code's tools experts may ask to use. */
export async function selectTools(settings: Settings): Promise<void> {
  const chosen = settings.get("tools.vscode");
  const others = vscode.lm.tools.filter(({ name }) => !isOwnTool(name));
  const known = others.map(({ name, description }) => ({
    label: name,
    detail: description.replace(/\s+/g, " ").slice(0, 200),
    picked: chosen.includes(name),
  }));
  // A chosen tool stays chosen while the extension or server that provides it is not running.
  const away = chosen
    .filter((name) => !known.some(({ label }) => label === name))
    .map((name) => ({ label: name, detail: t("Not there now"), picked: true }));
  const items = [...known, ...away];
  if (items.length === 0) {
    void vscode.window.showInformationMessage(
      t("VS Code has no tools now. Extensions and MCP servers bring them."),
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: t("VS Code Tools for Experts"),
    placeHolder: t("Every call of one asks you first"),
    canPickMany: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (picked) {
    await writeSetting(
      "tools.vscode",
      picked.map(({ label }) => label),
    );
  }
}
