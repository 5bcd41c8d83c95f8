import { unknownProfile } from "../../core/models/askedModel.js";
import type { ChosenProfile, ModelProfile } from "../../core/models/modelProfile.js";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../core/ports/model.js";
import { EditorModel } from "./editorModel.js";
import { isEditorModel } from "./editorModelName.js";
import type { ModelKeys } from "./modelKeys.js";

/** Creates models, the servers' and VS Code's own; the same profile returns the same object. */
export class Models {
  private readonly editors = new Map<string, EditorModel>();

  /** @param keys tell whether anything is set */
  constructor(
    private readonly keys: ModelKeys,
    private readonly servers: { of(profile: ModelProfile): LanguageModel },
  ) {}

  get(profile: ModelProfile): LanguageModel {
    const { model: name } = profile;
    if (!isEditorModel(name)) return this.servers.of(profile);
    const model = this.editors.get(name) ?? new EditorModel(name);
    this.editors.set(name, model);
    return model;
  }

  /** Returns the model to ask; the first that VS Code itself offers, if no model, server and key is set. */
  async toAsk(profile: ModelProfile): Promise<LanguageModel> {
    const { model, baseUrl = "" } = profile;
    const isNothingSet =
      model === "" && baseUrl === "" && (await this.keys.read(profile)) === undefined;
    return isNothingSet ? new EditorModel("") : this.get(profile);
  }
}

/** The model that the settings name, looked up at each call. */
export class ChosenModel implements LanguageModel {
  /** @param chosen returns what the settings name at the moment */
  constructor(
    private readonly models: Models,
    private readonly chosen: () => ChosenProfile,
  ) {}

  get name(): string {
    return this.chosen().asked?.model ?? "";
  }

  get contextTokens(): number | undefined {
    const { asked } = this.chosen();
    return asked && this.models.get(asked).contextTokens;
  }

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { profile, asked } = this.chosen();
    if (asked === undefined) throw unknownProfile(profile);
    yield* (await this.models.toAsk(asked)).respond(request, signal);
  }
}
