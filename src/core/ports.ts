/**
 * What the core asks of the world. Adapters live in `src/node` and `src/vscode`; tests use the fakes
 * in `test/fakes`, held to the same contract suite.
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
  /** Bytes. */
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
  /** `undefined` when it is longer than was asked for. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * Throws {@link FileError} for anything but "does not exist", which is an ordinary answer; also when
 * a link makes a relative path lead out of the workspace: what is meant to be outside is absolute.
 * Nothing is written through a link, wherever it leads: a path that has one in it is refused, too.
 */
export interface FileSystem {
  /** The path as the system has it, links not followed. */
  absolute(path: string): string;
  /** Resolves links of the longest existing part, so that files yet to be made are located too. */
  locate(path: string): Promise<Location>;
  /** `undefined` when there is no such file. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /**
   * Reads a file and tells where it was found. On Linux both are of the one open file, so that no link
   * can come in between. `undefined` when there is none.
   *
   * @param most bytes; of a longer file none are read
   */
  readLocated(path: string, most: number): Promise<LocatedFile | undefined>;
  /** Bytes from `start` (0-based) to `end` (exclusive), fewer at the end of the file. */
  readRange(path: string, start: number, end: number): Promise<Uint8Array>;
  stat(path: string): Promise<FileStat | undefined>;
  /** Sorted by name; empty when there is no such folder. */
  readDirectory(path: string): Promise<DirectoryEntry[]>;
  /**
   * Old or new content after a crash, never a mixture; durable when the promise resolves. Makes
   * parent folders. `false`, changing nothing, when the file does not say what was `expected`, which
   * is looked at last of all, or, for a `located` path, when it leads elsewhere by now.
   */
  replaceFile(
    path: string,
    content: Uint8Array | string,
    options?: { expected?: Uint8Array; located?: boolean },
  ): Promise<boolean>;
  /**
   * `false`, changing nothing, when the file exists, or, for a `located` path, when it leads
   * elsewhere by now. Makes parent folders.
   */
  createFile(
    path: string,
    content: Uint8Array | string,
    options?: { located?: boolean },
  ): Promise<boolean>;
  /**
   * Adds lines to the end; repairs a missing last newline first, so that a torn line stays a line
   * of its own. Makes parent folders. `durable` waits for the disk.
   */
  appendLines(
    path: string,
    lines: readonly string[],
    options?: { durable?: boolean },
  ): Promise<void>;
  /** No error when it is not there. */
  removeFile(path: string): Promise<void>;
  /** Sets the permission bits of a file, where the system has any. */
  setMode(path: string, mode: number): Promise<void>;
  /**
   * Removes, from a folder and all folders below it, the temporary files that writes which were cut
   * off have left: those of processes that have ended, and any that are older than a day. What
   * cannot be removed stays.
   */
  removeTemporaries(folder: string): Promise<void>;
}

/**
 * Files that an editor holds open with changes that are not on disk yet. What a person has typed
 * there is the file, for whoever edits it.
 */
export interface EditorDocuments {
  /** The bytes that saving would write; `undefined` where no editor has unsaved changes of the file. */
  unsaved(path: string): Promise<Uint8Array | undefined>;
  /**
   * Gives the document this content and saves it, as one step that the person can undo there; opens
   * nothing and takes no focus. `false`, changing nothing, when it does not hold what was `expected`
   * any more. Throws a {@link UserError} when the editor could not save it.
   */
  replace(path: string, content: Uint8Array, expected: Uint8Array): Promise<boolean>;
}

export interface ShellRequest {
  readonly command: string;
  /** A folder's path. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Both streams as they come, decoded. */
  readonly onOutput: (text: string) => void;
  /** A file's path that receives the complete output. */
  readonly outputPath?: string;
  /** Makes a filter for each stream, which changes its text before anybody sees or keeps it. */
  readonly filter?: () => TextFilter;
  /** Wants {@link ShellResult.streams}, at the price of the order of what both print. */
  readonly apart?: boolean;
  /** Runs the command in the sandbox; absent: as any program of the user's. */
  readonly sandbox?: SandboxProfile;
}

/** Changes a text that comes in pieces; may hold some of it back until it knows what comes next. */
export interface TextFilter {
  /** The part of the text that is certain now. */
  add(piece: string): string;
  /** What was held back, when nothing more comes. */
  finish(): string;
}

