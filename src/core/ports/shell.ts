import type { Said } from "../text/words.js";
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
  readonly separateStreams?: boolean;
  /** The text on the command's standard input. Absent: it is closed. */
  readonly input?: string;
  /** Environment variables besides the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
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

/** The parts of the workspace and of the network that a sandboxed command can see. */
export interface SandboxProfile {
  /**
   * Returns whether the command finds this file or folder empty, as ignored files and those that may
   * hold secrets. Called with canonical workspace paths, with a folder before its contents.
   *
   * @param isFolder absent: it is not known
   */
  masks(path: string, isFolder?: boolean): boolean;
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

/** A file that a sandboxed command made, changed or removed, not in the workspace yet. */
export interface LayerChange {
  /** Canonical workspace path. */
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "removed";
  /** Bytes of a file; 0 for anything else. */
  readonly size: number;
  /** The target of a link, as the link has it. */
  readonly target?: string;
}

/** What a sandboxed command changed and what cannot be applied, so that it is no {@link LayerChange}. */
export interface LayerLeft {
  /** Workspace path; bytes that are no UTF-8 are written as `\\xff`. */
  readonly path: string;
  /**
   * `tooMuch`: there is no room for it in what a command may write; `tooMany`: in this folder and beyond, nothing was looked at
   * any more.
   */
  readonly why: "notUtf8" | "tooLong" | "tooMuch" | "tooMany";
}

/**
 * The changes of a sandboxed command. They lie outside the workspace until {@link apply} puts them
 * there, so that code can judge each change first.
 */
export interface SandboxLayer {
  /** Sorted by path, so that a folder comes before what is in it. */
  readonly changes: readonly LayerChange[];
  /** Sorted by path. */
  readonly left: readonly LayerLeft[];
  /** Returns the content of a changed file. Throws {@link FileError}. */
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

/** Says whether commands can be sandboxed on this machine. */
export type SandboxAbility =
  /**
   * `name`: the sandbox and its version, such as `bubblewrap 0.8.0`. `direct`: commands write the workspace itself and leave no
   * {@link SandboxLayer}, so everything that they may not change has to be protected beforehand.
   */
  | { readonly available: true; readonly name: string; readonly direct?: boolean }
  /** `reason`: what is missing and what to do, in a sentence or two for people. */
  | { readonly available: false; readonly reason: Said };

export interface ShellResult {
  /** `null` when a signal ended the command. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The cause of the command's end. `itself`: it ended on its own. */
  readonly endedBy: "itself" | "timeout" | "stop" | "limit";
  /** The limit that the command exceeded, where one ended it, as in `memory (4 GB)`. */
  readonly limit?: string;
  /** Standard output and error together; the middle is left out when it is long. */
  readonly output: string;
  /** Characters of the output that were left out of {@link output}. */
  readonly omitted: number;
  /** The outputs of the two streams, if {@link ShellRequest.separateStreams} asked for them. */
  readonly streams?: { readonly stdout: string; readonly stderr: string };
  readonly durationMs: number;
  /** Whether the command ended by itself and had left processes running, which were ended then. */
  readonly leftRunning?: true;
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
   * Runs one command line. When the command has ended, the signal aborts or
   * the time is up, everything that it started is ended. Throws {@link FileError} when the shell cannot
   * be started.
   */
  run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult>;
  /** Ends the orphaned processes of commands whose host was killed, as far as they can be found. */
  endOrphaned(): Promise<void>;
}
