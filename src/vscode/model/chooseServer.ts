import * as vscode from "vscode";
import { modelServers } from "../../core/models/modelServers.js";
import type { Settings } from "../settings/settings.js";
import { t } from "../text/words.js";
import { addressProblem } from "./serverAddress.js";

/** Finds the model servers that listen on this machine now. */
export type FindLocalServers = (
  signal: AbortSignal,
) => Promise<readonly { name: string; baseUrl: string; models: readonly string[] }[]>;

/** A row of a picker that stands for one of VS Code's own models. */
export interface EditorModelChoice extends vscode.QuickPickItem {
  readonly choice: "model";
  readonly name: string;
}

type Choice =
  | EditorModelChoice
  | (vscode.QuickPickItem &
      (
        | { readonly choice: "server"; readonly baseUrl: string }
        | { readonly choice: "find" | "other" }
      ));

/**
 * Lets the user choose the model's server and saves it. Returns `false` if there is no model to choose on it, because the
 * user cancels, or has chosen one of VS Code's models.
 *
 * @param editorModels models that are offered beside the servers
 */
export async function chooseServer(
  settings: Settings,
  findLocalServers: FindLocalServers,
  editorModels: readonly EditorModelChoice[] = [],
): Promise<boolean> {
  const { baseUrl: current = "" } = settings.models.base;
  const known = modelServers.map(({ name, baseUrl, hint }): Choice => {
    const inUse = baseUrl === current ? `, ${t("in use")}` : "";
    const detail = hint === "" ? {} : { detail: hint };
    return { choice: "server", baseUrl, label: name, description: baseUrl + inUse, ...detail };
  });
  const chosen = await vscode.window.showQuickPick<Choice>(
    [
      ...editorModels,
      { choice: "find", label: `$(search) ${t("Find Servers on This Machine…")}` },
      { choice: "other", label: `$(globe) ${t("Other Address…")}` },
      { choice: "other", label: "", kind: vscode.QuickPickItemKind.Separator },
      ...known,
    ],
    { title: t("Model Server"), placeHolder: t("Each server has an API key of its own") },
  );
  switch (chosen?.choice) {
    case undefined:
      return false;
    case "model":
      await settings.setModel({ name: chosen.name });
      return false;
    case "find":
      return findAndChoose(settings, findLocalServers, editorModels);
    case "other":
      return askAddress(settings, current);
    case "server":
      if (chosen.baseUrl.includes("{")) return askAddress(settings, chosen.baseUrl);
      await settings.setModel({ baseUrl: chosen.baseUrl });
      return true;
  }
}

async function findAndChoose(
  settings: Settings,
  findLocalServers: FindLocalServers,
  editorModels: readonly EditorModelChoice[],
): Promise<boolean> {
  const found = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t("Looking for model servers on this machine…"),
      cancellable: true,
    },
    async (_progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => {
        abort.abort();
      });
      return findLocalServers(abort.signal).catch((error: unknown) => {
        if (abort.signal.aborted) return undefined;
        throw error;
      });
    },
  );
  if (found === undefined) return false;
  if (found.length === 0) {
    const usual = modelServers.filter(({ needsKey }) => !needsKey).map(({ name }) => name);
    await vscode.window.showInformationMessage(
      t("No model server answers on this machine. Looked for: {0}.", usual.join(", ")),
    );
    return chooseServer(settings, findLocalServers, editorModels);
  }
  const chosen = await vscode.window.showQuickPick(
    found.map(({ name, baseUrl, models }) => ({
      baseUrl,
      label: name,
      description: baseUrl,
      detail: models.length === 0 ? t("No models yet") : models.join(", "),
    })),
    { title: t("Servers on This Machine") },
  );
  if (chosen === undefined) return false;
  await settings.setModel({ baseUrl: chosen.baseUrl });
  return true;
}

async function askAddress(settings: Settings, value: string): Promise<boolean> {
  const hole = value.indexOf("{");
  const baseUrl = await vscode.window.showInputBox({
    title: t("Address of an OpenAI-Compatible Server"),
    prompt: t("Leave it empty to use OpenAI. Each server has an API key of its own."),
    placeHolder: "http://localhost:11434/v1",
    value,
    ...(hole < 0 ? {} : { valueSelection: [hole, value.indexOf("}") + 1] as [number, number] }),
    ignoreFocusOut: true,
    validateInput: (text) => addressProblem(text, t),
  });
  if (baseUrl === undefined) return false;
  await settings.setModel({ baseUrl: baseUrl.trim() });
  return true;
}
