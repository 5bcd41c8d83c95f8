import { recordUndone, type UndoneOfTask } from "../../core/navigator/recovery/undoTrace.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";

/** Records that changes of tasks were undone, and shows it in the conversation. */
export async function tellUndone(
  undone: readonly UndoneOfTask[],
  session: WorkspaceSession,
): Promise<void> {
  for (const { event, conversation } of await recordUndone(undone, session.stores)) {
    session.tell(event, conversation);
  }
}