/** What a sandboxed command sees of the workspace and of the network. */
export interface SandboxProfile {
  /**
   * Whether the command finds this file or folder empty: ignored files and those that may hold
   * secrets. Asked of canonical workspace paths; folders before what is in them.
   */
  masks(path: string): boolean;
  /** Whether the command can read but not change this file or folder. Asked as {@link masks}. */
  protects(path: string): boolean;
  /** `hosts`: only these names, through a proxy; `*.example.test` stands for all names below it. */
  readonly network: "none" | "open" | { readonly hosts: readonly string[] };
  /**
   * Whether the command can write what tools keep in the person's home of what they have loaded, as
   * `~/.npm`: in a layer that is kept for the next command.
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
 * What a sandboxed command changed. It lies outside the workspace until {@link apply} puts it there,
 * so that code can judge each change first.
 */
export interface SandboxLayer {
  /** Sorted by path, so that a folder comes before what is in it. */
  readonly changes: readonly LayerChange[];
  /** The content of a changed file. Throws {@link FileError}. */
  read(change: LayerChange): Promise<Uint8Array>;
  /**
   * Puts these into the workspace, following no link: first what is removed, from the inside out.
   * Answers with those that were left out and why: `changed`: somebody else changed the file after
   * the command had begun.
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
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why it was ended before its time, if it was. */
  readonly endedBy: "itself" | "timeout" | "stop" | "limit";
  /** What it used too much of, where a limit ended it, as in `memory (4 GB)`. */
  readonly limit?: string;
  /** Standard output and error together; the middle is left out when it is long. */
  readonly output: string;
  /** Characters of the output that were left out of {@link output}. */
  readonly omitted: number;
  /** The output once more, each stream by itself, where that was asked for. */
  readonly streams?: { readonly stdout: string; readonly stderr: string };
  readonly durationMs: number;
  /** What a sandboxed command changed; absent where it wrote the workspace itself. */
  readonly layer?: SandboxLayer;
}

export interface Shell {
  /** What the model is told of the machine, as in `bash on linux`. */
  readonly description: string;
  /** Probed at the first call. Absent where there is no sandbox at all. */
  sandbox?(): Promise<SandboxAbility>;
  /**
   * Runs one command line with standard input closed; when it has ended, the signal aborts or the
   * time is up, everything is ended that it started. Throws {@link FileError} when the shell cannot
   * be started.
   */
  run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult>;
  /** Ends what commands of hosts that were killed have left running, as far as it can be found. */
  endLeftBehind(): Promise<void>;
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
  /** Paths that are passed over, with all that is below them. */
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
   * Lines that match a regular expression, files in order of their paths. Throws a `UserError` for
   * an invalid expression.
   */
  matches(
    query: MatchQuery,
    signal: AbortSignal,
  ): Promise<{ matches: SearchMatch[]; truncated: boolean }>;
  /** Paths below a folder, those that git ignores left out; folders end with `/`. */
  files(query: FileQuery, signal: AbortSignal): Promise<{ paths: string[]; truncated: boolean }>;
  /**
   * Those of these paths that git ignores, as files that are built and packages that are installed.
   *
   * @param paths folders end with `/`
   */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface PatternMatch {
  /** Which of the texts, 0-based. */
  readonly text: number;
  /** Offsets in UTF-16 units, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface Patterns {
  /**
   * Where a regular expression of JavaScript matches in some texts, in order, `limit` places at most;
   * every place whatever the flags. Throws a `UserError` for one that is invalid or takes for ever.
   */
  find(
    pattern: { readonly source: string; readonly flags: string },
    texts: readonly string[],
    limit: number,
  ): PatternMatch[];
}

/** What an address answered with, as text. */
export interface WebAnswer {
  /** Where it came from in the end. */
  readonly address: string;
  /** As in 404: an answer too. */
  readonly status: number;
  /** Without parameters, in lower case, as in `text/html`; empty when the server does not say. */
  readonly contentType: string;
  /** A web page as Markdown, any other text as it is; empty where {@link redirectsTo} is given. */
  readonly text: string;
  /** There was more than is read. */
  readonly truncated: boolean;
  /** It sends whoever asks to another site, which has not been asked. */
  readonly redirectsTo?: string;
}

export interface Web {
  /**
   * GETs an `http:` or `https:` address, without credentials or cookies; redirects are followed on
   * the same site only. Throws a `UserError` for what is no web address, for one of a private
   * network (which the person has not allowed), for what is not text, and where nobody answers.
   */
  get(address: string, signal: AbortSignal): Promise<WebAnswer>;
}

export interface WebSearchHit {
  readonly title: string;
  readonly address: string;
  /** A piece of the page, as plain text; may be empty. */
  readonly excerpt: string;
}

export interface WebSearch {
  /** Of the service that is asked, for people to read. */
  readonly address: string;
  /** Best first, a few. Throws a `UserError` when the service does not answer, or not with hits. */
  search(query: string, signal: AbortSignal): Promise<WebSearchHit[]>;
}

/** What draws. */
export interface Charts {
  /**
   * The drawing as SVG, the same for the same chart. Its colors are the names that `chartColors`
   * gives them, so that the page it is put into decides what they look like. Throws a `UserError`
   * when it takes too long, and the signal's reason when that aborts.
   */
  svg(chart: Chart, signal: AbortSignal): Promise<string>;
}

/** What a language server or a linter says of a file. */
export interface Problem {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  /** As in `ts 2304` or `eslint no-unused-vars`; may be empty. */
  readonly source: string;
}

export interface Diagnostics {
  /** What is known now below a folder or of a file, by path and line; `""` is the workspace. */
  problems(path: string): readonly Problem[];
  /**
   * Has whoever checks such files check this one too, though no editor shows it. `false` when it is
   * checked already, or cannot be.
   */
  watch(path: string): Promise<boolean>;
  /** Told the paths of files of which other problems are known now. Answers with how to end it. */
  onDidChange(listener: (paths: readonly string[]) => void): () => void;
}

/** A tool that is not ours, as one of an MCP server that the person has set up in VS Code. */
export interface HostTool {
  readonly name: string;
  /** Its maker's words. */
  readonly description: string;
  /** JSON Schema of its input, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface HostTools {
  /** Those that the person lets experts use, as it is now. */
  offered(): readonly HostTool[];
  /**
   * What the tool answers, as text. Throws a `UserError` when it cannot be called or fails, and the
   * signal's reason when that aborts.
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
  /** Only whole calls: a stream that breaks in the middle of one throws instead. */
  | { readonly type: "toolCall"; readonly call: ToolCall }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason }
  /** The response broke: what came of it is void, and it is asked for again, from the start. */
  | {
      readonly type: "again";
      /** 2 for the first repetition, of so many in all. */
      readonly attempt: number;
      readonly attempts: number;
      readonly code: ModelErrorCode;
    };

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** The one tool that the model must call. */
  readonly forcedTool?: string;
  /** What the text of the answer is to be: JSON of this schema. A wish; the answer is checked. */
  readonly answerSchema?: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
  };
}

