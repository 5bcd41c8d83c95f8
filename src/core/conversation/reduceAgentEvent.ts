import type { AgentEvent, DecidedBy } from "../agent/events.js";
import { addUsage } from "./addUsage.js";
import { appendOutput, previewDiff, previewOutput } from "./boundedOutput.js";
import { addItem, itemOfKind, putItem } from "./conversationState.js";
import type { ConversationState, ItemChange } from "./conversationState.js";
import type { DecisionView, ItemOrigin } from "./items.js";
import type { TaskId } from "../ids.js";

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

/** The fields of an agent's event that its items have too. */
interface AgentOrigin extends ItemOrigin {
  readonly taskId: TaskId;
}

/** Applies an event of a running agent to the state, by the rules of `applyEvent`. */
export function applyAgentEvent(
  state: ConversationState,
  event: AgentEvent,
  origin: AgentOrigin,
): ItemChange[] {
  switch (event.type) {
    case "textDelta":
      return appendText(state, event, origin);
    case "text":
      return completeText(state, event, origin);
    case "askingAgain":
      return restartText(state, event, origin);
    case "repaired":
    case "sentBack":
      return remarkOnText(state, event, origin);
    case "toolStarted":
      return startCall(state, event, origin);
    case "toolOutput":
    case "toolEnded":
    case "commandRunsOn":
    case "commandEnded":
    case "callAllowed":
    case "callEdited":
      return changeCall(state, event);
    case "approvalRequested":
      return requestApproval(state, event);
    case "approvalResolved":
      return resolveApproval(state, event);
    case "checklist":
      return showChecklist(state, event, origin);
    case "context": {
      const { tokens, limit, guessed } = event;
      const context = {
        tokens,
        ...(limit === undefined ? {} : { limit }),
        ...(guessed === undefined ? {} : { guessed }),
      };
      state.usage = { ...state.usage, context };
      return [];
    }
    case "summarised": {
      const text = `The first ${event.messages} messages of this task were summarized for the model, because its context window was full. The task's transcript keeps all of them.`;
      const { at, work } = origin;
      const shown = { level: "info", text, steps: [], ...(work && { work }) } as const;
      return addItem(state, { kind: "notice", id: event.messageId, at, ...shown });
    }
    case "usage":
      state.usage = addUsage(state.usage, event.usage, origin.at);
      return [];
  }
}

function appendText(
  state: ConversationState,
  { messageId: id, text }: EventOf<"textDelta">,
  origin: AgentOrigin,
): ItemChange[] {
  if (!state.positions.has(id)) {
    return [putItem(state, { kind: "text", id, ...origin, text, streaming: true })];
  }
  const item = itemOfKind(state, id, "text");
  if (!item?.streaming) return [];
  return [putItem(state, { ...item, text: item.text + text })];
}

function completeText(
  state: ConversationState,
  { messageId: id, text }: EventOf<"text">,
  origin: AgentOrigin,
): ItemChange[] {
  if (!state.positions.has(id)) {
    if (text === "") return [];
    return [putItem(state, { kind: "text", id, ...origin, text, streaming: false })];
  }
  const item = itemOfKind(state, id, "text");
  if (!item || (!item.streaming && item.text === text)) return [];
  return [putItem(state, { ...item, text, streaming: false })];
}

/** Empties a message whose reply failed, because the request is retried. */
function restartText(
  state: ConversationState,
  { messageId: id, attempt, attempts, code }: EventOf<"askingAgain">,
  origin: AgentOrigin,
): ItemChange[] {
  const item = itemOfKind(state, id, "text");
  if (state.positions.has(id) && !item?.streaming) return [];
  const again = { attempt, attempts, code };
  const begun = item ?? ({ kind: "text", id, ...origin } as const);
  return [putItem(state, { ...begun, text: "", streaming: true, again })];
}

/** Notes on a message that its reply was repaired or rejected. The first note of a kind stays. */
function remarkOnText(
  state: ConversationState,
  event: EventOf<"repaired" | "sentBack">,
  origin: AgentOrigin,
): ItemChange[] {
  const { messageId: id } = event;
  const remark = event.type === "repaired" ? { repairs: event.repairs } : { sentBack: event.why };
  const item = itemOfKind(state, id, "text");
  if (item === undefined) {
    return addItem(state, { kind: "text", id, ...origin, text: "", streaming: false, ...remark });
  }
  const isNoted = event.type === "repaired" ? item.repairs : item.sentBack;
  return isNoted ? [] : [putItem(state, { ...item, ...remark })];
}

