import * as vscode from "vscode";
import { factsText, type ModelFacts } from "../../core/models/modelFacts.js";
import { errorText } from "../errors/errorText.js";
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
  const reopen = () => selectModel(settings, apiKey, listModels, findLocalServers);
  const chosen = await choose(settings, apiKey, listModels);
  switch (chosen?.choice) {
    case "model":
      await settings.setModel({ name: chosen.name });
      break;
    case "key":
      await apiKey.ask();
      await reopen();
      break;
    case "address":
      if (await chooseServer(settings, findLocalServers)) await reopen();
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
  const { model } = settings.read();
  const picker = new ModelPicker(model.name, model.baseUrl);
  const abort = new AbortController();
  try {
    return await new Promise((resolve) => {
      picker.show(resolve);
      void vscode.lm.selectChatModels().then((models) => {
        if (!abort.signal.aborted) picker.addEditorModels(models);
      });
      void (async () => {
        try {
          const listed = await listModels(await modelOptions(settings, apiKey), abort.signal);
          if (!abort.signal.aborted) picker.addListed(listed);
        } catch (error) {
          if (!abort.signal.aborted) picker.addProblem(errorText(error));
        }
      })();
    });
  } finally {
    abort.abort();
    picker.dispose();
  }
}

/** A picker of models, whose rows arrive while it is shown. */
class ModelPicker {
  private readonly picker = vscode.window.createQuickPick<Choice>();
  /** The model in use, if it is one of a server. */
  private readonly named: readonly string[];
  private known: readonly ModelFacts[];
  private editorModels: readonly Choice[] = [];
  /** The reason why the server's models cannot be listed. */
  private problem: string | undefined;

  constructor(
    private readonly inUse: string,
    baseUrl: string,
  ) {
    const { t } = vscode.l10n;
    this.named = inUse === "" || isEditorModel(inUse) ? [] : [inUse];
    this.known = this.named.map((name) => ({ name }));
    const address = baseUrl === "" ? "https://api.openai.com/v1" : baseUrl;
    this.picker.title = t("Model on {0}", address);
    this.picker.placeholder = t("Choose a model, or type its name");
    this.picker.matchOnDescription = true;
    this.picker.busy = true;
    this.update();
  }

  /** Shows the picker; `onEnd` is called with the choice, or with `undefined` when it is hidden. */
  show(onEnd: (choice: Choice | undefined) => void): void {
    this.picker.onDidChangeValue(() => {
      this.update();
    });
    this.picker.onDidAccept(() => {
      onEnd(this.picker.selectedItems[0]);
    });
    this.picker.onDidHide(() => {
      onEnd(undefined);
    });
    this.picker.show();
  }

  addListed(listed: readonly ModelFacts[]): void {
    const unlisted = this.known.filter(({ name }) => !listed.some((one) => one.name === name));
    this.known = [...unlisted, ...listed];
    this.picker.busy = false;
    this.update();
  }

  addProblem(problem: string): void {
    this.problem = problem;
    this.picker.busy = false;
    this.update();
  }

  addEditorModels(models: readonly vscode.LanguageModelChat[]): void {
    this.editorModels = models.map((one) => editorModelChoice(one, this.inUse));
    this.update();
  }

  dispose(): void {
    this.picker.dispose();
  }

  private update(): void {
    const { t } = vscode.l10n;
    const typed = this.picker.value.trim();
    const isNamed = ({ name }: ModelFacts): boolean => this.named.includes(name);
    const first = this.known.filter(isNamed).map((facts) => modelChoice(facts, this.inUse));
    if (typed !== "" && !this.known.some(({ name }) => name === typed)) {
      const label = t("Use “{0}”", typed);
      first.push({ choice: "model", name: typed, label, alwaysShow: true });
    }
    // Models that arrive later go below, so that no row moves away while the user is choosing.
    const listed = this.known
      .filter((facts) => !isNamed(facts))
      .map((facts) => modelChoice(facts, this.inUse));
    this.picker.items = [
      ...first,
      { choice: "address", label: `$(globe) ${t("Change Server…")}`, alwaysShow: true },
      { choice: "key", label: `$(key) ${t("Set API Key…")}`, alwaysShow: true },
      ...(this.problem === undefined ? [] : [problemChoice(this.problem)]),
      ...section(t("The server's models"), listed),
      ...section(t("VS Code's models"), this.editorModels),
    ];
  }
}

function modelChoice(facts: ModelFacts, inUse: string): Choice {
  const { name } = facts;
  const used = name === inUse ? [vscode.l10n.t("in use")] : [];
  const description = [...used, factsText(facts)].filter((text) => text !== "").join(" · ");
  return { choice: "model", name, label: name, description };
}

function problemChoice(detail: string): Choice {
  const label = `$(warning) ${vscode.l10n.t("The server lists no models; type a name.")}`;
  return { choice: "address", label, detail, alwaysShow: true };
}

function section(label: string, choices: readonly Choice[]): Choice[] {
  if (choices.length === 0) return [];
  return [{ label, kind: vscode.QuickPickItemKind.Separator } as Choice, ...choices];
}

function editorModelChoice(model: vscode.LanguageModelChat, inUse: string): Choice {
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
