import type { ConversationEvent } from "../../core/conversation/events.js";
import { isOfJob } from "../../core/jobs/jobUnit.js";

/**
 * Returns the id to give to `rooroo answer`: a task's id or, for a job's question, its id in the job file.
 * Returns `null` if the Navigator itself asks.
 */
export function answeredAs({
  taskId,
  questionId,
}: Extract<ConversationEvent, { type: "question" }>): string | null {
  return taskId !== null && isOfJob(taskId) ? questionId : taskId;
}
