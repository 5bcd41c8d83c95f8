import type { ConversationEvent } from "../core/conversation/events.js";

/** What `rooroo answer` is to be told: a task's id, or the id that a job's question has in its file. */
export function answeredAs({
  taskId,
  questionId,
}: Extract<ConversationEvent, { type: "question" }>): string | null {
  return taskId?.startsWith("ROO#JOB_") === true ? questionId : taskId;
}
