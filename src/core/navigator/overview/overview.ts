import type { PendingMessage } from "../../agent/pendingMessages.js";
import type { ChangeCount } from "../../changes/changeSummary.js";
import type { ModeProblem } from "../../experts/modeProblem.js";
import type { ConversationId, TaskId } from "../../ids.js";
import type { LockHolder } from "../../ports/locks.js";
import type { SessionUsage } from "../../ports/messages.js";
import type { TeamPlanStatus, TeamTaskState } from "../../ports/teamQueue.js";
import type { Said } from "../../text/words.js";
import type { PlanPlace } from "../worktrees/planPlace.js";

/** `foreign`: the task's files were not written by this installation, so none of them counts. */
export type TaskState =
  | "needsYou"
  | "running"
  | "queued"
  | "interrupted"
  | "done"
  | "failed"
  | "foreign";

/** The view model of a task, read from the queue and the task's folder. */
export interface TaskView {
  readonly taskId: TaskId;
  readonly mode: string;
  readonly goal: string;
  readonly state: TaskState;
  readonly planId: string | null;
  /** Whether the task has a line in the queue; it keeps it while it runs. */
  readonly isQueued?: true;
  /** Whether the queue stops before the task until the user says so. */
  readonly isHeld?: true;
  /** Whether a queued task seems to be done already: the user is asked before it runs. */
  readonly seemsDone?: true;
  /** Whether it is no task yet, but a request that was interrupted; its `goal` is what the user said. */
  readonly isRequest?: true;
  /** The conversation in which it was started. Absent: it is only queued, or from an earlier version. */
  readonly conversation?: ConversationId;
  /** A workspace path, as is `reportPath`. Absent: there is no such file. */
  readonly contextPath?: string;
  readonly reportPath?: string;
  /** The question that the task asks the user, if it has one. */
  readonly question?: PendingQuestion;
  /** The report's message, or the approval that the task waits for. */
  readonly message?: Said;
  /** The model usage and the time that the task took, once it has ended. */
  readonly effort?: SessionUsage;
  /** The user's messages that the task's expert has not been told yet, oldest first. Absent: none. */
  readonly messages?: readonly PendingMessage[];
  /** Whether the task has changed files of the project. */
  readonly hasChanges?: true;
  /** How much it had changed when it ended. Absent: nothing, or that is not known. */
  readonly changes?: ChangeCount;
  /** Set if the task's changes were undone: the paths of those that were left alone. */
  readonly undone?: { readonly left: readonly string[] };
  /** Where it is worked on. Absent: here. */
  readonly away?: AwayMachine;
  /** Milliseconds since the epoch of the last change; 0 when unknown. */
  readonly changedAt: number;
}

/** A machine of the team that has a task. */
export interface AwayMachine {
  readonly machine: string;
  readonly attempt: number;
}

export type PlanState = "running" | "waiting" | "halted" | "queued" | "done";

/** The view model of a plan. Its `effort` is that of all its tasks, the planner's own included. */
export interface PlanView {
  readonly planId: string;
  /** The planner's goal. */
  readonly goal: string;
  /** The plan's overview, a workspace path. */
  readonly path: string;
  /** Ids of the plan's tasks: those that have left the queue, then the queued ones in queue order. */
  readonly tasks: readonly string[];
  readonly done: number;
  readonly state: PlanState;
  readonly effort: SessionUsage;
  /** Whether one of the plan's tasks has changed files of the project. */
  readonly hasChanges?: true;
}

/** A plan that other machines work on, or have worked on, and that is not here yet. */
export interface AwayPlan {
  readonly planId: string;
  readonly goal: string;
  readonly conversation?: ConversationId;
  /** `unknown`: the team could not be asked, does not know it, or what it knows cannot be read. */
  readonly state: TeamPlanStatus["state"] | "unknown";
  /** Why the team could not be asked, or what cannot be read. Absent: neither. */
  readonly problem?: string;
  /** In order. */
  readonly tasks: readonly AwayTask[];
}

export interface AwayTask extends Partial<AwayMachine> {
  readonly taskId: TaskId;
  readonly mode: string;
  readonly goal: string;
  readonly state: TeamTaskState | "unknown";
}

export interface PendingQuestion {
  readonly questionId: string;
  readonly text: string;
  readonly suggestions: readonly string[];
}

/** A line of the queue that cannot be used; it stays in the file. */
export interface QueueProblem {
  /** 1-based. */
  readonly line: number;
  /** The problem and what to do about it. */
  readonly reason: Said;
  readonly text: string;
}

/** An expert that the user can choose for a request. */
export interface ExpertChoice {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
}

/** The messages that wait for an agent of a job or run, oldest first. */
export interface UnitMessages {
  readonly taskId: TaskId;
  readonly messages: readonly PendingMessage[];
}

/** A task of earlier work that came with the folder: it is shown and read, and nothing of it is carried out. */
export interface EarlierTask {
  readonly taskId: TaskId;
  /** As its context file has it; empty if that does not say. */
  readonly goal: string;
  /** Workspace paths: its context file first, then what it has left. */
  readonly files: readonly string[];
  /** The overview of its plan, a workspace path. Absent: none is known. */
  readonly planPath?: string;
}

export interface Overview {
  /** Queued tasks in queue order, then the others, newest first. */
  readonly tasks: readonly TaskView[];
  readonly problems: readonly QueueProblem[];
  /** Problems in the user's own mode file. */
  readonly modeProblems: readonly ModeProblem[];
  /** The user's own experts, to which a request may be given. */
  readonly experts: readonly ExpertChoice[];
  /** The plans that have tasks, newest first. */
  readonly plans: readonly PlanView[];
  /** The user's messages to agents of jobs and runs that those have not been told yet. Absent: none. */
  readonly toUnits?: readonly UnitMessages[];
  /** The plans that work in worktrees. Absent: none. */
  readonly places?: readonly PlanPlace[];
  /** What came with the folder, the last id first. Absent: nothing. */
  readonly earlier?: readonly EarlierTask[];
  /** Workspace paths of what came beside these tasks: plans of others, and the log. Absent: nothing. */
  readonly earlierFiles?: readonly string[];
  /** The plans that other machines work on. Absent: none. */
  readonly away?: readonly AwayPlan[];
  /** The process that works on the queue now, which may be this one. */
  readonly holder?: LockHolder;
  /** Another process that runs a task now, from the queue or not. */
  readonly other?: LockHolder;
}
