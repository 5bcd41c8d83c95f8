import type { ExpertServices } from "../../experts/expertServices.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { LandedTask, TaskWorktree } from "../../work/taskWorktrees.js";

/** Where a lifecycle's session works. */
export interface WorkPlace {
  readonly experts: ExpertServices;
  /** Returns the files with which the changes of the task's sessions are recorded. */
  changed(): FileSystem;
  /** Puts what the task has changed into the user's folder. */
  land(session: TaskId): Promise<LandedTask>;
  release(): Promise<void>;
}

/** Returns the user's folder as the place of a session's work. */
export function folderPlace(experts: ExpertServices): WorkPlace {
  return {
    experts,
    changed: () => experts.files,
    land: () => Promise.resolve({ type: "landed", left: [] }),
    release: () => Promise.resolve(),
  };
}

/** Returns a worktree as the place of a session's work. */
export function worktreePlace(experts: ExpertServices, worktree: TaskWorktree): WorkPlace {
  const { host } = worktree;
  let changed = host.files;
  return {
    experts: { ...experts, host, files: host.files },
    changed: () => changed,
    land: async (session) => {
      const landed = await worktree.land(session);
      // What has landed is recorded in the folder, and the worktree is gone.
      if (landed.type === "landed") changed = experts.files;
      return landed;
    },
    release: () => worktree.release(),
  };
}
