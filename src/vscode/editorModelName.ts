import type { LanguageModelChat, LanguageModelChatSelector } from "vscode";

/** As in `vscode:copilot/gpt-4.1`: vendor, then the vendor's own id. */
const named = /^vscode:([^/]+)\/(.+)$/;

/** The name in the settings of a model that VS Code itself offers. */
export function editorModelName({ vendor, id }: LanguageModelChat): string {
  return `vscode:${vendor}/${id}`;
}

/** Whether a name in the settings is that of a model that VS Code itself offers. */
export function isEditorModel(name: string): boolean {
  return named.test(name);
}

/** What fits a name that {@link editorModelName} has made; everything, if it is none. */
export function selectorOf(name: string): LanguageModelChatSelector {
  const [, vendor, id] = named.exec(name) ?? [];
  return vendor === undefined || id === undefined ? {} : { vendor, id };
}
