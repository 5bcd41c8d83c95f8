import type { Activity } from "../activity/activityLog.js";
import type { Report } from "../experts/report.js";

/**
 * Returns the line of the activity log about an expert's report.
 *
 * @param expert the mode's slug
 */
export function reportReceived(taskId: string, expert: string, report: Report): Activity {
  const { status, message, output_artifact_paths: outputs } = report;
  return {
    type: "EXPERT_REPORT_RECEIVED",
    severity: status === "Failed" ? "ERROR" : "INFO",
    taskId,
    details: { expert, status, message },
    outputs,
  };
}
