import type { ChildProcess } from "node:child_process";
import type { SandboxAbility, SandboxLayer, SandboxProfile } from "../../core/ports/shell.js";
import type { HostAccess } from "./hostProxy.js";
import type { SandboxLimits } from "./sandboxLimits.js";

/** A command line that is to run in a sandbox. */
export interface SandboxedRequest {
  readonly profile: SandboxProfile;
  /** The absolute path of the shell that reads the command line. */
  readonly shell: string;
  readonly command: string;
  /** The absolute path of the folder in which the command starts. */
  readonly folder: string;
  /** The environment that the command would see outside of the sandbox. */
  readonly env: NodeJS.ProcessEnv;
  /** The marker by which the command's processes are found; it is in `env`, too. */
  readonly marker: string;
  /** Whether the command's standard input is a pipe. Else it is closed. */
  readonly hasInput: boolean;
  /** Whether standard output and standard error have separate pipes. */
  readonly separateStreams: boolean;
  /** Milliseconds in which remaining processes may still print after the command has ended. */
  readonly drainTimeoutMs: number;
}

/** A command that has been started in a sandbox. */
export interface SandboxedCommand {
  readonly child: ChildProcess;
  /** Whether the child is the sandbox around the command, which must not be asked to end. */
  readonly isAround: boolean;
  /** Calls `tooMuch` once when the command exceeds a limit, with words such as `memory (4 GB)`. */
  watch(tooMuch: (limit: string) => void): void;
  /** Waits until no process of the command runs any more. To be called when the child has ended. */
  finish(): Promise<{
    readonly layer?: SandboxLayer;
    readonly limit?: string;
    /** Whether processes that the command had left running were ended. Absent: the sandbox does not know. */
    readonly leftRunning?: boolean;
  }>;
  /** Removes what was made for the command, if its layer is not used. */
  discard(): Promise<void>;
}

/** Runs command lines so that they harm nothing. */
export interface Sandbox {
  /** Resolves with whether the sandbox works here. It may be tried out at the first call. */
  ability(): Promise<SandboxAbility>;
  /** Resolves when the command itself begins. Throws a {@link FileError} where it cannot be set up. */
  start(request: SandboxedRequest): Promise<SandboxedCommand>;
}

export interface SandboxOptions {
  /**
   * The absolute path of a folder of this program's own, outside of every workspace. It contains what
   * commands write until that is judged, and the caches of their tools.
   */
  readonly data: string;
  /** Absolute paths that no command may read, such as the folder of this program's settings. */
  readonly hidden?: readonly string[];
  /** Limits other than the usual ones. */
  readonly limits?: Partial<SandboxLimits>;
  /** The user's home folder. Default: the one that the system names. */
  readonly home?: string;
  /** The connections to named hosts. Default: by the system's resolver. */
  readonly hostAccess?: HostAccess;
}