export interface LanguageModel {
  /** As the server names it. */
  readonly name: string;
  /** Tokens that it takes in at a time, where that is known. */
  readonly contextTokens?: number | undefined;
  /** Throws {@link ModelError}; throws the signal's reason when it aborts. */
  respond(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface Clock {
  now(): Date;
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Signs what this installation writes, so that it can be told from what came with a folder. The key
 * lies with the user's data; the workspace's place on this machine is part of what is signed.
 */
export interface Signer {
  /**
   * A code of 22 characters (132 bits of HMAC-SHA-256 as base64url) that only this installation can
   * make. Throws a `UserError` when there is no key and none can be made.
   *
   * @param subject what the text is, as in its file's path
   */
  sign(subject: string, text: string | Uint8Array): string;
}

export interface Ids {
  /** `length` random characters of `0-9a-f`. */
  hex(length: number): string;
}

/** Who holds a lock, for people to read. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** As in `VS Code` or `rooroo proceed`. */
  readonly label: string;
  /** ISO 8601. */
  readonly since: string;
}

export interface HeldLock {
  /**
   * Rejects with a `UserError` when the lock was taken over, because this process stood still for so
   * long that it counted as dead. What it was about to write is not its to write any more.
   */
  check(): Promise<void>;
  release(): Promise<void>;
}

export interface Lock {
  /** Takes the named lock if nobody alive holds it, else says who does. */
  tryHold(name: string): Promise<{ held: HeldLock } | { holder: LockHolder }>;
  /** Runs `work` alone among all processes; waits for its turn. For moments, not for tasks. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Who holds it now, if somebody alive does. */
  holder(name: string): Promise<LockHolder | undefined>;
}
