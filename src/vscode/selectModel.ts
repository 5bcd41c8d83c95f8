import * as vscode from "vscode";
import { messageOf } from "../core/errors.js";
import type { ApiKey } from "./apiKey.js";
import { chooseServer, type FindLocalServers } from "./chooseServer.js";
import { editorModelName, isEditorModel } from "./editorModel.js";
import { type ModelOptions, modelOptions } from "./modelOptions.js";
import type { Settings } from "./settings.js";

/** Names of the models that a server offers, sorted. Throws when it does not say. */
export type ListModels = (
  server: Pick<ModelOptions, "baseUrl" | "apiKey">,
  signal: AbortSignal,
) => Promise<readonly string[]>;

type Choice = vscode.QuickPickItem &
  ({ readonly choice: "model"; readonly name: string } | { readonly choice: "address" | "key" });

/** Lets the person choose a model from the server's list, or type any name. */
export async function selectModel(
  settings: Settings,
  apiKey: ApiKey,
  listModels: ListModels,
  findLocalServers: FindLocalServers,
): Promise<void> {
  const again = () => selectModel(settings, apiKey, listModels, findLocalServers);
  const chosen = await choose(settings, apiKey, listModels);
  switch (chosen?.choice) {
    case "model":
      await settings.setModel({ name: chosen.name });
      break;
    case "key":
      await apiKey.ask();
      await again();
      break;
    case "address":
      if (await chooseServer(settings, findLocalServers)) await again();
      break;
    case undefined:
      break;
  }
}

async function choose(
  settings: Settings,
  apiKey: ApiKey,
  listModels: ListModels,
): Promise<Choice | undefined> {
  const { t } = vscode.l10n;
  const { model } = settings.read();
  const others: Choice[] = [
    { choice: "address", label: `$(globe) ${t("Change Server…")}`, alwaysShow: true },
    { choice: "key", label: `$(key) ${t("Set API Key…")}`, alwaysShow: true },
  ];
  const picker = vscode.window.createQuickPick<Choice>();
  const abort = new AbortController();
  const named = model.name === "" || isEditorModel(model.name) ? [] : [model.name];
  let known: readonly string[] = named;
  let own: readonly Choice[] = [];
  let trouble: string | undefined;
  const show = () => {
    const typed = picker.value.trim();
    const item = (name: string): Choice => ({
      ...{ choice: "model", name, label: name },
      ...(name === model.name ? { description: t("in use") } : {}),
    });
    const first = named.map(item);
    if (typed !== "" && !known.includes(typed)) {
      const label = t("Use “{0}”", typed);
      first.push({ choice: "model", name: typed, label, alwaysShow: true });
    }
    const why: Choice[] =
      trouble === undefined
        ? []
        : [
            {
              choice: "address",
              label: `$(warning) ${t("The server lists no models; type a name.")}`,
              detail: trouble,
              alwaysShow: true,
            },
          ];
    // What comes later comes below: nothing moves away under the person's hand.
    const listed = known.filter((name) => !named.includes(name)).map(item);
    picker.items = [
      ...[...first, ...others, ...why],
      ...section(t("The server's models"), listed),
      ...section(t("VS Code's models"), own),
    ];
  };
  const address = model.baseUrl === "" ? "https://api.openai.com/v1" : model.baseUrl;
  picker.title = t("Model on {0}", address);
  picker.placeholder = t("Choose a model, or type its name");
  picker.matchOnDescription = true;
  picker.busy = true;
  show();
  try {
    return await new Promise((resolve) => {
      picker.onDidChangeValue(show);
      picker.onDidAccept(() => {
        resolve(picker.selectedItems[0]);
      });
      picker.onDidHide(() => {
        resolve(undefined);
      });
      picker.show();
      void vscode.lm.selectChatModels().then((models) => {
        own = models.map((one) => ownChoice(one, model.name));
        if (!abort.signal.aborted) show();
      });
      void (async () => {
        try {
          const listed = await listModels(await modelOptions(settings, apiKey), abort.signal);
          known = [...new Set([...known, ...listed])];
        } catch (error) {
          trouble = messageOf(error);
        }
        if (abort.signal.aborted) return;
        picker.busy = false;
        show();
      })();
    });
  } finally {
    abort.abort();
    picker.dispose();
  }
}

function section(label: string, choices: readonly Choice[]): Choice[] {
  if (choices.length === 0) return [];
  return [{ label, kind: vscode.QuickPickItemKind.Separator } as Choice, ...choices];
}

function ownChoice(model: vscode.LanguageModelChat, inUse: string): Choice {
  const { t } = vscode.l10n;
  const name = editorModelName(model);
  return {
    ...{ choice: "model", name, label: `$(vscode) ${model.name}` },
    description: name === inUse ? `${name}, ${t("in use")}` : name,
    detail: t("VS Code's own; up to {0} tokens at a time", model.maxInputTokens.toLocaleString()),
  };
}
