import type { Said } from "../text/words.js";
/**
 * Files that are open in an editor with unsaved changes. Every edit of such a file starts from the
 * unsaved text, not from the one on disk.
 */
export interface EditorDocuments {
  /**
   * Returns the bytes that saving would write; `undefined` where no editor has unsaved changes of the
   * file.
   */
  unsaved(path: string): Promise<Uint8Array | undefined>;
  /**
   * Replaces the document's content and saves it, as one step that the user can undo in the editor;
   * opens nothing and takes no focus. Returns `false`, with nothing changed, when the document does not
   * have the `expected` content any more. Throws a {@link UserError} when the editor could not save it.
   */
  replace(path: string, content: Uint8Array, expected: Uint8Array): Promise<boolean>;
}

/** A problem that a language server or a linter reports in a file. */
export interface Problem {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  /** The tool and its code for the problem, as in `ts 2304` or `eslint no-unused-vars`; may be empty. */
  readonly source: string;
}

export interface Diagnostics {
  /**
   * Returns the problems that are known now in a file or below a folder, by path and line; `""` is the
   * workspace.
   */
  problems(path: string): readonly Problem[];
  /**
   * Has the language servers and linters check this file although no editor shows it. Resolves with
   * `false` when the file is checked already or cannot be checked.
   */
  watch(path: string): Promise<boolean>;
  /**
   * Calls the listener with the paths of files whose known problems have changed. Returns a function
   * that ends this.
   */
  onDidChange(listener: (paths: readonly string[]) => void): () => void;
}

/** The user's focus in the editor. */
export interface EditorFocus {
  /** The file in front. */
  readonly path: string;
  /** The cursor's 1-based line. */
  readonly line: number;
  /** The selected text and its lines, 1-based and inclusive. Absent: nothing is selected. */
  readonly selection?: { readonly from: number; readonly to: number; readonly text: string };
  /** The other files that are open in front of the user, without {@link path}. */
  readonly others: readonly string[];
  /** The errors and warnings that are known in these files. */
  readonly problems: readonly Problem[];
}

export interface EditorView {
  /** Returns what the user looks at now; `undefined` when no file of the workspace is in front. */
  focus(): EditorFocus | undefined;
}

/** A tool of another program, such as one that the user has set up in VS Code, or one of an MCP server. */
export interface HostTool {
  readonly name: string;
  /** The description that the tool's maker wrote. */
  readonly description: string;
  /** JSON Schema of the tool's input, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Whether the user has named it as one that needs no approval, and whether what it says of itself has `changed` since
   * that was first used. Absent: the user has not named it.
   */
  readonly allowed?: "unchanged" | "changed";
}

/** The answer of a tool of another program. */
export interface HostAnswer {
  readonly text: string;
  /** The images in it, as they came: nobody has looked at what they are. Absent: none. */
  readonly images?: readonly Uint8Array[];
  /** Whether the tool says that it has failed, and how. Absent: it has not. */
  readonly failed?: boolean;
}

export interface HostTools {
  /** Returns the tools that the user lets experts use now. */
  offered(): readonly HostTool[];
  /**
   * Finds the tools, where that takes time. Called before a session works. Never rejects; returns what is wrong, for
   * the user, each problem once. Absent: they are there at once.
   */
  ready?(): Promise<readonly Said[]>;
  /**
   * Calls the tool and returns its answer. Throws a `UserError` when it cannot be called or
   * fails, and the signal's reason when the signal aborts.
   */
  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<HostAnswer>;
}
