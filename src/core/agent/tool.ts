import type * as z from "zod";
import type { AgentFiles } from "../access/agentFiles.js";
import type { PathGuard } from "../access/locatedPath.js";
import type { Charts } from "../ports/charts.js";
import type { EditorDocuments, Problem } from "../ports/editor.js";
import type { MessageImage } from "../ports/messages.js";
import type { PdfReader } from "../ports/pdf.js";
import type { Search } from "../ports/search.js";
import type { Shell } from "../ports/shell.js";
import type { Clock } from "../ports/system.js";
import type { Web, WebSearch } from "../ports/web.js";
import type { Said, Spoken, Words } from "../text/words.js";
import type { ChecklistStep } from "./checklist.js";
import type { PinnedFile, CommandFacts, CommandReview } from "./commandFacts.js";
import type { CommandSandbox, Granted } from "./commandSandbox.js";
import type { SeenFile, SeenFiles } from "./seenFiles.js";
import type { CommandEvent, TaskCommands } from "./taskCommands.js";

/** The kind of effect that a tool's calls have. It decides whether they may run unasked and in parallel. */
type ToolAccess = "read" | "write" | "command" | "web" | "tool" | "none";

interface AnyAction {
  /** The title on one line, as in `Edit src/cart.js`. */
  readonly title: Said;
  /** The whole action, with nothing left out: what is shown is what happens. */
  readonly preview: {
    readonly kind: "diff" | "command" | "address" | "text";
    readonly text: Said;
  };
}

/** A file that would be written, or read where reading is not a matter of course. */
export interface FileAction extends AnyAction {
  readonly access: "read" | "write";
  /** Canonical path. */
  readonly path: string;
  readonly inside: boolean;
  /**
   * The reason why writing the file is always asked about because of its content, which controls other programs.
   * Absent: only its name decides.
   */
  readonly protection?: Words;
}

export interface CommandAction extends AnyAction {
  readonly access: "command";
  /** The very line that would run; the preview shows it with hidden characters made visible. */
  readonly command: string;
  /** Canonical path of the folder that the command would run in. */
  readonly path: string;
  readonly inside: boolean;
  /** Facts about the command. Absent: a person is asked. */
  readonly facts?: CommandFacts | undefined;
  /** Files that a permission is pinned to: it is valid only while their contents stay the same. */
  readonly pinned?: readonly PinnedFile[] | undefined;
  /** Whether the command keeps running after its call has ended. */
  readonly background?: boolean | undefined;
  /** Whether the expert asks to run the command outside the sandbox, which a person has to allow. */
  readonly outside?: boolean | undefined;
}

/** A request that would be sent to the internet. */
interface WebAction extends AnyAction {
  readonly access: "web";
  readonly address: string;
}

/** A call of a tool that is not Rooroo's own, such as one that VS Code offers. Its input is the preview. */
interface ToolAction extends AnyAction {
  readonly access: "tool";
  readonly tool: string;
  /** A hash of what the tool says of itself, which permissions are bound to. */
  readonly bound: string;
  /** See `HostTool.allowed`. */
  readonly allowed?: "unchanged" | "changed" | undefined;
  /** The reason for asking regardless of permissions: the input names, or may name, files that need approval. */
  readonly reaches?: Words | undefined;
}

/**
 * A request to go on, which spends more: although the task or the day has reached a limit, by as much again; or although
 * attempts of a team's task have ended without a result. It is no call.
 */
interface SpendAction extends AnyAction {
  readonly access: "spend";
}

/** The proposed action that a person is asked about before a tool runs: exactly what would happen. */
export type ProposedAction = FileAction | CommandAction | WebAction | ToolAction | SpendAction;

/** A proposed action as it is told and stored, with its words as texts. */
export type ToldAction = Spoken<ProposedAction>;

/**
 * Records what files were before a task changes them, so that the changes can be reviewed and undone. It is
 * called before every write, and its promises resolve when the record is on disk. Paths are canonical.
 */
export interface ChangeRecorder {
  /**
   * Records a write whose content is known.
   *
   * @param before the content that will be overwritten; `undefined`: there is no such file
   * @param after the content that will be there; `undefined`: the file will be removed
   */
  writing(
    path: string,
    before: Uint8Array | undefined,
    after: Uint8Array | undefined,
  ): Promise<void>;
  /** Records a file that something, such as a command, may write or remove in an unknown way. */
  before(path: string): Promise<void>;
  /** Called when what {@link before} announced has ended: records the file as what the task left. */
  after(path: string): Promise<void>;
  /** Keeps what the files of the workspace are, before a command that may write any of them. */
  watch(): Promise<CommandWatch>;
}

/** A command that may write any file of the workspace. */
export interface CommandWatch {
  /**
   * Called when the command has ended: records each file that has changed since. Returns lines for the expert and
   * the user about what is not recorded.
   */
  settle(): Promise<readonly string[]>;
}

/** Reads the editor's problems in files, after giving the programs that check them time to run. */
export interface ProblemWatch {
  /** Returns the problems of a file, or all known problems below a folder. */
  now(path: string, signal: AbortSignal): Promise<readonly Problem[]>;
  /** Returns what is known already, as a person sees it, without having the file checked. */
  known(path: string): readonly Problem[];
  /** Runs the work on a file and adds the problems that it caused to its result. */
  after(path: string, work: () => Promise<ToolResult>, signal: AbortSignal): Promise<ToolResult>;
}

