import type * as z from "zod";
import type { ChecklistStep } from "./checklist.js";
import type { BoundFile, CommandFacts, CommandReview } from "./commandFacts.js";
import type { CommandEvent } from "./commandEvent.js";
import type { CommandSandbox, Granted } from "./commandSandbox.js";
import type { TaskCommands } from "./taskCommands.js";
import type {
  Charts,
  Clock,
  EditorDocuments,
  FileSystem,
  Location,
  Problem,
  Search,
  Shell,
  Web,
  WebSearch,
} from "../ports.js";

/** What a tool call does to the world; decides whether it may run unasked and side by side. */
type ToolAccess = "read" | "write" | "command" | "web" | "tool" | "none";

interface AnyIntent {
  /** One line, as in `Edit src/cart.js`. */
  readonly title: string;
  /** All of it, with nothing hidden: what is shown is what happens. */
  readonly preview: {
    readonly kind: "diff" | "command" | "address" | "text";
    readonly text: string;
  };
}

/** A file that would be read (where that is not a matter of course) or written. */
export interface FileIntent extends AnyIntent {
  readonly access: "read" | "write";
  /** Canonical. */
  readonly path: string;
  readonly inside: boolean;
  /** Why it is always asked about, where that is not for its name: what its content makes others do. */
  readonly steers?: string;
}

export interface CommandIntent extends AnyIntent {
  readonly access: "command";
  /** The very line that would run; the preview shows it with hidden characters made visible. */
  readonly command: string;
  /** The folder that it would run in. Canonical. */
  readonly path: string;
  readonly inside: boolean;
  /** What was understood of it; without any, everybody is asked. */
  readonly facts?: CommandFacts | undefined;
  /** What was allowed holds only as long as these are as they were. */
  readonly boundTo?: readonly BoundFile[] | undefined;
  /** The command is to run on after its call has ended. */
  readonly background?: boolean | undefined;
  /** The expert asks that the command runs outside the sandbox, which a person has to allow. */
  readonly outside?: boolean | undefined;
}

/** Something would be sent to, and fetched from, the internet. */
interface WebIntent extends AnyIntent {
  readonly access: "web";
  readonly address: string;
}

/** A tool that is not ours, as one that VS Code offers; its input is the preview. */
interface ToolIntent extends AnyIntent {
  readonly access: "tool";
  readonly tool: string;
  /** Why it is asked about whatever is allowed: it names files that are. */
  readonly reaches?: string | undefined;
}

/** Not a call: the task, or the day, has used what it may, and wants as much again. */
interface SpendIntent extends AnyIntent {
  readonly access: "spend";
}

/** What a person is asked before a tool runs: exactly what would happen. */
export type Intent = FileIntent | CommandIntent | WebIntent | ToolIntent | SpendIntent;

/**
 * Keeps what files were before a task changed them, so that it can be reviewed and undone. Every
 * write passes here first; a promise resolves when what it keeps is on disk. Paths are canonical.
 */
export interface ChangeRecorder {
  /**
   * A file is about to be written, and its content is known.
   *
   * @param before what will be overwritten; `undefined`: there is no such file
   * @param after what will be there; `undefined`: it will be removed
   */
  writing(
    path: string,
    before: Uint8Array | undefined,
    after: Uint8Array | undefined,
  ): Promise<void>;
  /** Something, such as a command, may be about to write or remove this file, nobody knows how. */
  before(path: string): Promise<void>;
  /** That has ended: what the file is now is what the task left. */
  after(path: string): Promise<void>;
}

/** What the editor says of files, once whoever checks them has had the time to. */
export interface ProblemWatch {
  /** Of a file, or of all that is known below a folder. */
  now(path: string, signal: AbortSignal): Promise<readonly Problem[]>;
  /** Does the work on a file, and adds to its result the problems that it made. */
  after(path: string, work: () => Promise<ToolResult>, signal: AbortSignal): Promise<ToolResult>;
}

/** What there is to know of a path before it is read or written, wherever its spelling leads. */
export interface GuardedPath extends Location {
  /** Experts must neither see nor change it. */
  readonly hidden: boolean;
  /** Why writing it is always asked about; `undefined` when it is a file like any other. */
  readonly steers: string | undefined;
  /** Reading it is asked about: it looks like a file with keys or passwords, or is outside. */
  readonly secret: boolean;
}

