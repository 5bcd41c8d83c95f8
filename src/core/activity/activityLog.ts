import type { Clock, FileSystem } from "../ports.js";
import { toJsonLine } from "../documents/jsonLines.js";
import { Redactor } from "../redactor.js";

type Severity = "INFO" | "WARN" | "ERROR" | "CRITICAL";

/** R-ROO-29. */
type ActivityType =
  | "TRIAGE_DECIDED"
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
  | "EXPERT_REPORT_RECEIVED"
  | "EXPERT_REPORT_INVALID"
  | "EXPERT_UNEXPECTED_STATUS"
  | "TASK_ARTIFACTS_PRODUCED"
  | "TASK_ABORTED"
  | "AWAITING_USER_COMMAND"
  | "SYSTEM_HALT";

export interface Activity {
  readonly type: ActivityType;
  /** Who acted, as in `rooroo-navigator`. */
  readonly agent?: string;
  readonly severity?: Severity;
  readonly taskId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Workspace paths. */
  readonly outputs?: readonly string[];
}

export const activityLogPath = ".rooroo/logs/activity.jsonl";

/** Append-only record of what happened, one JSON object a line. */
export class ActivityLog {
  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    /** Told when a line could not be written: the work goes on without it. */
    private readonly onFailure: (error: unknown) => void,
    /** Takes out of all lines what must not be kept. */
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
}
