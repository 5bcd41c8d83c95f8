import { parseJsonLine, toJsonLine } from "../documents/jsonLines.js";
import type { TaskId } from "../ids.js";
import type { FileSystem } from "../ports/files.js";
import type { Clock } from "../ports/system.js";
import { Redactor } from "../text/redactor.js";
import { activityLogPath } from "./activityLogPath.js";

type Severity = "INFO" | "WARN" | "ERROR" | "CRITICAL";

/** The types of activities (R-ROO-29). */
type ActivityType =
  | "TRIAGE_DECIDED"
  | "ANNOUNCED"
  | "PLAN_REQUEST_INITIATED"
  | "PLANNER_SUCCESS"
  | "PLANNER_ADVICE_RECEIVED"
  | "PLANNER_NEEDS_CLARIFICATION"
  | "PLAN_REPORT_INVALID"
  | "QUEUE_PARSE_ERROR"
  | "INVALID_TASK_IN_QUEUE"
  | "TASK_QUEUED"
  | "TASK_DEQUEUED"
  | "TASK_DELEGATED"
  | "TASK_DELEGATION_FAILED"
  | "TASK_RESUMED"
  | "TASK_STOPPED"
  | "EXPERT_REPORT_RECEIVED"
  | "EXPERT_REPORT_INVALID"
  | "EXPERT_UNEXPECTED_STATUS"
  | "TASK_ARTIFACTS_PRODUCED"
  | "TASK_ABORTED"
  | "AWAITING_USER_COMMAND"
  | "SYSTEM_HALT";

export interface Activity {
  readonly type: ActivityType;
  /** The agent that acted. Default: `rooroo-navigator`. */
  readonly agent?: string;
  readonly severity?: Severity;
  readonly taskId?: TaskId;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Workspace paths. */
  readonly outputs?: readonly string[];
}

/** Bytes at the end of the log in which a recent line is searched for. */
const recentBytes = 256 * 1024;

interface Line {
  readonly event_type?: unknown;
  readonly task_id?: unknown;
}

/** Append-only record of what happened, one JSON object a line. */
export class ActivityLog {
  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    /** Called when a line could not be written; the work continues without it. */
    private readonly onFailure: (error: unknown) => void,
    /** Removes from all lines what must not be stored. */
    private readonly redactor: Redactor = new Redactor(),
  ) {}

  async record(given: Activity): Promise<void> {
    const activity = this.redactor.each(given);
    const line = toJsonLine({
      timestamp: this.clock.now().toISOString(),
      agent_slug: activity.agent ?? "rooroo-navigator",
      severity: activity.severity ?? "INFO",
      event_type: activity.type,
      ...(activity.taskId === undefined ? {} : { task_id: activity.taskId }),
      details: activity.details ?? {},
      ...(activity.outputs === undefined ? {} : { output_references: activity.outputs }),
    });
    try {
      await this.files.appendLines(activityLogPath, [line]);
    } catch (error) {
      this.onFailure(error);
    }
  }

  /** Returns whether one of the newest lines has this type and task; older lines are not searched. */
  async hasRecent(type: ActivityType, taskId: TaskId): Promise<boolean> {
    const size = (await this.files.stat(activityLogPath))?.size ?? 0;
    if (size === 0) return false;
    const start = Math.max(0, size - recentBytes);
    const bytes = await this.files.readRange(activityLogPath, start, size);
    return new TextDecoder()
      .decode(bytes)
      .split("\n")
      .some((line) => {
        if (!line.includes(taskId)) return false;
        const json = parseJsonLine(line);
        const { event_type: found, task_id: id } = (json.ok ? json.value : {}) as Line;
        return found === type && id === taskId;
      });
  }
}
