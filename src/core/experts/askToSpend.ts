import type { AgentEvent } from "../agent/events.js";
import type { AgentEnd } from "../agent/loop.js";
import type { ProposedAction } from "../agent/tool.js";
import type { Approver } from "../approvals/approver.js";
import type { TaskId } from "../ids.js";
import type { Ids } from "../ports/system.js";
import type { ReachedLimit } from "../spending/spending.js";
import { type Drafted, words } from "../text/words.js";

interface Asker {
  readonly taskId: TaskId;
  readonly ids: Ids;
  readonly approver: Approver;
  readonly onEvent: (event: Drafted<AgentEvent>) => void;
}

/**
 * Asks the user whether to continue beyond a limit; resolves with `undefined` when the work continues.
 */
export async function askToSpend(
  limit: ReachedLimit,
  { taskId, ids, approver, onEvent }: Asker,
  signal: AbortSignal,
): Promise<Extract<AgentEnd, { type: "stopped" | "waitsForApproval" }> | undefined> {
  const callId = `limit-${ids.hex(12)}`;
  const approvalId = `a-${ids.hex(12)}`;
  const { title, text } = limit;
  const why = words("A limit that you set is reached.");
  const decidedBy = `rooroo.limits.${limit.of}` as const;
  const action: ProposedAction = { access: "spend", title, preview: { kind: "text", text } };
  const ended = (ok: boolean, output: string): void => {
    onEvent({ type: "toolEnded", callId, ok, output, durationMs: 0 });
  };
  const asked = { approvalId, callId };
  onEvent({ type: "toolStarted", callId, tool: "spend_limit", title: limit.used });
  onEvent({ type: "approvalRequested", ...asked, why, action, decidedBy });
  try {
    const answer = await approver.request({ ...asked, why, taskId, action, options: [] }, signal);
    if (answer.type === "unavailable") return { type: "waitsForApproval", callId, action };
    const isAllowed = answer.type === "allowed";
    onEvent({ type: "approvalResolved", approvalId, allowed: isAllowed });
    ended(isAllowed, "");
    if (!isAllowed) return { type: "stopped" };
    limit.goOn();
    return undefined;
  } catch (error) {
    ended(false, "Stopped.");
    throw error;
  }
}
