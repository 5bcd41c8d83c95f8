import type { LanguageModel, ModelEvent, ModelRequest } from "../core/ports.js";
import type { ApiKey } from "./apiKey.js";
import { EditorModel, isEditorModel } from "./editorModel.js";
import type { Settings } from "./settings.js";

/** Makes a model of the server that the settings name. */
export type ServerModel = (name: string) => LanguageModel;

/** Models by their names in the settings, a server's or VS Code's own; the same object for the same name. */
export class ModelsByName {
  private readonly made = new Map<string, LanguageModel>();

  constructor(private readonly server: ServerModel) {}

  get(name: string): LanguageModel {
    const model =
      this.made.get(name) ?? (isEditorModel(name) ? new EditorModel(name) : this.server(name));
    this.made.set(name, model);
    return model;
  }
}

/**
 * The model for all modes that name no other, as the settings say at each call. Where neither model,
 * server nor key is set it is the first that VS Code itself offers.
 */
export class ChosenModel implements LanguageModel {
  private readonly anyOfEditor = new EditorModel("");

  constructor(
    private readonly models: ModelsByName,
    private readonly settings: Settings,
    private readonly apiKey: ApiKey,
  ) {}

  get name(): string {
    return this.settings.read().model.name;
  }

  get contextTokens(): number | undefined {
    return this.models.get(this.name).contextTokens;
  }

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { name, baseUrl } = this.settings.read().model;
    const nothingSet = name === "" && baseUrl === "" && (await this.apiKey.read()) === undefined;
    const model = nothingSet ? this.anyOfEditor : this.models.get(name);
    yield* model.respond(request, signal);
  }
}
