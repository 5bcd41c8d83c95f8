import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import type { ImportItem, ImportPlan, ImportWrite } from "../../core/imports/importPlan.js";
import { importPreview, nothingFound } from "../../core/imports/importPreview.js";
import { applyImport } from "../../core/imports/importTarget.js";
import { type ImportPlaces, prepareImport } from "../../core/imports/prepareImport.js";
import type { FileSystem } from "../../core/ports/files.js";
import { visibleLine } from "../../core/text/visibleText.js";
import { type Words, spoken } from "../../core/text/words.js";
import { t } from "../text/words.js";
import { importedSettings } from "./importedSettings.js";

/** The places of this machine that an import reads and writes. */
export interface ImportAccess extends Omit<ImportPlaces, "named"> {
  /** The user's own folder as its root. */
  readonly own: FileSystem;
  /** Makes the user's own folder, unless it is there. */
  readonly makeOwn: () => Promise<void>;
}

export interface ImportMachine {
  /** Returns the places that an import reads and writes; `folder`: the workspace's, if one is open and trusted. */
  importAccess(folder: vscode.Uri | undefined): ImportAccess;
}

const scheme = "rooroo-import";
let preview: Preview | undefined;

/** The document with what an import would do; it stays after the import, because it says what remains to be done. */
class Preview implements vscode.TextDocumentContentProvider {
  private text = "";
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  async show(text: string): Promise<void> {
    this.text = text;
    const uri = vscode.Uri.from({ scheme, path: `/${t("Import Settings")}.md` });
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  provideTextDocumentContent(): string {
    return this.text;
  }
}

/**
 * Imports settings of other tools: looks for them or takes a file that the user chooses, shows what each thing becomes,
 * and writes what the user leaves checked. Throws a `UserError` for what cannot be read or written.
 *
 * @param folder the workspace's; `undefined` if none is open and trusted
 */
export async function importSettings(
  machine: ImportMachine,
  folder: vscode.Uri | undefined,
): Promise<void> {
  const named = await chooseSource();
  if (named === undefined) return;
  const access = machine.importAccess(folder);
  const { own, makeOwn } = access;
  const workspace = folder && access.files;
  const target = { own, makeOwn, workspace, settings: importedSettings() };
  const plan = await prepareImport({ ...access, named }, target);
  if (plan.items.length + plan.asItIs.length + plan.leftOut.length === 0) {
    await vscode.window.showInformationMessage(say(nothingFound));
    return;
  }
  if (preview === undefined) {
    preview = new Preview();
    vscode.workspace.registerTextDocumentContentProvider(scheme, preview);
  }
  await preview.show(importPreview(plan, say));
  if (plan.items.length === 0) {
    await vscode.window.showInformationMessage(
      t(
        "There is nothing to import. The preview says what is used as it is, and what is left out.",
      ),
    );
    return;
  }
  const chosen = await chooseItems(plan);
  if (chosen === undefined || chosen.length === 0) return;
  await applyImport(chosen, target);
  await tellImported(chosen);
}

/** Returns the paths of the files that the user chooses: none to look for settings; `undefined` if they cancel. */
async function chooseSource(): Promise<readonly string[] | undefined> {
  const look = {
    label: t("$(search) Look for Settings of Roo Code, Cline and Kilo Code"),
    detail: t("In this workspace, your home folder and VS Code's storage. Keys are never read."),
  };
  const file = {
    label: t("$(folder-opened) Choose an Exported File…"),
    detail: t("Such as roo-code-settings.json. Whatever else is found is listed, too."),
  };
  const chosen = await vscode.window.showQuickPick([look, file], {
    title: t("Import Settings from Another Tool"),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return undefined;
  if (chosen === look) return [];
  const files = await vscode.window.showOpenDialog({
    title: t("Import Settings from Another Tool"),
    openLabel: t("Show What Can Be Imported"),
    canSelectMany: true,
    filters: { [t("Settings")]: ["json", "jsonc", "yaml", "yml"], [t("All Files")]: ["*"] },
  });
  return files?.map(({ fsPath }) => fsPath);
}

async function chooseItems({ items }: ImportPlan): Promise<readonly ImportItem[] | undefined> {
  const titles: Readonly<Record<ImportWrite["to"], string>> = {
    profile: t("Model profiles"),
    mode: t("Modes"),
    rules: t("Rules"),
    server: t("MCP servers"),
    deny: t("Denied commands"),
    allow: t("Allowed commands"),
  };
  const rows = (Object.keys(titles) as ImportWrite["to"][]).flatMap((kind) => {
    const ofKind = items.filter(({ write }) => write.to === kind);
    if (ofKind.length === 0) return [];
    const title = { label: titles[kind], kind: vscode.QuickPickItemKind.Separator };
    return [title, ...ofKind.map(rowOf)];
  });
  const chosen = await vscode.window.showQuickPick(rows, {
    title: t("Import Settings from Another Tool"),
    placeHolder: t("Check what to import: nothing is written before OK"),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.flatMap((row) => ("item" in row ? [row.item] : []));
}

function rowOf(item: ImportItem) {
  const replaces = t("replaces what has this name");
  return {
    label: visibleLine(item.name, 60),
    description: item.replaces ? `$(warning) ${replaces}` : "",
    detail: [item.becomes, ...item.notes].map((words) => visibleLine(say(words), 300)).join(" · "),
    picked: item.isChosen,
    item,
  };
}

/** Says what was imported, and offers what has to be done next. */
async function tellImported(chosen: readonly ImportItem[]): Promise<void> {
  const has = (to: ImportWrite["to"]) => chosen.some(({ write }) => write.to === to);
  const offer = (title: string, command: CommandId) => ({ title, command });
  const next = [
    ...(has("profile")
      ? [
          offer(t("Switch Model Profile…"), "rooroo.switchProfile"),
          offer(t("Set API Key…"), "rooroo.setApiKey"),
        ]
      : []),
    ...(has("server") ? [offer(t("Open MCP Servers"), "rooroo.openMcpServers")] : []),
  ];
  const message =
    chosen.length === 1
      ? t(
          "“{0}” was imported. The preview says what remains to be done.",
          visibleLine(chosen[0]?.name ?? "", 60),
        )
      : t("{0} things were imported. The preview says what remains to be done.", chosen.length);
  const picked = await vscode.window.showInformationMessage(message, ...next);
  if (picked !== undefined) await vscode.commands.executeCommand(picked.command);
}

function say(words: Words): string {
  return spoken(words, t);
}
