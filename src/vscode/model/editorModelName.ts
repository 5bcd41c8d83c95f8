import type { LanguageModelChat, LanguageModelChatSelector } from "vscode";

/** Matches names such as `vscode:copilot/gpt-4.1`: the vendor, then the vendor's own id. */
const named = /^vscode:([^/]+)\/(.+)$/;

/** Returns the name that the settings use for a model that VS Code itself offers. */
export function editorModelName({ vendor, id }: LanguageModelChat): string {
  return `vscode:${vendor}/${id}`;
}

/** Returns whether a name in the settings is that of a model that VS Code itself offers. */
export function isEditorModel(name: string): boolean {
  return named.test(name);
}

/**
 * Returns the selector for a name that {@link editorModelName} has made; for other names, one that
 * matches all.
 */
export function selectorOf(name: string): LanguageModelChatSelector {
  const [, vendor, id] = named.exec(name) ?? [];
  return vendor === undefined || id === undefined ? {} : { vendor, id };
}
