/**
 * The interfaces through which the core uses the outside world. Adapters live in `src/node` and
 * `src/vscode`; tests use the fakes in `test/fakes`, held to the same contract suite.
 *
 * **Paths.** A "path" is workspace-relative with `/` separators (`src/main.js`), or absolute when it
 * points outside the workspace. `""` is the workspace root.
 */

import type { ModelMessage, ToolCall, ToolDefinition, Usage } from "./agent/messages.js";
import type { Chart } from "./charts/chart.js";
import type { ModelErrorCode } from "./errors.js";

/** Where a path really leads, symbolic links resolved. */
export interface Location {
  /** Canonical: workspace-relative when inside, absolute otherwise. */
  readonly path: string;
  readonly inside: boolean;
}

export interface FileStat {
  readonly kind: "file" | "folder" | "other";
  /** Size in bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Permission bits of a file, as in `0o644`; absent where the system has none. */
  readonly mode?: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
}

/** A file and where it was found. */
export interface LocatedFile {
  readonly location: Location;
  /** The file's content; `undefined` when the file is longer than the caller allowed. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * Files of the workspace, and others by absolute path. Methods throw {@link FileError} for every failure
 * but a missing file, which is an ordinary answer; also when a link makes a relative path lead out of
 * the workspace: a path outside must be given as absolute. Nothing is written through a link, wherever
 * it leads: writing to a path with a link in it throws, too.
 */
export interface FileSystem {
  /** Returns the path as the system has it, without following links. */
  absolute(path: string): string;
  /** Resolves links of the longest existing part, so that files yet to be made are located too. */
  locate(path: string): Promise<Location>;
  /** Reads a whole file; `undefined` when there is no such file. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /**
   * Reads a file and returns where it was found. On Linux both come from the same open file, so that no
   * link can be put in between. `undefined` when there is no such file.
   *
   * @param most the most bytes to read; a longer file is not read at all
   */
  readLocated(path: string, most: number): Promise<LocatedFile | undefined>;
  /** Reads the bytes from `start` (0-based) to `end` (exclusive), fewer at the end of the file. */
  readRange(path: string, start: number, end: number): Promise<Uint8Array>;
  stat(path: string): Promise<FileStat | undefined>;
  /** Returns a folder's entries, sorted by name; empty when there is no such folder. */
  readDirectory(path: string): Promise<DirectoryEntry[]>;
  /**
   * Replaces a file as a whole: after a crash it has the old or the new content, never a mixture. The
   * write is durable when the promise resolves. Makes parent folders. Returns `false`, with nothing
   * changed, when the file's content is not `expected` (which is checked last), or, for a `located`
   * path, when the path leads elsewhere by now.
   */
  replaceFile(
    path: string,
    content: Uint8Array | string,
    options?: { expected?: Uint8Array; located?: boolean },
  ): Promise<boolean>;
  /**
   * Creates a file and its parent folders. Returns `false`, with nothing changed, when the file exists,
   * or, for a `located` path, when the path leads elsewhere by now.
   */
  createFile(
    path: string,
    content: Uint8Array | string,
    options?: { located?: boolean },
  ): Promise<boolean>;
  /**
   * Appends lines. Adds a missing last newline first, so that a torn line stays a line of its own. Makes
   * parent folders. `durable`: resolves only when the lines are on disk.
   */
  appendLines(
    path: string,
    lines: readonly string[],
    options?: { durable?: boolean },
  ): Promise<void>;
  /** Removes a file; a missing file is no error. */
  removeFile(path: string): Promise<void>;
  /** Sets the permission bits of a file, where the system has any. */
  setMode(path: string, mode: number): Promise<void>;
  /**
   * Removes the temporary files of interrupted writes from a folder and all folders below it: those of
   * processes that have ended, and any that are older than a day. Files that cannot be removed stay.
   */
  removeTemporaries(folder: string): Promise<void>;
}

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

export interface ShellRequest {
  readonly command: string;
  /** The path of the working folder. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Called with the decoded text of both streams as it arrives. */
  readonly onOutput: (text: string) => void;
  /** The path of a file that receives the complete output. */
  readonly outputPath?: string;
  /** Makes a filter for each stream, which changes its text before it is shown or stored. */
  readonly filter?: () => TextFilter;
  /**
   * Captures {@link ShellResult.streams}; the order of the output between the two streams is then lost.
   */
  readonly apart?: boolean;
  /** Runs the command in the sandbox. Absent: it runs as any program of the user's. */
  readonly sandbox?: SandboxProfile;
}

/** Changes a text that arrives in pieces; may hold some of it back until the next piece arrives. */
export interface TextFilter {
  /** Takes the next piece and returns the filtered text that is certain by now. */
  add(piece: string): string;
  /** Returns the text that was held back, when no more pieces come. */
  finish(): string;
}

/** What a sandboxed command sees of the workspace and of the network. */
export interface SandboxProfile {
  /**
   * Returns whether the command finds this file or folder empty, as ignored files and those that may
   * hold secrets. Called with canonical workspace paths, with a folder before its contents.
   */
  masks(path: string): boolean;
  /**
   * Returns whether the command can read but not change this file or folder. Called as {@link masks} is.
   */
  protects(path: string): boolean;
  /** `hosts`: only these names, through a proxy; `*.example.test` stands for all names below it. */
  readonly network: "none" | "open" | { readonly hosts: readonly string[] };
  /**
   * Whether the command can write to the caches of downloads in the user's home, such as `~/.npm`. The
   * writes go to a layer that is kept for the next command.
   */
  readonly writesCaches: boolean;
}

/** One file that a sandboxed command made, changed or removed, not in the workspace yet. */
export interface LayerChange {
  /** Canonical workspace path. */
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "removed";
  /** Bytes of a file; 0 for anything else. */
  readonly size: number;
  /** Where a link points, as it is written in the link. */
  readonly target?: string;
}

/**
 * The changes of a sandboxed command. They lie outside the workspace until {@link apply} puts them
 * there, so that code can judge each change first.
 */
export interface SandboxLayer {
  /** Sorted by path, so that a folder comes before what is in it. */
  readonly changes: readonly LayerChange[];
  /** The content of a changed file. Throws {@link FileError}. */
  read(change: LayerChange): Promise<Uint8Array>;
  /**
   * Applies the changes to the workspace, following no link: first the removals, from the inside out.
   * Returns the changes that were left out and why; `changed`: something else changed the file after the
   * command had begun.
   *
   * @param changes sorted by path; may name files below a removed folder that {@link changes} does not
   */
  apply(
    changes: readonly LayerChange[],
  ): Promise<readonly { readonly path: string; readonly why: "changed" | "failed" }[]>;
  /** Removes the layer. Must be called, also after {@link apply}. */
  discard(): Promise<void>;
}

/** Whether commands can be sandboxed on this machine. */
export type SandboxAbility =
  /**
   * `name`: as in `bubblewrap 0.8.0`. `direct`: commands write the workspace itself and leave no
   * {@link SandboxLayer}, so everything that they may not change has to be protected beforehand.
   */
  | { readonly available: true; readonly name: string; readonly direct?: boolean }
  /** `reason`: what is missing and what to do, in a sentence or two for people. */
  | { readonly available: false; readonly reason: string };

export interface ShellResult {
  /** `null` when a signal ended the command. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What ended the command. `itself`: it ended on its own. */
  readonly endedBy: "itself" | "timeout" | "stop" | "limit";
  /** The limit that the command exceeded, where one ended it, as in `memory (4 GB)`. */
  readonly limit?: string;
  /** Standard output and error together; the middle is left out when it is long. */
  readonly output: string;
  /** Characters of the output that were left out of {@link output}. */
  readonly omitted: number;
  /** Each stream's output by itself, where {@link ShellRequest.apart} asked for it. */
  readonly streams?: { readonly stdout: string; readonly stderr: string };
  readonly durationMs: number;
  /** The changes of a sandboxed command. Absent: the command wrote to the workspace directly. */
  readonly layer?: SandboxLayer;
}

export interface Shell {
  /** The shell and the platform, as the model is told of them, as in `bash on linux`. */
  readonly description: string;
  /**
   * Resolves with whether commands can be sandboxed, probed at the first call. Absent: there is no
   * sandbox.
   */
  sandbox?(): Promise<SandboxAbility>;
  /**
   * Runs one command line with standard input closed. When the command has ended, the signal aborts or
   * the time is up, everything that it started is ended. Throws {@link FileError} when the shell cannot
   * be started.
   */
  run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult>;
  /** Ends the orphaned processes of commands whose host was killed, as far as they can be found. */
  endOrphaned(): Promise<void>;
}

export interface SearchMatch {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

interface SearchQuery {
  readonly path: string;
  readonly limit: number;
  /** Returns whether to skip a path and everything below it. */
  readonly hides?: (path: string) => boolean;
}

export interface MatchQuery extends SearchQuery {
  readonly regex: string;
  readonly filePattern?: string;
}

export interface FileQuery extends SearchQuery {
  readonly recursive: boolean;
}

export interface Search {
  /**
   * Returns the lines that match a regular expression, files in order of their paths. Throws a
   * `UserError` for an invalid expression.
   */
  matches(
    query: MatchQuery,
    signal: AbortSignal,
  ): Promise<{ matches: SearchMatch[]; truncated: boolean }>;
  /** Returns the paths below a folder, without those that git ignores; folders end with `/`. */
  files(query: FileQuery, signal: AbortSignal): Promise<{ paths: string[]; truncated: boolean }>;
  /**
   * Returns those of the given paths that git ignores, such as build output and installed packages.
   *
   * @param paths folders end with `/`
   */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface PatternMatch {
  /** The 0-based index of the text that matches. */
  readonly text: number;
  /** Offsets in UTF-16 units, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface Patterns {
  /**
   * Returns where a JavaScript regular expression matches in the texts, in order, at most `limit`
   * places. Finds every place, whatever the flags. Throws a `UserError` for an expression that is
   * invalid or takes too long.
   */
  find(
    pattern: { readonly source: string; readonly flags: string },
    texts: readonly string[],
    limit: number,
  ): PatternMatch[];
}

/** The response of a web address, as text. */
export interface WebAnswer {
  /** The address that answered, after redirects. */
  readonly address: string;
  /** The HTTP status; 404, for example, is an answer, too. */
  readonly status: number;
  /**
   * The media type without parameters, in lower case, as in `text/html`; empty when the server does not
   * say.
   */
  readonly contentType: string;
  /** A web page as Markdown, any other text as it is; empty where {@link redirectsTo} is given. */
  readonly text: string;
  /** Whether the response was longer than is read. */
  readonly truncated: boolean;
  /** The address on another site that the response redirects to; it has not been fetched. */
  readonly redirectsTo?: string;
}

export interface Web {
  /**
   * GETs an `http:` or `https:` address, without credentials or cookies; redirects are followed on the
   * same site only. Throws a `UserError` when the address is no web address, is in a private network
   * that the user has not allowed, or does not answer, and when the response is not text.
   */
  get(address: string, signal: AbortSignal): Promise<WebAnswer>;
}

export interface WebSearchHit {
  readonly title: string;
  readonly address: string;
  /** An excerpt of the page as plain text; may be empty. */
  readonly excerpt: string;
}

export interface WebSearch {
  /** The search service's address, for display. */
  readonly address: string;
  /**
   * Returns a few hits, best first. Throws a `UserError` when the service does not answer, or its answer
   * is not search results.
   */
  search(query: string, signal: AbortSignal): Promise<WebSearchHit[]>;
}

/** Draws charts. */
export interface Charts {
  /**
   * Returns the chart as SVG; the same chart gives the same SVG. Its colors are the names that
   * `chartColors` gives them, so that the surrounding page decides how they look. Throws a `UserError`
   * when drawing takes too long, and the signal's reason when the signal aborts.
   */
  svg(chart: Chart, signal: AbortSignal): Promise<string>;
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

/** A tool that the host provides, such as one of an MCP server that the user has set up in VS Code. */
export interface HostTool {
  readonly name: string;
  /** The description that the tool's maker wrote. */
  readonly description: string;
  /** JSON Schema of the tool's input, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface HostTools {
  /** Returns the tools that the user lets experts use now. */
  offered(): readonly HostTool[];
  /**
   * Calls the tool and returns its answer as text. Throws a `UserError` when it cannot be called or
   * fails, and the signal's reason when the signal aborts.
   */
  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<string>;
}

export type FinishReason = "stop" | "toolCalls" | "length" | "filtered" | "unknown";

export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** A complete call; a stream that breaks in the middle of one throws instead. */
  | { readonly type: "toolCall"; readonly call: ToolCall }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason }
  /** The response broke: its events so far are void, and the request is retried from the start. */
  | {
      readonly type: "again";
      /** The number of the new attempt, out of `attempts`: 2 for the first retry. */
      readonly attempt: number;
      readonly attempts: number;
      readonly code: ModelErrorCode;
    };

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** The one tool that the model must call. */
  readonly forcedTool?: string;
  /**
   * The JSON schema that the answer's text should follow. The model may not keep to it; the answer is
   * checked.
   */
  readonly answerSchema?: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
  };
}

export interface LanguageModel {
  /** The server's name for the model. */
  readonly name: string;
  /** The size of the model's context window in tokens, where that is known. */
  readonly contextTokens?: number | undefined;
  /**
   * Streams the model's response. Throws {@link ModelError}; throws the signal's reason when the signal
   * aborts.
   */
  respond(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface Clock {
  now(): Date;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Signs what this installation writes, to distinguish it from files that came with a folder. The key is
 * stored with the user's data; the workspace's location on this machine is part of what is signed.
 */
export interface Signer {
  /**
   * Returns a code of 22 characters (132 bits of HMAC-SHA-256 as base64url) that only this installation
   * can make. Throws a `UserError` when there is no key and none can be made.
   *
   * @param subject identifies the text, for example by its file's path
   */
  sign(subject: string, text: string | Uint8Array): string;
}

export interface Ids {
  /** Returns `length` random characters of `0-9a-f`. */
  hex(length: number): string;
}

/** The process that holds a lock, for display. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** The program's name, as in `VS Code` or `rooroo proceed`. */
  readonly label: string;
  /** ISO 8601. */
  readonly since: string;
}

export interface HeldLock {
  /**
   * Rejects with a `UserError` when another process took the lock over, because this process was
   * suspended for so long that it counted as dead. This process must not write its result then.
   */
  check(): Promise<void>;
  release(): Promise<void>;
}

export interface Lock {
  /** Takes the named lock if no live process holds it; otherwise returns its holder. */
  tryHold(name: string): Promise<{ held: HeldLock } | { holder: LockHolder }>;
  /**
   * Runs `work` while no other process runs any under the same name; waits for its turn. Meant for short
   * operations, not for tasks.
   */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Returns the live process that holds the named lock now, if any. */
  holder(name: string): Promise<LockHolder | undefined>;
}
