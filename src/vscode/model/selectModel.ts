import * as vscode from "vscode";
import { askedModel } from "../../core/models/askedModel.js";
import { factsText, type ModelFacts } from "../../core/models/modelFacts.js";
import type { ModelChoice } from "../../core/models/modelProfile.js";
import { modelServers } from "../../core/models/modelServers.js";
import { addressOf } from "../../core/models/serverAddress.js";
import { errorText } from "../errors/errorText.js";
import type { Settings } from "../settings/settings.js";
import { t } from "../text/words.js";
import { askKey } from "./askKey.js";
import { chooseServer, type EditorModelChoice, type FindLocalServers } from "./chooseServer.js";
import { editorModelFacts } from "./editorModelFacts.js";
import { editorModelName, isEditorModel } from "./editorModelName.js";
import type { KeyedServer, ModelKeys } from "./modelKeys.js";
import { noProfile, type ProfileChoice, profileChoices } from "./profileChoices.js";

/** Lists the models that a server offers, by name. Throws if the server does not list them. */
export type ListModels = (
  server: KeyedServer & { readonly apiKey?: string | undefined },
  signal: AbortSignal,
) => Promise<readonly ModelFacts[]>;

type Choice =
  | ProfileChoice
  | (vscode.QuickPickItem &
      (
        | { readonly choice: "model"; readonly name: string }
        | { readonly choice: "address" | "key" }
      ));

/**
 * Lets the user choose a profile, a model from the server's list, or type any name. While nothing is set, it begins with
 * the server: no server is asked that the user has not named.
 */
export async function selectModel(
  settings: Settings,
  keys: ModelKeys,
  listModels: ListModels,
  findLocalServers: FindLocalServers,
): Promise<void> {
  const reopen = () => selectModel(settings, keys, listModels, findLocalServers);
  const changeServer = async (more?: readonly EditorModelChoice[]) => {
    if (!(await chooseServer(settings, findLocalServers, more))) return;
    const { base } = settings.models;
    const known = modelServers.find(({ baseUrl }) => baseUrl === base.baseUrl);
    if (known?.needsKey === true && (await keys.read(base)) === undefined) {
      await keys.of(base).ask();
    }
    await reopen();
  };
  if (profileChoices(settings.models).length === 0 && !(await isServerSet(settings, keys))) {
    const models = await vscode.lm.selectChatModels();
    await changeServer(models.map((one) => editorModelChoice(one, "")));
    return;
  }
  const chosen = await choose(settings, keys, listModels);
  switch (chosen?.choice) {
    case "profile":
      await settings.setModel({ profile: chosen.profile });
      break;
    case "model":
      await settings.setModel({ name: chosen.name, profile: noProfile });
      break;
    case "key":
      if (await askKey(settings, keys)) await reopen();
      break;
    case "address":
      await changeServer();
      break;
    case undefined:
      break;
  }
}

/** Returns whether a server, one of its models, or a key is set, apart from the profiles. */
async function isServerSet({ models }: Settings, keys: ModelKeys): Promise<boolean> {
  const { base } = models;
  const { asked = base } = askedModel({ ...models, profile: noProfile });
  const isNamed = base.model !== "" || (base.baseUrl ?? "") !== "";
  return isNamed || (await keys.read(asked)) !== undefined;
}

