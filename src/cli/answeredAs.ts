import type { ConversationEvent } from "../core/conversation/events.js";
import { isOfJob } from "../core/jobs/jobUnit.js";

/** What `rooroo answer` is to be told: a task's id, or the id that a job's question has in its file. */
export function answeredAs({
  taskId,
  questionId,
}: Extract<ConversationEvent, { type: "question" }>): string | null {
  return taskId !== null && isOfJob(taskId) ? questionId : taskId;
}
