import type { UserError } from "../errors.js";
import type { LongWork, TaskId } from "../ids.js";
import type { Said } from "../text/words.js";
import type { Stopped } from "./stop.js";

/** An agent that works for a piece of work. */
export interface AgentAtWork {
  /** The id of its session. */
  readonly taskId: TaskId;
  /** The mode's slug. */
  readonly mode: string;
  /** What it does, in one line. */
  readonly goal: Said;
}

/** Something that a person is asked. */
interface Need {
  readonly kind: "question" | "confirmation";
  /** The question's or the proposal's. */
  readonly id: string;
  /** The question, or what the proposal says. */
  readonly text: string;
}

/**
 * How a person can have long work go on that nobody works on: `RETRY` has what failed tried again, `SKIP` goes on without it,
 * and `RESUME` goes on with what was interrupted.
 */
export type GoingOn = "RETRY" | "SKIP" | "RESUME";

/** What a person answers to long work: a text to a question, the next three to a proposal, the others where it has stopped. */
export type WorkAnswer =
  | { readonly type: "RETRY" }
  | { readonly type: "SKIP" }
  | { readonly type: "RESUME" }
  | { readonly type: "TEXT"; readonly text: string }
  | { readonly type: "CONFIRM" }
  | { readonly type: "MODIFY"; readonly words: string }
  | { readonly type: "CANCEL" };

/** What is shown of a job or a run where all kinds of long work are shown together. */
export interface Work {
  readonly ref: LongWork;
  /** What a person calls it: a job's name, a run's request. */
  readonly title: string;
  /** Whether a process works on it. */
  readonly isAtWork: boolean;
  /** Whether no agent will work on it any more, unless a person begins it again. */
  readonly isOver: boolean;
  /** Whether it came with the folder, and nobody has taken it over. */
  readonly isForeign: boolean;
  readonly progress: WorkProgress;
  /** The agents at work for it, in any process. */
  readonly agents: readonly AgentAtWork[];
  /** The last agent, while the work goes on and none is at work, as between two lifecycles; `null` at other times. */
  readonly lastAgent: AgentAtWork | null;
  /** What a person is asked. The work may go on meanwhile. */
  readonly needs: readonly Need[];
  /** What a person can have done where it has failed or was interrupted, and why that is. Absent: it is neither. */
  readonly stopped?: { readonly why: string; readonly goesOn: readonly GoingOn[] };
  /** Returns whether an agent session belongs to it. */
  readonly owns: (taskId: TaskId) => boolean;
}

export interface WorkProgress {
  /** The number of tasks that are planned so far, and how many of them are done. */
  readonly total: number;
  readonly done: number;
  /** From 0 to 100; `null` where that cannot be known, because more tasks are planned on the way. */
  readonly percent: number | null;
}

/** One kind of long work, as a process does it. A new kind of work implements this, and `Work` for what is shown of it. */
export interface WorkKind {
  /** Returns whether this process works on it. */
  isHere(name: string): boolean;
  /** Notes that a person has named it to go on with it, and so takes it over. */
  takeOver(name: string): Promise<void>;
  /** Stops it in whichever process works on it, and waits up to 30 seconds for that. */
  stop(name: string): Promise<Stopped>;
  /** Stops all that this process works on, before the process itself ends. */
  stopOwn(reason: UserError): Promise<void>;
}
