import type * as vscode from "vscode";
import type { ModelFacts } from "../core/models/modelFacts.js";

/** What VS Code says that one of its models can; of tools and images it does not say in its published types. */
export function editorModelFacts(model: vscode.LanguageModelChat): Omit<ModelFacts, "name"> {
  const { capabilities } = model as { readonly capabilities?: unknown };
  const can = (capabilities ?? {}) as {
    readonly supportsToolCalling?: unknown;
    readonly supportsImageToText?: unknown;
  };
  const { supportsToolCalling: tools, supportsImageToText: images } = can;
  return {
    contextTokens: model.maxInputTokens,
    ...(typeof tools === "boolean" ? { callsTools: tools } : {}),
    ...(typeof images === "boolean" ? { seesImages: images } : {}),
  };
}
