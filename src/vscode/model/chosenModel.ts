import type { LanguageModel, ModelEvent, ModelRequest } from "../../core/ports/model.js";
import type { ApiKey } from "./apiKey.js";
import { EditorModel } from "./editorModel.js";
import { isEditorModel } from "./editorModelName.js";
import type { OwnOptions } from "./modelOptions.js";
import type { Settings } from "../settings/settings.js";

/** Creates a model on the server that the settings name. */
export type CreateServerModel = (name: string, own: OwnOptions) => LanguageModel;

/** Creates models, the server's and VS Code's own; the same name and options return the same object. */
export class Models {
  private readonly made = new Map<string, LanguageModel>();

  constructor(private readonly server: CreateServerModel) {}

  get(name: string, own: OwnOptions = {}): LanguageModel {
    const key = JSON.stringify([name, own]);
    const model =
      this.made.get(key) ?? (isEditorModel(name) ? new EditorModel(name) : this.server(name, own));
    this.made.set(key, model);
    return model;
  }
}

/**
 * The model that the settings name for a mode, or for all modes, looked up at each call. If neither
 * model, server nor key is set, it is the first model that VS Code itself offers.
 */
export class ChosenModel implements LanguageModel {
  /** @param slug the mode's slug; `undefined`: the settings for all modes */
  constructor(
    private readonly models: Models,
    private readonly settings: Settings,
    private readonly apiKey: ApiKey,
    private readonly slug?: string,
  ) {}

  get name(): string {
    const { model = "" } = this.own ?? {};
    return model === "" ? this.settings.model.name : model;
  }

  get contextTokens(): number | undefined {
    return this.models.get(this.name, this.options).contextTokens;
  }

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    yield* (await this.choose()).respond(request, signal);
  }

  private get own() {
    return this.slug === undefined ? undefined : this.settings.read().modes[this.slug];
  }

  private get options(): OwnOptions {
    const { temperature, reasoningEffort } = this.own ?? {};
    return {
      ...(temperature === undefined ? {} : { temperature }),
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    };
  }

  private async choose(): Promise<LanguageModel> {
    const { name } = this;
    const { baseUrl } = this.settings.model;
    const isNothingSet = name === "" && baseUrl === "" && (await this.apiKey.read()) === undefined;
    return isNothingSet ? new EditorModel("") : this.models.get(name, this.options);
  }
}
