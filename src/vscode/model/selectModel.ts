import * as vscode from "vscode";
import { factsText, type ModelFacts } from "../../core/models/modelFacts.js";
import { errorText } from "../errorText.js";
import type { ApiKey } from "./apiKey.js";
import { chooseServer, type FindLocalServers } from "./chooseServer.js";
import { editorModelFacts } from "./editorModelFacts.js";
import { editorModelName, isEditorModel } from "./editorModelName.js";
import { type ModelOptions, modelOptions } from "./modelOptions.js";
import type { Settings } from "../settings/settings.js";

/** Lists the models that a server offers, by name. Throws if the server does not list them. */
export type ListModels = (
  server: Pick<ModelOptions, "baseUrl" | "apiKey">,
  signal: AbortSignal,
) => Promise<readonly ModelFacts[]>;

type Choice = vscode.QuickPickItem &
  ({ readonly choice: "model"; readonly name: string } | { readonly choice: "address" | "key" });

/** Lets the user choose a model from the server's list, or type any name. */
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
  let known: readonly ModelFacts[] = named.map((name) => ({ name }));
  let own: readonly Choice[] = [];
  let trouble: string | undefined;
  const show = () => {
    const typed = picker.value.trim();
    const item = (facts: ModelFacts): Choice => {
      const { name } = facts;
      const inUse = name === model.name ? [t("in use")] : [];
      const description = [...inUse, factsText(facts)].filter((text) => text !== "").join(" · ");
      return { choice: "model", name, label: name, description };
    };
    const isNamed = ({ name }: ModelFacts): boolean => named.includes(name);
    const first = known.filter(isNamed).map(item);
    if (typed !== "" && !known.some(({ name }) => name === typed)) {
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
    // Models that arrive later go below, so that no row moves away while the user is choosing.
    const listed = known.filter((facts) => !isNamed(facts)).map(item);
    picker.items = [
      ...first,
      ...others,
      ...why,
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
          const unlisted = known.filter(({ name }) => !listed.some((one) => one.name === name));
          known = [...unlisted, ...listed];
        } catch (error) {
          trouble = errorText(error);
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
    choice: "model",
    name,
    label: `$(vscode) ${model.name}`,
    description: name === inUse ? `${name}, ${t("in use")}` : name,
    detail: factsText(editorModelFacts(model)),
  };
}
