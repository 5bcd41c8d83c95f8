import type { WorkspaceHost } from "../../experts/workspaceHost.js";
import type { Words } from "../../text/words.js";
import type { TaskWorktrees } from "../../work/taskWorktrees.js";
import type { PlanPlace } from "./planPlace.js";
import type { PlanWorktrees } from "./planWorktrees.js";
import type { ToldOfWorktree } from "./worktreeRecovery.js";

/** Says where the tasks of plans work. A single task is a plan of one. */
export interface PlanHosts {
  /**
   * Returns the worktree of a plan, which is made if need be; `undefined`: its tasks work in the user's folder.
   *
   * @param isolate whether a plan that has none gets one
   * @param tell is told, before one is made, what is done only in part
   * @throws {UserError} with why the plan cannot have one, or has it no more
   */
  hostOf(
    planId: string,
    isolate: boolean,
    tell: (text: Words) => void,
  ): Promise<WorkspaceHost | undefined>;
  /** Returns the worktrees of jobs' tasks. */
  readonly forJobs: () => Promise<TaskWorktrees>;
  /** Returns the plans in worktrees that are neither landed nor discarded. */
  places(): Promise<readonly PlanPlace[]>;
  /** Looks, after a task of a plan, what landing the plan will conflict with, for {@link places}. */
  look(planId: string): Promise<void>;
  /** Returns what lands and discards plans. */
  worktrees(): Promise<PlanWorktrees>;
  /** Removes what a process that was killed left of worktrees, and returns what the user is to be told. */
  recover(): Promise<readonly ToldOfWorktree[]>;
}
