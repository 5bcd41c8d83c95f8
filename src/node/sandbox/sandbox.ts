import type { ChildProcess } from "node:child_process";
import type { SandboxAbility, SandboxLayer, SandboxProfile } from "../../core/ports.js";

/** One command line that is to run in a sandbox. */
export interface SandboxedRequest {
  readonly profile: SandboxProfile;
  /** The absolute path of the shell that reads the command line. */
  readonly shell: string;
  readonly command: string;
  /** The absolute path of the folder in which it starts. */
  readonly folder: string;
  /** What a command outside of the sandbox would see. */
  readonly env: NodeJS.ProcessEnv;
  /** By which its processes are found; it is in `env` too. */
  readonly marker: string;
  /** Whether standard output and error come through pipes of their own. */
  readonly apart: boolean;
  /** How long what it left running may still print after it has ended. */
  readonly lastWordsMs: number;
}

/** A command that has been started in a sandbox. */
export interface SandboxedCommand {
  readonly child: ChildProcess;
  /** Whether the child is the sandbox around the command, which must not be asked to end. */
  readonly isAround: boolean;
  /** Calls back once when the command uses more than it may, with words such as `memory (4 GB)`. */
  watch(tooMuch: (limit: string) => void): void;
  /**
   * Waits until nothing of the command runs any more; to be called when the child has ended.
   */
  finish(): Promise<{ readonly layer?: SandboxLayer; readonly limit?: string }>;
  /** Removes what was made for the command, where nobody takes its layer. */
  discard(): Promise<void>;
}

/** What can run command lines so that they harm nothing. */
export interface Sandbox {
  /** Tries it at the first call. */
  ability(): Promise<SandboxAbility>;
  /** Resolves when the command itself begins. Throws a {@link FileError} where it cannot be set up. */
  start(request: SandboxedRequest): Promise<SandboxedCommand>;
}
