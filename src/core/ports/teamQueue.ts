import type { TaskId } from "../ids.js";

/** A plan as it is sent: ids and hashes, and nothing of what it is about. */
export interface TeamPlan {
  readonly id: string;
  /** The repository's name, as in {@link teamName}. Each worker's own list says where that is. */
  readonly repository: string;
  /** The full name of the team commit that the plan begins with. */
  readonly base: string;
  /** In order. `labels`: what a worker must have. */
  readonly tasks: readonly { readonly id: TaskId; readonly labels: readonly string[] }[];
  /** The team key's signature of all of it. */
  readonly signature: string;
}

/** Who claims tasks. */
export interface TeamWorker {
  /** The machine's name, for display. */
  readonly machine: string;
  readonly repositories: readonly string[];
  readonly labels: readonly string[];
}

/** What a person said to a question or an approval. */
export type TeamAnswer =
  /** `commit`: the full name of the commit with the words that say why, if there are any. */
  | {
      readonly kind: "approval";
      readonly choice: "allow" | "deny";
      readonly commit?: string;
      readonly signature: string;
    }
  /** `commit`: the full name of the commit with the words. */
  | { readonly kind: "question"; readonly commit: string; readonly signature: string };

export interface TeamAsk {
  readonly id: string;
  readonly kind: "question" | "approval";
  /** A hash of what is asked, so that an answer counts for nothing else. */
  readonly subject: string;
}

/** One attempt of one task, which this process has. Every call with it is refused when another has taken over. */
export interface TeamClaim {
  readonly plan: TeamPlan;
  readonly taskId: TaskId;
  /** From 1; each claim of the task has the next number. */
  readonly attempt: number;
  /** The team commit to go on from: the task's last one, the result of the task before it, or the plan's base. */
  readonly from: string;
  /** The number of attempts that ended without a result at one call of the model, since a person was asked last. */
  readonly deaths: number;
  /** The answers of this task that were not used yet. */
  readonly answers: readonly (TeamAsk & { readonly answer: TeamAnswer })[];
}

export type TeamTaskState = "waiting" | "queued" | "running" | "asking" | "done" | "failed";

/** A plan and how far it is. */
export interface TeamPlanStatus extends TeamPlan {
  readonly state: "open" | "done" | "failed" | "cancelled";
  readonly progress: readonly {
    readonly id: TaskId;
    readonly state: TeamTaskState;
    readonly attempt: number;
    readonly machine: string | undefined;
    /** The newest team commit of the task. */
    readonly commit: string | undefined;
    /** What waits for a person. */
    readonly asks: readonly TeamAsk[];
  }[];
}

/** A row of the queue that cannot be read, and is left out. */
export interface OddRow {
  /** The plan to which it belongs, if that is known. */
  readonly plan: string | undefined;
  /** Names it, as in `task ROO#SUB_A_S001`; all of it is visible. */
  readonly row: string;
  /** The names of what cannot be read of it. */
  readonly columns: readonly string[];
}

/** What a queue knows of plans. One of whose own rows one is odd is not among them. */
export interface KnownPlans {
  readonly plans: readonly TeamPlanStatus[];
  readonly odd: readonly OddRow[];
}

/**
 * The queue of a team, which workers on several machines work off: the tasks of a plan one after the other, each with
 * one result. It knows no content. Methods that return a boolean return `false` when they were refused, because the
 * claim is another's by now, or an answer was given already.
 */
export interface TeamQueue {
  /** Returns `false` if the plan was sent before. */
  send(plan: TeamPlan): Promise<boolean>;
  /**
   * Takes the next tasks that the worker may work on; none if there are none now.
   *
   * @param most how many at most
   */
  claim(worker: TeamWorker, most: number): Promise<readonly TeamClaim[]>;
  /**
   * Calls `heard` when there may be something to claim, first when it has begun to listen, until the returned function is
   * called. It is a hint, which can be lost; and nobody else is told of the next task of a plan that whoever settled the
   * one before may take.
   */
  onReady(worker: TeamWorker, heard: () => void): () => void;
  /**
   * Calls `heard` with a plan that has ended, or waits for a person or not any more, and without one when that may have
   * been missed, as when it has begun to listen; until the returned function is called.
   */
  onChanged(heard: (planId?: string) => void): () => void;
  /**
   * Tells that the process is alive, for all of its claims at once. A claim without this for ten seconds is given to
   * another. Returns those of the claims that still count.
   */
  beat(claims: readonly TeamClaim[]): Promise<ReadonlySet<TeamClaim>>;
  /**
   * Records which call of the model the attempt is at, until it ends. If it then ends without a result, or its worker is
   * silent, it counts together with others that were at the same call; see {@link TeamClaim.deaths}.
   *
   * @param call how many replies there were before
   */
  asksModel(claim: TeamClaim, call: number): Promise<boolean>;
  /** Records the commit from which the next attempt would go on. */
  saved(claim: TeamClaim, commit: string): Promise<boolean>;
  /** Ends the attempt with a question; the task is queued again when it is answered. */
  ask(claim: TeamClaim, ask: TeamAsk, commit: string): Promise<boolean>;
  /** Uses up an answer. */
  useAnswer(claim: TeamClaim, askId: string): Promise<boolean>;
  /** Ends the task. If it is done, the next one of the plan is queued. */
  settle(claim: TeamClaim, end: "done" | "failed", commit: string): Promise<boolean>;
  /**
   * Ends the attempt without a result; the task is queued again. `stopped`: the worker was told to end, so that the
   * next attempt may begin at once and this one says nothing about the task.
   */
  release(claim: TeamClaim, how: { stopped: boolean }): Promise<boolean>;
  /** Answers what is asked. Returns `false` if it was answered already, or is not asked. */
  answer(askId: string, answer: TeamAnswer): Promise<boolean>;
  /** Ends a plan whose tasks are to be worked on no more. */
  cancel(planId: string): Promise<boolean>;
  /** Returns what is known of the plans with these ids, in their order; nothing of those that it does not know. */
  plans(ids: readonly string[]): Promise<KnownPlans>;
  /** Says that whoever sent a plan needs it no more. A plan that is worked on stays as it is. */
  forget(planId: string): Promise<void>;
  /** Gives the tasks of silent workers back to the queue. */
  takeOver(): Promise<void>;
  /** Removes what is known of plans that were forgotten so many days ago. */
  clean(days: number): Promise<void>;
  close(): Promise<void>;
}

/** The number of attempts that may end without a result at the same call, before a person is asked about the task. */
export const mostDeaths = 5;

/** The days after which what is known of a plan is removed, if its sender needs it no more and no worker says otherwise. */
export const usualKeepDays = 30;

/** Matches the name of a repository, or a label: workers are told of tasks by it. */
export const teamName = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** Matches the full name of a commit. */
export const commitName = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
