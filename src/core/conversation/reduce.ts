import type { AgentEvent, DecidedBy } from "../agent/events.js";
import { appendOutput, previewDiff, previewOutput } from "./boundedOutput.js";
import { itemById, putItem } from "./conversationState.js";
import type { ConversationState, ItemChange } from "./conversationState.js";
import type { ConversationEvent } from "./events.js";
import type { DecisionView, Item } from "./items.js";
import { addUsage } from "./addUsage.js";
import { settle } from "./settle.js";

type EventOf<T extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: T }>;
type ItemOf<K extends Item["kind"]> = Extract<Item, { kind: K }>;

/**
 * Applies an event to the state and returns the items that are new or changed, each once. Never throws: an
 * event about something unknown (the file's beginning may be missing), or one that has been seen before,
 * changes nothing.
 */
export function applyEvent(
  state: ConversationState,
  event: ConversationEvent,
): readonly ItemChange[] {
  switch (event.type) {
    case "user":
      return say(state, event);
    case "notice": {
      const { id, at, level, text, steps } = event;
      return addOnce(state, { kind: "notice", id, at, level, text, steps });
    }
    case "taskStarted":
      return startTask(state, event);
    case "taskEnded":
      return endTask(state, event);
    case "question":
      return ask(state, event);
    case "answered": {
      const question = itemOf(state, event.questionId, "question");
      if (question === undefined) return [];
      const said = lastItems(state, question.id).some(
        (item) => item.kind === "user" && item.text.trim() === event.text.trim(),
      );
      return [putItem(state, { ...question, answer: event.text, ...(said ? { said } : {}) })];
    }
    case "proposal":
      return propose(state, event);
    case "proposalAnswered": {
      const item = itemOf(state, event.proposalId, "proposal");
      if (item?.answer !== undefined || item === undefined) return [];
      return [putItem(state, { ...item, answer: event.answer, words: event.words })];
    }
    case "agent":
      return applyAgentEvent(state, event.event, event.taskId, event.at);
    case "tasksChanged":
      return [];
  }
}

/** Returns whether there has been no user input since the task's last item. */
function isLatest(state: ConversationState, taskId: string): boolean {
  const last = lastItems(state).find(
    (item) => item.kind === "user" || ("taskId" in item && item.taskId === taskId),
  );
  return last !== undefined && last.kind !== "user";
}

/** Adds user input, which answers the Navigator's own question if there is one. */
function say(state: ConversationState, event: EventOf<"user">): ItemChange[] {
  const { id, at, text } = event;
  if (state.positions.has(id)) return [];
  const asked = itemOf(state, state.ownQuestion ?? "", "question");
  state.ownQuestion = undefined;
  return [
    ...(asked ? [putItem(state, { ...asked, answer: text, said: true })] : []),
    putItem(state, { kind: "user", id, at, text }),
  ];
}

function ask(state: ConversationState, event: EventOf<"question">): ItemChange[] {
  const { questionId: id, at, taskId, mode, text, suggestions } = event;
  if (state.positions.has(id)) return [];
  if (taskId === null) state.ownQuestion = id;
  const before = lastItems(state).find((item) => "taskId" in item && item.taskId === taskId);
  const repeats =
    (before?.kind === "text" && before.text.trim() === text.trim()) ||
    (before?.kind === "report" && before.message.trim() === text.trim());
  return [
    putItem(state, {
      kind: "question",
      id,
      at,
      taskId,
      mode,
      text,
      suggestions,
      ...(repeats ? { repeats } : {}),
    }),
  ];
}

/** Adds a proposal, or updates the shown one as long as it is not answered. */
function propose(state: ConversationState, event: EventOf<"proposal">): ItemChange[] {
  const { type, proposalId: id, ...content } = event;
  const shown = itemOf(state, id, "proposal");
  if (shown === undefined) return addOnce(state, { kind: type, id, ...content });
  if (shown.answer !== undefined) return [];
  const { at, intro } = shown;
  return [putItem(state, { ...shown, ...content, at, intro: content.intro || intro })];
}

/** Returns at most the 20 newest items, newest first; with `after`, only those after that item. */
function lastItems(state: ConversationState, after?: string): Item[] {
  const start = state.positions.get(after ?? "") ?? -1;
  return state.items.slice(Math.max(start + 1, state.items.length - 20)).reverse();
}

