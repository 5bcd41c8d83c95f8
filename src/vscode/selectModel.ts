import * as vscode from "vscode";
import { messageOf } from "../core/errors.js";
import type { ApiKey } from "./apiKey.js";
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
): Promise<void> {
  const chosen = await choose(settings, apiKey, listModels);
  switch (chosen?.choice) {
    case "model":
      await settings.setModel({ name: chosen.name });
      break;
    case "key":
      await apiKey.ask();
      await selectModel(settings, apiKey, listModels);
      break;
    case "address":
      if (await askAddress(settings)) await selectModel(settings, apiKey, listModels);
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
    { choice: "address", label: `$(globe) ${t("Change Server Address…")}`, alwaysShow: true },
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
    const items: Choice[] = known.map((name) => ({
      choice: "model",
      name,
      label: name,
      ...(name === model.name ? { description: t("in use") } : {}),
    }));
    if (typed !== "" && !known.includes(typed)) {
      const label = t("Use “{0}”", typed);
      items.push({ choice: "model", name: typed, label, alwaysShow: true });
    }
    const separator = (label = "") =>
      ({ label, kind: vscode.QuickPickItemKind.Separator }) as Choice;
    const ownOnes = own.length === 0 ? [] : [separator(t("VS Code's models")), ...own];
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
    picker.items = [...items, ...ownOnes, separator(), ...why, ...others];
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

function ownChoice(model: vscode.LanguageModelChat, inUse: string): Choice {
  const { t } = vscode.l10n;
  const name = editorModelName(model);
  return {
    ...{ choice: "model", name, label: `$(vscode) ${model.name}` },
    description: name === inUse ? `${name}, ${t("in use")}` : name,
    detail: t("VS Code's own; up to {0} tokens at a time", model.maxInputTokens.toLocaleString()),
  };
}

/** `false` when the person thought better of it. */
async function askAddress(settings: Settings): Promise<boolean> {
  const baseUrl = await vscode.window.showInputBox({
    title: vscode.l10n.t("Address of an OpenAI-Compatible Server"),
    prompt: vscode.l10n.t("Your API key goes there. Empty: OpenAI's own."),
    placeHolder: "http://localhost:11434/v1",
    value: settings.read().model.baseUrl,
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === "" || /^https?:\/\/[^\s/?#]+/i.test(value.trim())
        ? undefined
        : vscode.l10n.t("An address begins with http:// or https://"),
  });
  if (baseUrl === undefined) return false;
  await settings.setModel({ baseUrl: baseUrl.trim() });
  return true;
}