async function choose(
  settings: Settings,
  keys: ModelKeys,
  listModels: ListModels,
): Promise<Choice | undefined> {
  const { base } = settings.models;
  const picker = new ModelPicker(settings.models);
  const abort = new AbortController();
  try {
    return await new Promise((resolve) => {
      picker.show(resolve);
      void vscode.lm.selectChatModels().then((models) => {
        if (!abort.signal.aborted) picker.addEditorModels(models);
      });
      void (async () => {
        try {
          // Somebody who has only profiles has no server to ask.
          if (!(await isServerSet(settings, keys))) return;
          const { asked = base } = askedModel({ ...settings.models, profile: noProfile });
          const apiKey = await keys.read(asked);
          const listed = await listModels({ ...base, apiKey }, abort.signal);
          if (!abort.signal.aborted) picker.addListed(listed);
        } catch (error) {
          if (!abort.signal.aborted) picker.addProblem(errorText(error));
        } finally {
          if (!abort.signal.aborted) picker.isBusy = false;
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
  /** The profiles, as they are in the picker. */
  private readonly profiles: readonly Choice[];
  /** The name of the model in use; empty if a profile is. */
  private readonly inUse: string;
  /** The model that applies without a profile, if it is one of a server. */
  private readonly named: readonly string[];
  private known: readonly ModelFacts[];
  private editorModels: readonly Choice[] = [];
  /** The reason why the server's models cannot be listed. */
  private problem: string | undefined;

  constructor(models: ModelChoice) {
    const { base, profile } = models;
    const { model: name } = base;
    this.inUse = profile === noProfile ? name : "";
    this.profiles = profileChoices(models);
    this.named = name === "" || isEditorModel(name) ? [] : [name];
    this.known = this.named.map((one) => ({ name: one }));
    const address = addressOf(base);
    this.picker.title =
      this.profiles.length === 0
        ? t("Model on {0}", address)
        : t("Model Profile, or Model on {0}", address);
    this.picker.placeholder = t("Choose a model, or type its name");
    this.picker.matchOnDescription = true;
    this.isBusy = true;
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

  set isBusy(isBusy: boolean) {
    this.picker.busy = isBusy;
  }

  addListed(listed: readonly ModelFacts[]): void {
    const unlisted = this.known.filter(({ name }) => !listed.some((one) => one.name === name));
    this.known = [...unlisted, ...listed];
    this.update();
  }

  addProblem(problem: string): void {
    this.problem = problem;
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
    const typed = this.picker.value.trim();
    const isNamed = ({ name }: ModelFacts): boolean => this.named.includes(name);
    const first = this.known.filter(isNamed).map((facts) => modelChoice(facts, this.inUse));
    if (typed !== "" && !this.known.some(({ name }) => name === typed)) {
      const label = t("Use “{0}”", typed);
      first.push({ choice: "model", name: typed, label, alwaysShow: true });
    }
    const withoutProfile =
      this.profiles.length > 0 ? section(t("Without a profile"), first) : first;
    // Models that arrive later go below, so that no row moves away while the user is choosing.
    const [active] = this.picker.activeItems;
    const hasMoved = active !== undefined && active.label !== this.picker.items[0]?.label;
    const listed = this.known
      .filter((facts) => !isNamed(facts))
      .map((facts) => modelChoice(facts, this.inUse));
    this.picker.items = [
      ...section(t("Profiles"), this.profiles),
      ...withoutProfile,
      { choice: "address", label: `$(globe) ${t("Change Server…")}`, alwaysShow: true },
      { choice: "key", label: `$(key) ${t("Set API Key…")}`, alwaysShow: true },
      ...(this.problem === undefined ? [] : [problemChoice(this.problem)]),
      ...section(t("The server's models"), listed),
      ...section(t("VS Code's models"), this.editorModels),
    ];
    // The list is new, and would begin with its first row again. Enter takes a model, and no action, once there is one.
    if (typed !== "") return;
    const next = this.picker.items.find((item) =>
      hasMoved ? item.label === active.label : item.choice === "model" || item.choice === "profile",
    );
    if (next) this.picker.activeItems = [next];
  }
}

function modelChoice(facts: ModelFacts, inUse: string): Choice {
  const { name } = facts;
  const used = name === inUse ? [t("in use")] : [];
  const description = [...used, factsText(facts)].filter((text) => text !== "").join(" · ");
  return { choice: "model", name, label: name, description };
}

function problemChoice(detail: string): Choice {
  const label = `$(warning) ${t("The server lists no models; type a name.")}`;
  return { choice: "address", label, detail, alwaysShow: true };
}

function section(label: string, choices: readonly Choice[]): Choice[] {
  if (choices.length === 0) return [];
  return [{ label, kind: vscode.QuickPickItemKind.Separator } as Choice, ...choices];
}

function editorModelChoice(model: vscode.LanguageModelChat, inUse: string): EditorModelChoice {
  const name = editorModelName(model);
  return {
    choice: "model",
    name,
    label: `$(vscode) ${model.name}`,
    description: name === inUse ? `${name}, ${t("in use")}` : name,
    detail: factsText(editorModelFacts(model)),
  };
}