function startTask(state: ConversationState, event: EventOf<"taskStarted">): ItemChange[] {
  const { at, taskId, mode, goal } = event;
  const counts = state.tasks.get(taskId) ?? { runs: 0, reports: 0, ended: true };
  const before = itemOf(state, runId(taskId, counts.runs), "task");
  if (before?.running) return [];
  if (before && !counts.ended && isLatest(state, taskId)) {
    return [putItem(state, { ...before, running: true })];
  }
  const runs = counts.runs + 1;
  state.tasks.set(taskId, { ...counts, runs, ended: false });
  return [
    putItem(state, {
      kind: "task",
      id: runId(taskId, runs),
      at,
      taskId,
      mode,
      goal,
      running: true,
    }),
  ];
}

function endTask(state: ConversationState, event: EventOf<"taskEnded">): ItemChange[] {
  const { at, taskId, mode, end, message, artifacts, changedFiles, waitsFor } = event;
  const counts = state.tasks.get(taskId) ?? { runs: 0, reports: 0, ended: true };
  state.tasks.set(taskId, { ...counts, ended: true });
  // The question's item shows that the task waits.
  if (waitsFor === "answer") return settle(state, taskId);
  const running = itemOf(state, runId(taskId, counts.runs), "task")?.running ?? false;
  const last = itemOf(state, reportId(taskId, counts.reports), "report");
  if (!running && last?.end === end && last.message === message) return [];
  const reports = counts.reports + 1;
  state.tasks.set(taskId, { ...counts, reports, ended: true });
  return [
    ...settle(state, taskId),
    putItem(state, {
      kind: "report",
      id: reportId(taskId, reports),
      at,
      taskId,
      mode,
      end,
      message,
      artifacts,
      ...(changedFiles === undefined ? {} : { changedFiles }),
    }),
  ];
}