/** Names of a command's fields, for hints. */
export interface CommandFields {
  readonly timeout: string;
  /** The field that keeps a command running, with its value. Absent: there is none. */
  readonly background?: string;
}

export interface ToolContext {
  readonly files: AgentFiles;
  /** The editor's documents: a file with unsaved changes is read and written there instead of on disk. */
  readonly documents: EditorDocuments;
  readonly changes: ChangeRecorder;
  readonly guard: PathGuard;
  /** The files that the agent has seen, so that it does not overwrite changes that it does not know of. */
  readonly seen: SeenFiles;
  /** The files, and the searches, of which the agent was told what they pass over. Absent: nothing is remembered. */
  readonly passedOver?: Set<string>;
  /** Returns why the agent can never write a file, whatever anyone allows. Absent: it is not known. */
  whyNeverWritten?(path: string): Promise<string | undefined>;
  readonly shell: Shell;
  readonly commands: TaskCommands;
  /** Absent where commands cannot be sandboxed. */
  readonly sandbox?: CommandSandbox;
  /** What the dialect calls the fields of a command that hints name. Absent: as the tool itself does. */
  readonly commandFields?: CommandFields;
  readonly clock: Clock;
  /**
   * Finds out what a command line would do, without running anything.
   *
   * @param folder canonical path of the folder that the command would run in
   */
  review(line: string, folder: string): Promise<CommandReview>;
  readonly search: Search;
  readonly pdf: PdfReader;
  readonly web?: Web;
  readonly webSearch?: WebSearch;
  readonly charts?: Charts;
  readonly problems?: ProblemWatch;
  /** The task's folder, as in `.rooroo/tasks/ID`; long outputs are stored there in full. */
  readonly taskFolder: string;
  readonly callId: string;
  /** Runs work on one file exclusively among the tasks of this process. */
  alone<T>(path: string, work: () => Promise<T>): Promise<T>;
  readonly signal: AbortSignal;
  /** Called with live output for the card, which is not part of the result. */
  readonly onOutput: (text: string) => void;
  readonly onEvent: (event: CommandEvent) => void;
}

/** A call's output in the form of a process's. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  /** What is said of the run beside its output. Absent: nothing. */
  readonly note?: string;
  readonly exitCode: number;
  /** Whether a part of the output is left out. */
  readonly truncated: boolean;
  /** Whether the call was ended before it had finished. */
  readonly killed: boolean;
}

/** The result of a call. A failure is a result, too: its content tells the model what to do next. */
export interface ToolResult {
  readonly ok: boolean;
  /** Whether a call that is not `ok` did its work nevertheless, like a test run that finds a bug. */
  readonly worked?: boolean;
  /** The result's text for the model. */
  readonly content: string;
  /** Images that belong to the content, which the model is shown if it can see. */
  readonly images?: readonly MessageImage[];
  /** The files that this result shows to the agent. */
  readonly seen?: readonly SeenFile[];
  /** A unified diff of what changed, for the card. */
  readonly diff?: string;
  /**
   * Lines of {@link content} that people should see at once, such as changes that the sandbox did not keep.
   */
  readonly notes?: readonly string[];
  /** The output for dialects that report results in this form; others ignore it. */
  readonly printed?: Printed;
  /** The task's steps, if the call was about them. */
  readonly checklist?: readonly ChecklistStep[];
}

/** The part of a call that the person who is asked may rewrite. */
export interface Editable {
  readonly kind: "command" | "file";
  /** The text that the model proposed. */
  readonly text: string;
  /** Prepares the call with another text; it is checked and shown like a call of its own. */
  prepare(edited: string): Promise<PreparedCall | ToolResult>;
  /** Returns a note to the model about what the person changed. */
  note(edited: string): string;
}

/** A call that is checked and can be carried out. */
export interface PreparedCall {
  /** The proposed action; `undefined` says that there is nothing to ask a person about. */
  readonly action: ProposedAction | undefined;
  /** Further actions of the call. Each is decided on by itself; the call runs only if all are allowed. */
  readonly more?: readonly ProposedAction[];
  readonly editable?: Editable;
  run(granted: Granted): Promise<ToolResult>;
}

/** A tool whose calls read or change something. */
export interface Tool<Arguments = unknown> {
  readonly kind: "action";
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType<Arguments>;
  /** JSON Schema that a model gets instead of the one of `parameters`. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly access: ToolAccess;
  /** The tool that is offered instead where commands can be sandboxed. */
  readonly inSandbox?: Tool<Arguments>;
  /** The service without which the tool is not offered. */
  readonly needs?: "web" | "webSearch" | "charts" | "problems";
  /** Returns the card's title, as in `src/cart.js:10-40`. Called with valid arguments only. */
  title(args: Arguments): Said;
  /**
   * Finds out what the call would do, without changing anything. A call that cannot work (no such file, text
   * not found) gets its failed result here, before a person is asked.
   */
  prepare(args: Arguments, context: ToolContext): Promise<PreparedCall | ToolResult>;
}

/** A tool whose call ends the turn: the loop returns its arguments to the agent's caller. */
export interface EndingTool {
  readonly kind: "question" | "completion";
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType;
  /** Converts input that models are known to send to the schema's shape, if its meaning is certain. */
  readonly normalise?: (json: unknown) => unknown;
}

/** Any tool. `never` lets tools with different arguments into one list. */
export type AnyTool = Tool<never> | EndingTool;
