import type { GrantStore } from "../approvals/grantStore.js";
import type { ConversationEvent } from "../conversation/events.js";
import type { ExpertWorld } from "../experts/expertWorld.js";
import type { Diagnostics, Lock } from "../ports.js";
import type { Redactor } from "../redactor.js";
import type { UsageLog } from "../spending/usageLog.js";
import type { JobDesk } from "./jobDesk.js";
import type { RunDesk } from "./runDesk.js";

/** What a Navigator is composed over. */
export interface NavigatorWorld extends Omit<
  ExpertWorld,
  | ("tools" | "writes" | "commandStops" | "assignable" | "modelsWithoutTools" | "windows")
  | ("problems" | "grants" | "spending" | "instructions" | "redactor" | "sandboxUse")
> {
  readonly lock: Lock;
  /** Knows the keys that are in use; absent where there are none. */
  readonly redactor?: Redactor | undefined;
  readonly diagnostics?: Diagnostics;
  /** Absent where there are no jobs. */
  readonly jobs?: JobDesk | undefined;
  /** Absent where there are no runs. */
  readonly runs?: RunDesk | undefined;
  /** Absent where nothing can be allowed for good. */
  readonly grantStore?: GrantStore | undefined;
  /** Absent where days are not counted. */
  readonly usageLog?: UsageLog | undefined;
  /** Gets every event, passing ones too, in order. */
  emit(event: ConversationEvent): void;
}
