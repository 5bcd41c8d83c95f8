import type { SandboxLayer, SandboxProfile } from "../ports/shell.js";

/** The terms for a command that runs in the sandbox because code allowed it, without asking a person. */
export interface SandboxTerms {
  readonly network: SandboxProfile["network"];
  /** `ownFolder`: only changes in the task's own folder are kept. */
  readonly keeps: "ownFolder" | "project";
  /** Whether the command is known to only read. It then needs no writable tool caches and starts sooner. */
  readonly onlyReads: boolean;
}

/** The permission that a call has, which decides where its command runs. */
export interface Granted {
  /** Absent: the command runs outside the sandbox, like any program of the user's. */
  readonly sandbox?: SandboxTerms | undefined;
}

/** A change of a sandboxed command that was not kept. */
export interface DroppedChange {
  /** Canonical path. */
  readonly path: string;
  /** The reason in a sentence, for the expert and for people. */
  readonly why: string;
}

/** The outcome of the changes that a sandboxed command made. */
export interface LayerOutcome {
  /** Sorted by path. */
  readonly dropped: readonly DroppedChange[];
  /** Number of changed files that were too many to be recorded for review and undo. */
  readonly unrecorded: number;
}

/** The sandbox for the commands of one expert. */
export interface CommandSandbox {
  /** Whether commands write to the workspace directly, so that there is no layer to judge afterwards. */
  readonly direct: boolean;
  /** Whether the tool has a parameter with which the expert can ask to run a command outside the sandbox. */
  readonly canAskToLeave: boolean;
  /**
   * Returns the sandbox's profile for a command.
   *
   * @throws a `FileError` if it cannot be determined which files are ignored
   */
  profile(terms: SandboxTerms): Promise<SandboxProfile>;
  /** Returns whether something is in the workspace at a path. */
  isThere(path: string): Promise<boolean>;
  /**
   * Judges every change of a layer, records the permitted ones for review and undo, and applies them to the
   * workspace. Does not discard the layer.
   */
  keep(layer: SandboxLayer, terms: SandboxTerms): Promise<LayerOutcome>;
}
