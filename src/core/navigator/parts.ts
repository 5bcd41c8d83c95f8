import type { ActivityLog } from "../activity/activityLog.js";
import type { ExpertWorld } from "../experts/expertWorld.js";
import type { Modes } from "../experts/modes.js";
import type { FileSystem, Lock } from "../ports.js";
import type { ActiveWork } from "./activeWork.js";
import type { JobDesk } from "./jobDesk.js";
import type { Narrator } from "../conversation/narrator.js";
import type { QueueStore } from "./queueStore.js";
import type { RunDesk } from "./runDesk.js";
import type { TaskStore } from "./taskStore.js";

/** The dependencies that the navigator's classes share. */
export interface Parts {
  readonly experts: ExpertWorld;
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly store: TaskStore;
  readonly queue: QueueStore;
  readonly active: ActiveWork;
  readonly modes: Modes;
  readonly narrator: Narrator;
  readonly activity: ActivityLog;
  /** Absent where there are no jobs. */
  readonly jobs?: JobDesk | undefined;
  /** Absent where there are no runs. */
  readonly runs?: RunDesk | undefined;
}
