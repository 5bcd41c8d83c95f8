import type { EventPublisher } from "../../conversation/events/eventPublisher.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import type { TaskWorktrees } from "../../work/taskWorktrees.js";

/** The dependencies of jobs. */
export interface JobServices {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly experts: ExpertServices;
  /** Returns where tasks work if they are to have worktrees. Absent: there are none here. */
  readonly worktrees?: (() => Promise<TaskWorktrees>) | undefined;
  /** Publishes the events of all jobs. */
  readonly publisher: EventPublisher;
}
