import type { AgentEvent, DecidedBy } from "../../agent/events.js";
import type { TaskId } from "../../ids.js";
import { appendOutput, previewDiff, previewOutput } from "./boundedOutput.js";
import {
  addItem,
  callItem,
  itemOfKind,
  putItem,
  type ConversationState,
  type ItemChange,
} from "./conversationState.js";
import type { DecisionView, Item, ItemOrigin } from "./items.js";
import { partsRefusedText } from "./partsRefusedText.js";
import { summarisedText } from "./summarisedText.js";
import { addCallUsage } from "./usageTotals.js";

type ToolItem = Extract<Item, { kind: "tool" }>;
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
    case "reasoningStarted":
    case "reasoningDelta":
    case "reasoning":
      return showReasoning(state, event, origin);
    case "text":
      return completeText(state, event, origin);
    case "retrying":
      return restartText(state, event, origin);
    case "repaired":
    case "replyRejected":
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
      const { tokens, limit, guessed, parts } = event;
      const context = {
        tokens,
        taskId: origin.taskId,
        ...(parts === undefined ? {} : { parts }),
        ...(limit === undefined ? {} : { limit }),
        ...(guessed === undefined ? {} : { guessed }),
      };
      state.usage = { ...state.usage, context };
      return [];
    }
    case "messageDelivered": {
      const { id, text } = event;
      const { taskId: to, ...shown } = origin;
      return addItem(state, { kind: "user", id, ...shown, text, to });
    }
    case "summarised":
      return addNotice(state, event.messageId, summarisedText(event, state.t), origin);
    case "partsRefused": {
      const text = partsRefusedText(event, state.t);
      return addNotice(state, `${event.messageId} ${text}`, text, origin);
    }
    case "usage":
      state.usage = addCallUsage(state.usage, event.usage, origin.at);
      return [];
  }
}

function addNotice(
  state: ConversationState,
  id: string,
  text: string,
  { at, work }: AgentOrigin,
): ItemChange[] {
  const shown = { level: "info", text, steps: [], ...(work && { work }) } as const;
  return addItem(state, { kind: "notice", id, at, ...shown });
}

/** Shows what a model thinks, from its first moment, and how long it has thought. */
function showReasoning(
  state: ConversationState,
  event: EventOf<"reasoningStarted" | "reasoningDelta" | "reasoning">,
  origin: AgentOrigin,
): ItemChange[] {
  const id = `${event.messageId} thought`;
  const known = itemOfKind(state, id, "reasoning");
  if (known === undefined) {
    const text = event.type === "reasoningStarted" ? "" : event.text;
    const streaming = event.type !== "reasoning";
    return addItem(state, { kind: "reasoning", id, ...origin, text, streaming });
  }
  switch (event.type) {
    case "reasoningStarted":
      return [];
    case "reasoningDelta":
      return known.streaming ? [putItem(state, { ...known, text: known.text + event.text })] : [];
    case "reasoning": {
      const ms = known.durationMs ?? Math.max(0, Date.parse(origin.at) - Date.parse(known.at));
      return [putItem(state, { ...known, text: event.text, streaming: false, durationMs: ms })];
    }
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
  { messageId: id, attempt, attempts, code, waitMs }: EventOf<"retrying">,
  origin: AgentOrigin,
): ItemChange[] {
  const item = itemOfKind(state, id, "text");
  if (state.positions.has(id) && !item?.streaming) return [];
  const retry = { attempt, attempts, code, ...(waitMs === undefined ? {} : { waitMs }) };
  const begun = item ?? ({ kind: "text", id, ...origin } as const);
  return [putItem(state, { ...begun, text: "", streaming: true, retry })];
}

/** Notes on a message that its reply was repaired or rejected. The first note of a kind stays. */
function remarkOnText(
  state: ConversationState,
  event: EventOf<"repaired" | "replyRejected">,
  origin: AgentOrigin,
): ItemChange[] {
  const { messageId: id } = event;
  const remark = event.type === "repaired" ? { repairs: event.repairs } : { rejected: event.why };
  const item = itemOfKind(state, id, "text");
  if (item === undefined) {
    return addItem(state, { kind: "text", id, ...origin, text: "", streaming: false, ...remark });
  }
  const isNoted = event.type === "repaired" ? item.repairs : item.rejected;
  return isNoted ? [] : [putItem(state, { ...item, ...remark })];
}

/**
 * Adds a call, or marks an interrupted one as running again. Where something else has come after it, as
 * when a task is resumed, the call begins anew at the end: what waits for a person is never further up.
 */
function startCall(
  state: ConversationState,
  { callId, tool, title }: EventOf<"toolStarted">,
  origin: AgentOrigin,
): ItemChange[] {
  const begun = { kind: "tool", ...origin, tool, title, output: "", omitted: 0 } as const;
  const known = callItem(state, callId);
  if (known === undefined) return addItem(state, { ...begun, id: callId, state: "running" });
  if (known.state === "interrupted" && !isFollowedByOthers(state, known)) {
    return [putItem(state, { ...known, state: "running" })];
  }
  const wasStopped = known.state === "failed" && known.approval?.state === "gone";
  if (known.state !== "interrupted" && !wasStopped) return [];
  const id = freeId(state, callId);
  state.calls.set(callId, id);
  return addItem(state, { ...begun, id, callId, state: "running" });
}

/** Returns whether items that are not calls of the same task follow the call. */
function isFollowedByOthers(state: ConversationState, { id, taskId }: ToolItem): boolean {
  const after = state.items.slice((state.positions.get(id) ?? 0) + 1);
  return after.some((item) => item.kind !== "tool" || item.taskId !== taskId);
}

function freeId(state: ConversationState, callId: string): string {
  let count = 2;
  while (state.positions.has(`${callId}#${count}`)) count++;
  return `${callId}#${count}`;
}

/** Applies what has become known of a call. */
function changeCall(
  state: ConversationState,
  event: EventOf<
    "toolOutput" | "toolEnded" | "commandRunsOn" | "commandEnded" | "callAllowed" | "callEdited"
  >,
): ItemChange[] {
  const item = callItem(state, event.callId);
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
      return [putItem(state, { ...item, edited: event.action })];
  }
}

function requestApproval(
  state: ConversationState,
  event: EventOf<"approvalRequested">,
): ItemChange[] {
  const { approvalId, action, options, editable, machine } = event;
  const item = callItem(state, event.callId);
  if (item === undefined || state.approvals.has(approvalId)) return [];
  state.approvals.set(approvalId, item.id);
  const approval = {
    approvalId,
    action,
    state: "open" as const,
    why: decisionOf(event),
    ...(options === undefined ? {} : { options }),
    ...(editable === undefined ? {} : { editable }),
    ...(machine === undefined ? {} : { machine }),
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
