import type { SandboxLayer, SandboxProfile } from "../ports.js";

/** What a command gets that runs in the sandbox because code allowed it, without asking a person. */
export interface SandboxTerms {
  readonly network: SandboxProfile["network"];
  /** `ownFolder`: only what it changes in the task's own folder stays. */
  readonly keeps: "ownFolder" | "project";
  /** It is known to only read: it needs no caches of tools to write, and so starts sooner. */
  readonly onlyReads: boolean;
}

/** How a call was permitted, which decides where its command runs. */
export interface Granted {
  /** Absent where a person's word lets the command run like any program of theirs. */
  readonly sandbox?: SandboxTerms | undefined;
}

/** A change that did not stay. */
export interface DroppedChange {
  /** Canonical. */
  readonly path: string;
  /** The reason in a sentence, for the expert and for people. */
  readonly why: string;
}

/** What became of the changes that a sandboxed command made. */
export interface LayerOutcome {
  /** Sorted by path. */
  readonly dropped: readonly DroppedChange[];
  /** How many files were changed beyond those that review and undo can keep. */
  readonly unrecorded: number;
}

/** The sandbox as it is for one expert's commands. */
export interface CommandSandbox {
  /** Commands write the workspace itself, so there is no layer to judge afterwards. */
  readonly direct: boolean;
  /** The tool has a parameter with which the expert can ask to run a command outside. */
  readonly canAskToLeave: boolean;
  /** Throws a `FileError` when it cannot be told what is hidden. */
  profile(terms: SandboxTerms): Promise<SandboxProfile>;
  /**
   * Judges every change, notes those that may stay for review and undo, and puts them into the
   * workspace. The layer is not discarded.
   */
  keep(layer: SandboxLayer, terms: SandboxTerms): Promise<LayerOutcome>;
}
