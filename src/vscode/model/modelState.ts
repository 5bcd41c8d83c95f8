import * as vscode from "vscode";
import type { ModelsWithoutTools } from "../../core/experts/modelsWithoutTools.js";
import { askedModel } from "../../core/models/askedModel.js";
import type { ModelChoice } from "../../core/models/modelProfile.js";
import { seesImages } from "../../core/models/seesImages.js";
import { editorModelName } from "./editorModelName.js";
import type { ModelKeys } from "./modelKeys.js";

/** What has to be looked up about the model in use. */
export interface ModelState {
  /** Whether there is a key for its server. */
  readonly hasKey: boolean;
  /** The name of VS Code's own model that is used if nothing is set; empty if there is none. */
  readonly editorsModel: string;
  /** Whether it is known to see no images. */
  readonly isBlind: boolean;
  /** Whether it has turned out to have no tool calling. */
  readonly hasNoTools: boolean;
}

/** @param withoutTools the models that have turned out to have no tool calling */
export async function modelState(
  models: ModelChoice,
  keys: ModelKeys,
  withoutTools: Pick<ModelsWithoutTools, "has">,
): Promise<ModelState> {
  const { asked } = askedModel(models);
  if (asked === undefined) {
    return { hasKey: false, editorsModel: "", isBlind: false, hasNoTools: false };
  }
  const hasKey = (await keys.read(asked)) !== undefined;
  const isNothingSet = asked.model === "" && asked.baseUrl === undefined && !hasKey;
  const editorsModel = isNothingSet ? await firstEditorModel() : "";
  const name = asked.model === "" ? editorsModel : asked.model;
  const isBlind = seesImages(name, asked.images ?? "auto") === false;
  return { hasKey, editorsModel, isBlind, hasNoTools: withoutTools.has(name) };
}

async function firstEditorModel(): Promise<string> {
  const [first] = await vscode.lm.selectChatModels();
  return first === undefined ? "" : editorModelName(first);
}
