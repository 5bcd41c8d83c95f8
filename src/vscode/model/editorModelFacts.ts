import type * as vscode from "vscode";
import type { ModelFacts } from "../../core/models/modelFacts.js";

/** Returns what VS Code says about a model; its published types lack support for tools and images. */
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
