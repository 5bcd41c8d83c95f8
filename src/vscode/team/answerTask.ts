import type { ConversationId, TaskId } from "../../core/ids.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";

/** Answers the question of a task, here or on another machine. Shows errors as {@link WorkspaceSession.run} does. */
export function answerTask(
  session: WorkspaceSession,
  taskId: TaskId,
  text: string,
  conversation?: () => ConversationId,
): Promise<void> {
  return session.run(async (navigator) => {
    const { team } = await session.runtime();
    if (!(await team.answer(taskId, text))) await navigator.answer(taskId, text);
  }, conversation);
}
