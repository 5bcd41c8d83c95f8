import type { PermissionStore } from "../approvals/permissions.js";
import type { Emit } from "../conversation/events/eventPublisher.js";
import type { ExpertServices } from "../experts/expertServices.js";
import type { ModelsWithoutTools } from "../experts/modelsWithoutTools.js";
import type { WorkspaceHost } from "../experts/workspaceHost.js";
import type { Diagnostics } from "../ports/editor.js";
import type { Lock } from "../ports/locks.js";
import type { UsageLog } from "../spending/usageLog.js";
import type { Redactor } from "../text/redactor.js";
import type { WorkServices } from "./requests/workServices.js";
import type { PlanHosts } from "./worktrees/planHosts.js";

/** The dependencies from which a Navigator is composed. */
export interface NavigatorServices
  extends
    Omit<
      ExpertServices,
      | (
          | "host"
          | "tools"
          | "commandStops"
          | "assignable"
          | "modelsWithoutTools"
          | "windows"
          | "tokenFactors"
        )
      | ("permissions" | "spending" | "instructions" | "redactor" | "sandboxUse" | "messages")
    >,
    Omit<WorkspaceHost, "writes" | "problems"> {
  readonly lock: Lock;
  /** Absent: what is learnt is this Navigator's own. */
  readonly modelsWithoutTools?: ModelsWithoutTools | undefined;
  /** Removes the keys that are in use from texts. Absent: there are no keys. */
  readonly redactor?: Redactor | undefined;
  readonly diagnostics?: Diagnostics;
  /** Absent: all tasks work in the user's folder. */
  readonly planHosts?: PlanHosts | undefined;
  /** Absent: there is no long work here. */
  readonly works?: WorkServices | undefined;
  /** Absent: nothing can be allowed permanently. */
  readonly permissionStore?: PermissionStore | undefined;
  /** Absent: usage per day is not counted. */
  readonly usageLog?: UsageLog | undefined;
  /** Receives every event in order, transient ones included. */
  readonly emit: Emit;
}