function applyAgentEvent(
  state: ConversationState,
  event: AgentEvent,
  taskId: string,
  at: string,
): ItemChange[] {
  switch (event.type) {
    case "textDelta": {
      const { messageId: id, text } = event;
      if (!state.positions.has(id)) {
        return [putItem(state, { kind: "text", id, at, taskId, text, streaming: true })];
      }
      const item = itemOf(state, id, "text");
      if (!item?.streaming) return [];
      return [putItem(state, { ...item, text: item.text + text })];
    }
    case "text": {
      const { messageId: id, text } = event;
      if (!state.positions.has(id)) {
        if (text === "") return [];
        return [putItem(state, { kind: "text", id, at, taskId, text, streaming: false })];
      }
      const item = itemOf(state, id, "text");
      if (!item || (!item.streaming && item.text === text)) return [];
      return [putItem(state, { ...item, text, streaming: false })];
    }
    case "askingAgain": {
      const { messageId: id, attempt, attempts, code } = event;
      const item = itemOf(state, id, "text");
      if (state.positions.has(id) && !item?.streaming) return [];
      const again = { attempt, attempts, code };
      const begun = item ?? ({ kind: "text", id, at, taskId } as const);
      return [putItem(state, { ...begun, text: "", streaming: true, again })];
    }
    case "repaired": {
      const { messageId: id, repairs } = event;
      const item = itemOf(state, id, "text");
      if (item) return item.repairs ? [] : [putItem(state, { ...item, repairs })];
      return addOnce(state, {
        kind: "text",
        id,
        at,
        taskId,
        text: "",
        streaming: false,
        repairs,
      });
    }
    case "sentBack": {
      const { messageId: id, why: sentBack } = event;
      const item = itemOf(state, id, "text");
      if (item) return item.sentBack ? [] : [putItem(state, { ...item, sentBack })];
      return addOnce(state, {
        kind: "text",
        id,
        at,
        taskId,
        text: "",
        streaming: false,
        sentBack,
      });
    }
    case "toolStarted": {
      const { callId: id, tool, title } = event;
      const cutOff = itemOf(state, id, "tool");
      if (cutOff?.state === "interrupted") return [putItem(state, { ...cutOff, state: "running" })];
      return addOnce(state, {
        kind: "tool",
        id,
        at,
        taskId,
        tool,
        title,
        state: "running",
        output: "",
        omitted: 0,
      });
    }
    case "toolOutput": {
      const item = itemOf(state, event.callId, "tool");
      if (item === undefined || event.text === "") return [];
      if (item.state !== "running" && item.runsOn !== true) return [];
      return [putItem(state, { ...item, ...appendOutput(item, event.text) })];
    }
    case "toolEnded": {
      const item = itemOf(state, event.callId, "tool");
      if (item === undefined) return [];
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
    case "commandRunsOn": {
      const item = itemOf(state, event.callId, "tool");
      return item?.state === "running" ? [putItem(state, { ...item, runsOn: true })] : [];
    }
    case "commandEnded": {
      const item = itemOf(state, event.callId, "tool");
      if (item?.runsOn !== true) return [];
      const { ok, output, durationMs } = event;
      // The state of a call that is still running is set by its own result.
      const done = item.state === "running" ? item.state : ok ? "ok" : "failed";
      return [
        putItem(state, {
          ...item,
          runsOn: false,
          state: done,
          ...previewOutput(output),
          durationMs,
        }),
      ];
    }
    case "approvalRequested": {
      const item = itemOf(state, event.callId, "tool");
      if (item === undefined || state.approvals.has(event.approvalId)) return [];
      const { approvalId, intent, offers, editable } = event;
      state.approvals.set(approvalId, item.id);
      return [
        putItem(state, {
          ...item,
          approval: {
            approvalId,
            intent,
            state: "open",
            why: decisionOf(event),
            ...(offers === undefined ? {} : { offers }),
            ...(editable === undefined ? {} : { editable }),
          },
        }),
      ];
    }
    case "approvalResolved": {
      const { approvalId, allowed, reason, granted } = event;
      const item = itemOf(state, state.approvals.get(approvalId) ?? "", "tool");
      if (item?.approval?.approvalId !== approvalId) return [];
      return [
        putItem(state, {
          ...item,
          approval: {
            ...item.approval,
            state: allowed ? "allowed" : "denied",
            ...(reason === undefined ? {} : { reason }),
            ...(granted === undefined ? {} : { granted }),
          },
        }),
      ];
    }
    case "callAllowed": {
      const item = itemOf(state, event.callId, "tool");
      return item === undefined ? [] : [putItem(state, { ...item, allowed: decisionOf(event) })];
    }
    case "callEdited": {
      const item = itemOf(state, event.callId, "tool");
      return item === undefined ? [] : [putItem(state, { ...item, edited: event.intent })];
    }
    case "checklist": {
      const id = checklistId(taskId, state.tasks.get(taskId)?.runs ?? 0);
      const before = itemOf(state, id, "checklist");
      const { steps } = event;
      if (before) return [putItem(state, { ...before, steps })];
      return steps.length === 0 ? [] : addOnce(state, { kind: "checklist", id, at, taskId, steps });
    }
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
      const text = `The first ${event.messages} messages of this task are summarised for the model, because its context window was full. The task's transcript keeps them all.`;
      const shown = { level: "info", text, steps: [] } as const;
      return addOnce(state, { kind: "notice", id: event.messageId, at, ...shown });
    }
    case "usage":
      state.usage = addUsage(state.usage, event.usage, at);
      return [];
  }
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

function addOnce(state: ConversationState, item: Item): ItemChange[] {
  return state.positions.has(item.id) ? [] : [putItem(state, item)];
}

/** Returns an item; `undefined` also if the id belongs to an item of another kind. */
function itemOf<K extends Item["kind"]>(
  state: ConversationState,
  id: string,
  kind: K,
): ItemOf<K> | undefined {
  const item = itemById(state, id);
  return item?.kind === kind ? (item as ItemOf<K>) : undefined;
}

/**
 * Returns the id of a run's item. A task that is resumed gets a new item, further down; one that was
 * interrupted and continues by itself keeps its item.
 */
function runId(taskId: string, run: number): string {
  return `${taskId}#${run}`;
}

function checklistId(taskId: string, run: number): string {
  return `${taskId}~${run}`;
}

function reportId(taskId: string, report: number): string {
  return `${taskId}!${report}`;
}
