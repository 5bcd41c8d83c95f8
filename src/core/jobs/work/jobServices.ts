import type { EventPublisher } from "../../conversation/eventPublisher.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import type { TaskWorktrees } from "./workPlace.js";

/** The dependencies of jobs. */
export interface JobServices {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly experts: ExpertServices;
  /** Absent: all work is done in the folder. */
  readonly worktrees?: TaskWorktrees | undefined;
  /** Publishes the events of all jobs. */
  readonly publisher: EventPublisher;
}