/** The one place where paths are judged, whichever tool or command names them. */
export interface PathGuard {
  /**
   * Follows links, also where the end of the path does not exist yet. Throws `FileError` when it
   * cannot be told where the path leads, or what is hidden: that means no.
   *
   * @param path relative to the workspace, or absolute; `..` may be in it
   */
  look(path: string): Promise<GuardedPath>;
}

export interface ToolContext {
  /** Without those that are hidden from experts: they are refused. */
  readonly files: FileSystem;
  /** Where an editor has unsaved changes of a file, its document is read and written instead. */
  readonly documents: EditorDocuments;
  readonly changes: ChangeRecorder;
  readonly guard: PathGuard;
  readonly shell: Shell;
  readonly commands: TaskCommands;
  /** Absent where commands cannot be sandboxed. */
  readonly sandbox?: CommandSandbox;
  readonly clock: Clock;
  /**
   * Finds out what a command line would do, without running anything.
   *
   * @param folder the one that it would run in; canonical
   */
  review(line: string, folder: string): Promise<CommandReview>;
  readonly search: Search;
  readonly web?: Web;
  readonly webSearch?: WebSearch;
  readonly charts?: Charts;
  readonly problems?: ProblemWatch;
  /** The task's folder, as in `.rooroo/tasks/ID`; long outputs are kept there whole. */
  readonly taskFolder: string;
  readonly callId: string;
  /** Runs work on one file alone among the tasks of this process. */
  alone<T>(path: string, work: () => Promise<T>): Promise<T>;
  readonly signal: AbortSignal;
  /** Live output for the card; not part of the result. */
  readonly onOutput: (text: string) => void;
  readonly onEvent: (event: CommandEvent) => void;
}

/** What a call printed, as a process would have. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** Something of it is left out. */
  readonly truncated: boolean;
  /** It was ended before its time. */
  readonly killed: boolean;
}

/** A failure is a result too: its content tells the model what to do next. */
export interface ToolResult {
  readonly ok: boolean;
  /** The call did its work though not with the result hoped for, as a test run that finds a bug. */
  readonly worked?: boolean;
  /** For the model. */
  readonly content: string;
  /** A unified diff of what changed, for the card. */
  readonly diff?: string;
  /** Lines of {@link content} that people are to see at once, as what the sandbox did not keep. */
  readonly notes?: readonly string[];
  /** For a dialect that tells results in this form; others go without it. */
  readonly printed?: Printed;
  /** The task's steps, which the call was about. */
  readonly checklist?: readonly ChecklistStep[];
}

/** The part of a call that the person who is asked may write anew. */
export interface Editable {
  readonly kind: "command" | "file";
  /** What the model proposed. */
  readonly text: string;
  /** The call with another text: checked, and shown, like a call of its own. */
  prepare(edited: string): Promise<PreparedCall | ToolResult>;
  /** For the model: what the person made of it. */
  note(edited: string): string;
}

/** A call that has been understood and can be carried out. */
export interface PreparedCall {
  /** `undefined`: nothing that anyone needs to be asked about. */
  readonly intent?: Intent;
  /** What else it would do; each is decided on by itself, and all of it is allowed or nothing done. */
  readonly more?: readonly Intent[];
  readonly editable?: Editable;
  run(granted: Granted): Promise<ToolResult>;
}

/** A tool whose call changes or reads the world. */
export interface Tool<Arguments = unknown> {
  readonly kind: "action";
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType<Arguments>;
  /** JSON Schema that a model is told of in the place of that of `parameters`. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly access: ToolAccess;
  /** The tool that is offered in its place where commands can be sandboxed. */
  readonly inSandbox?: Tool<Arguments>;
  /** It is offered only where there is this. */
  readonly needs?: "web" | "webSearch" | "charts" | "problems";
  /** What the card says, as in `src/cart.js:10-40`. Called with arguments that fit. */
  title(args: Arguments): string;
  /**
   * Looks, without changing anything, at what the call would do. A call that cannot work (no such
   * file, text not found) is answered here with a failed result, before anyone is asked.
   */
  prepare(args: Arguments, context: ToolContext): Promise<PreparedCall | ToolResult>;
}

/** A tool whose call ends the turn: the loop hands its arguments to whoever runs the agent. */
export interface EndingTool {
  readonly kind: "question" | "completion";
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType;
  /** Brings what models are known to send into the schema's shape, where the meaning is certain. */
  readonly normalise?: (json: unknown) => unknown;
}

/** Any action's arguments are its own business: `never` lets all of them into one list. */
export type AnyTool = Tool<never> | EndingTool;
