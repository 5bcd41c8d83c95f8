import type { ActivityLog } from "../activity/activityLog.js";
import type { EventPublisher } from "../conversation/events/eventPublisher.js";
import type { ExpertServices } from "../experts/expertServices.js";
import type { Modes } from "../experts/modes.js";
import type { FileSystem } from "../ports/files.js";
import type { Lock } from "../ports/locks.js";
import type { QueueStore } from "./queue/queueStore.js";
import type { GivenRequests } from "./requests/givenRequests.js";
import type { WorkServices } from "./requests/workServices.js";
import type { ActiveWork } from "./tasks/activeWork.js";
import type { TaskStore } from "./tasks/taskStore.js";
import type { PlanHosts } from "./worktrees/planHosts.js";

/** The dependencies that the navigator's classes share. */
export interface NavigatorDependencies {
  readonly experts: ExpertServices;
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly store: TaskStore;
  readonly queue: QueueStore;
  readonly active: ActiveWork;
  readonly requests: GivenRequests;
  readonly modes: Modes;
  readonly publisher: EventPublisher;
  readonly activity: ActivityLog;
  /** Absent: all tasks work in the user's folder. */
  readonly planHosts?: PlanHosts | undefined;
  readonly works: WorkServices;
}
