// What `import … from "vscode"` gives in plain Node: see `scripts/test/fakeVscode.mjs`.
import type * as real from "vscode";
import { Editor } from "./editor.js";

export * from "./enums.js";
export { ChatRequestTurn, ChatResponseMarkdownPart, ChatResponseTurn } from "./chat.js";
export { CodeAction, CodeActionKind, CodeLens, Diagnostic } from "./languages.js";
export { CancellationError, CancellationTokenSource, Disposable, EventEmitter } from "./events.js";
export { DataTransfer, DataTransferItem } from "./trees.js";
export { FileSystemError, RelativePattern } from "./files.js";
export {
  LanguageModelChatMessage,
  LanguageModelError,
  LanguageModelPromptTsxPart,
  LanguageModelDataPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResult,
  LanguageModelToolResultPart,
} from "./models.js";
export { Location, Position, Range, Selection } from "./text.js";
export { MarkdownString, ThemeColor, ThemeIcon, TreeItem } from "./looks.js";
export {
  TabInputCustom,
  TabInputTerminal,
  TabInputText,
  TabInputTextDiff,
  TabInputWebview,
} from "./tabs.js";
export { TextEdit, WorkspaceEdit } from "./edits.js";
export { Uri } from "./uri.js";

type Api = Editor["api"];
type Checked = { readonly [K in keyof Api]: Partial<(typeof real)[K]> };

export const version = "1.104.0";
export let commands: Api["commands"];
export let window: Api["window"];
export let workspace: Api["workspace"];
export let languages: Api["languages"];
export let env: Api["env"];
export let lm: Api["lm"];
export let chat: Api["chat"];
export let extensions: Api["extensions"];
export let l10n: Api["l10n"];

/** Puts another window in the place of the last one, for all who have imported this. */
export function show(editor: Editor): void {
  ({ commands, window, workspace, languages, env, lm, chat, extensions, l10n } =
    editor.api satisfies Checked);
}

show(new Editor());