/** Adds a call, or marks an interrupted one as running again. */
function startCall(
  state: ConversationState,
  { callId: id, tool, title }: EventOf<"toolStarted">,
  origin: AgentOrigin,
): ItemChange[] {
  const known = itemOfKind(state, id, "tool");
  if (known?.state === "interrupted") return [putItem(state, { ...known, state: "running" })];
  return addItem(state, {
    kind: "tool",
    id,
    ...origin,
    tool,
    title,
    state: "running",
    output: "",
    omitted: 0,
  });
}

/** Applies what has become known of a call. */
function changeCall(
  state: ConversationState,
  event: EventOf<
    "toolOutput" | "toolEnded" | "commandRunsOn" | "commandEnded" | "callAllowed" | "callEdited"
  >,
): ItemChange[] {
  const item = itemOfKind(state, event.callId, "tool");
  if (item === undefined) return [];
  switch (event.type) {
    case "toolOutput":
      if (event.text === "" || (item.state !== "running" && item.runsOn !== true)) return [];
      return [putItem(state, { ...item, ...appendOutput(item, event.text) })];
    case "toolEnded": {
      const { ok, output, diff, notes, durationMs } = event;
      const open = item.approval?.state === "open" ? item.approval : undefined;
      return [
        putItem(state, {
          ...item,
          state: ok ? "ok" : "failed",
          ...previewOutput(output),
          ...(diff === undefined ? {} : { diff: previewDiff(diff) }),
          ...(notes === undefined ? {} : { notes }),
          durationMs,
          ...(open === undefined ? {} : { approval: { ...open, state: "gone" } }),
        }),
      ];
    }
    case "commandRunsOn":
      return item.state === "running" ? [putItem(state, { ...item, runsOn: true })] : [];
    case "commandEnded": {
      if (item.runsOn !== true) return [];
      const { ok, output, durationMs } = event;
      // The state of a call that is still running is set by its own result.
      const done = item.state === "running" ? item.state : ok ? "ok" : "failed";
      const ended = { runsOn: false, state: done, ...previewOutput(output), durationMs } as const;
      return [putItem(state, { ...item, ...ended })];
    }
    case "callAllowed":
      return [putItem(state, { ...item, allowed: decisionOf(event) })];
    case "callEdited":
      return [putItem(state, { ...item, edited: event.intent })];
  }
}

function requestApproval(
  state: ConversationState,
  event: EventOf<"approvalRequested">,
): ItemChange[] {
  const { approvalId, intent, offers, editable } = event;
  const item = itemOfKind(state, event.callId, "tool");
  if (item === undefined || state.approvals.has(approvalId)) return [];
  state.approvals.set(approvalId, item.id);
  const approval = {
    approvalId,
    action: intent,
    state: "open" as const,
    why: decisionOf(event),
    ...(offers === undefined ? {} : { options: offers }),
    ...(editable === undefined ? {} : { editable }),
  };
  return [putItem(state, { ...item, approval })];
}

function resolveApproval(
  state: ConversationState,
  { approvalId, allowed, reason, granted }: EventOf<"approvalResolved">,
): ItemChange[] {
  const item = itemOfKind(state, state.approvals.get(approvalId) ?? "", "tool");
  if (item?.approval?.approvalId !== approvalId) return [];
  const approval = {
    ...item.approval,
    state: allowed ? ("allowed" as const) : ("denied" as const),
    ...(reason === undefined ? {} : { reason }),
    ...(granted === undefined ? {} : { granted }),
  };
  return [putItem(state, { ...item, approval })];
}

function decisionOf(event: {
  why: string;
  decidedBy?: DecidedBy;
  sandboxed?: boolean;
}): DecisionView {
  const { why, decidedBy, sandboxed } = event;
  return {
    text: why,
    ...(decidedBy === undefined ? {} : { decidedBy }),
    ...(sandboxed === undefined ? {} : { sandboxed }),
  };
}

/** Shows the task's steps, once for each of its runs. */
function showChecklist(
  state: ConversationState,
  { steps }: EventOf<"checklist">,
  origin: AgentOrigin,
): ItemChange[] {
  const { taskId } = origin;
  const id = `${taskId}~${state.tasks.get(taskId)?.runs ?? 0}`;
  const before = itemOfKind(state, id, "checklist");
  if (before) return [putItem(state, { ...before, steps })];
  return steps.length === 0 ? [] : addItem(state, { kind: "checklist", id, ...origin, steps });
}
