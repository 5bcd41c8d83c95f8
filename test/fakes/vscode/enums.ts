import type * as real from "vscode";

/** The values, where each is that of the real one; else nothing that a value could be. */
type Same<E, V> = {
  readonly [K in keyof V]: K extends keyof E
    ? `${V[K] & number}` extends `${E[K] & number}`
      ? V[K]
      : never
    : never;
};

/** Makes an enumeration; the compiler compares its values with those that VS Code declares. */
function enumeration<E>() {
  return <const V extends object>(values: V & Same<E, V>): E => values as unknown as E;
}

export const CodeActionTriggerKind = enumeration<typeof real.CodeActionTriggerKind>()({
  Invoke: 1,
  Automatic: 2,
});
export const ConfigurationTarget = enumeration<typeof real.ConfigurationTarget>()({
  Global: 1,
  Workspace: 2,
  WorkspaceFolder: 3,
});
export const DiagnosticSeverity = enumeration<typeof real.DiagnosticSeverity>()({
  Error: 0,
  Warning: 1,
  Information: 2,
  Hint: 3,
});
export const EndOfLine = enumeration<typeof real.EndOfLine>()({ LF: 1, CRLF: 2 });
export const ExtensionKind = enumeration<typeof real.ExtensionKind>()({ UI: 1, Workspace: 2 });
export const ExtensionMode = enumeration<typeof real.ExtensionMode>()({
  Production: 1,
  Development: 2,
  Test: 3,
});
export const FileType = enumeration<typeof real.FileType>()({
  Unknown: 0,
  File: 1,
  Directory: 2,
  SymbolicLink: 64,
});
export const InputBoxValidationSeverity = enumeration<typeof real.InputBoxValidationSeverity>()({
  Info: 1,
  Warning: 2,
  Error: 3,
});
export const LanguageModelChatMessageRole = enumeration<typeof real.LanguageModelChatMessageRole>()(
  { User: 1, Assistant: 2 },
);
export const LanguageModelChatToolMode = enumeration<typeof real.LanguageModelChatToolMode>()({
  Auto: 1,
  Required: 2,
});
export const LogLevel = enumeration<typeof real.LogLevel>()({
  Off: 0,
  Trace: 1,
  Debug: 2,
  Info: 3,
  Warning: 4,
  Error: 5,
});
export const ProgressLocation = enumeration<typeof real.ProgressLocation>()({
  SourceControl: 1,
  Window: 10,
  Notification: 15,
});
export const QuickPickItemKind = enumeration<typeof real.QuickPickItemKind>()({
  Separator: -1,
  Default: 0,
});
export const StatusBarAlignment = enumeration<typeof real.StatusBarAlignment>()({
  Left: 1,
  Right: 2,
});
export const SymbolKind = enumeration<typeof real.SymbolKind>()({
  File: 0,
  Class: 4,
  Method: 5,
  Function: 11,
  Variable: 12,
});
export const TextEditorRevealType = enumeration<typeof real.TextEditorRevealType>()({
  Default: 0,
  InCenter: 1,
  InCenterIfOutsideViewport: 2,
  AtTop: 3,
});
export const TreeItemCollapsibleState = enumeration<typeof real.TreeItemCollapsibleState>()({
  None: 0,
  Collapsed: 1,
  Expanded: 2,
});
export const UIKind = enumeration<typeof real.UIKind>()({ Desktop: 1, Web: 2 });
export const ViewColumn = enumeration<typeof real.ViewColumn>()({
  Active: -1,
  Beside: -2,
  One: 1,
  Two: 2,
  Three: 3,
});

export const TerminalExitReason = enumeration<typeof real.TerminalExitReason>()({
  Unknown: 0,
  Shutdown: 1,
  Process: 2,
  User: 3,
  Extension: 4,
});
export const TerminalShellExecutionCommandLineConfidence = enumeration<
  typeof real.TerminalShellExecutionCommandLineConfidence
>()({ Low: 0, Medium: 1, High: 2 });
