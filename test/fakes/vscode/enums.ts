import type * as real from "vscode";

/** The enumerations by their names, with the numbers that VS Code's declarations give them. */
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 } as const;
export const EndOfLine = { LF: 1, CRLF: 2 } as const;
export const ExtensionKind = { UI: 1, Workspace: 2 } as const;
export const ExtensionMode = { Production: 1, Development: 2, Test: 3 } as const;
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 } as const;
export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 } as const;
export const LanguageModelChatToolMode = { Auto: 1, Required: 2 } as const;
export const LogLevel = { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 } as const;
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const StatusBarAlignment = { Left: 1, Right: 2 } as const;
export const SymbolKind = { File: 0, Class: 4, Method: 5, Function: 11, Variable: 12 } as const;
export const TextEditorRevealType = {
  Default: 0,
  InCenter: 1,
  InCenterIfOutsideViewport: 2,
  AtTop: 3,
} as const;
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const UIKind = { Desktop: 1, Web: 2 } as const;
export const ViewColumn = { Active: -1, Beside: -2, One: 1, Two: 2, Three: 3 } as const;

/** Each has the values of the real one: the compiler compares them, and the contract's tests do so in the editor. */
type Numbers<E> = { readonly [K in keyof E]?: E[K] extends number ? `${E[K]}` : never };
type Written<O> = { readonly [K in keyof O]: O[K] extends number ? `${O[K]}` : never };
type Fits<O extends Numbers<E>, E> = O;
export type Enumerations = [
  Fits<Written<typeof ConfigurationTarget>, typeof real.ConfigurationTarget>,
  Fits<Written<typeof DiagnosticSeverity>, typeof real.DiagnosticSeverity>,
  Fits<Written<typeof EndOfLine>, typeof real.EndOfLine>,
  Fits<Written<typeof ExtensionKind>, typeof real.ExtensionKind>,
  Fits<Written<typeof ExtensionMode>, typeof real.ExtensionMode>,
  Fits<Written<typeof FileType>, typeof real.FileType>,
  Fits<Written<typeof InputBoxValidationSeverity>, typeof real.InputBoxValidationSeverity>,
  Fits<Written<typeof LanguageModelChatMessageRole>, typeof real.LanguageModelChatMessageRole>,
  Fits<Written<typeof LanguageModelChatToolMode>, typeof real.LanguageModelChatToolMode>,
  Fits<Written<typeof LogLevel>, typeof real.LogLevel>,
  Fits<Written<typeof ProgressLocation>, typeof real.ProgressLocation>,
  Fits<Written<typeof QuickPickItemKind>, typeof real.QuickPickItemKind>,
  Fits<Written<typeof StatusBarAlignment>, typeof real.StatusBarAlignment>,
  Fits<Written<typeof SymbolKind>, typeof real.SymbolKind>,
  Fits<Written<typeof TextEditorRevealType>, typeof real.TextEditorRevealType>,
  Fits<Written<typeof TreeItemCollapsibleState>, typeof real.TreeItemCollapsibleState>,
  Fits<Written<typeof UIKind>, typeof real.UIKind>,
  Fits<Written<typeof ViewColumn>, typeof real.ViewColumn>,
];
