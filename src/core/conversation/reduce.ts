import { applyAgentEvent } from "./reduceAgentEvent.js";
import { addItem, itemOfKind, putItem } from "./conversationState.js";
import type { ConversationState, ItemChange } from "./conversationState.js";
import type { ConversationEvent } from "./events.js";
import type { Item, ItemOrigin } from "./items.js";
import { settle } from "./settle.js";

type EventOf<T extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: T }>;

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
      return addInput(state, event);
    case "notice": {
      const { id, level, text, steps } = event;
      return addItem(state, { kind: "notice", id, ...originOf(event), level, text, steps });
    }
    case "taskStarted":
      return startTask(state, event);
    case "taskEnded":
      return endTask(state, event);
    case "question":
      return ask(state, event);
    case "answered": {
      const question = itemOfKind(state, event.questionId, "question");
      if (question === undefined) return [];
      const wasTyped = lastItems(state, question.id).some(
        (item) => item.kind === "user" && item.text.trim() === event.text.trim(),
      );
      return [
        putItem(state, { ...question, answer: event.text, ...(wasTyped ? { wasTyped } : {}) }),
      ];
    }
    case "proposal":
      return propose(state, event);
    case "proposalAnswered": {
      const item = itemOfKind(state, event.proposalId, "proposal");
      if (item?.answer !== undefined || item === undefined) return [];
      return [putItem(state, { ...item, answer: event.answer, words: event.words })];
    }
    case "agent":
      return applyAgentEvent(state, event.event, { taskId: event.taskId, ...originOf(event) });
    case "tasksChanged":
      return [];
  }
}

function originOf({ at, work }: ConversationEvent): ItemOrigin {
  return work === undefined ? { at } : { at, work };
}

/** Returns whether there has been no user input since the task's last item. */
function isLatest(state: ConversationState, taskId: string): boolean {
  const last = lastItems(state).find(
    (item) => item.kind === "user" || ("taskId" in item && item.taskId === taskId),
  );
  return last !== undefined && last.kind !== "user";
}

/** Adds user input, which answers the Navigator's own question if there is one. */
function addInput(state: ConversationState, event: EventOf<"user">): ItemChange[] {
  const { id, at, text } = event;
  if (state.positions.has(id)) return [];
  const asked = itemOfKind(state, state.ownQuestion ?? "", "question");
  state.ownQuestion = undefined;
  return [
    ...(asked ? [putItem(state, { ...asked, answer: text, wasTyped: true })] : []),
    putItem(state, { kind: "user", id, at, text }),
  ];
}

function ask(state: ConversationState, event: EventOf<"question">): ItemChange[] {
  const { questionId: id, taskId, mode, text, suggestions } = event;
  if (state.positions.has(id)) return [];
  if (taskId === null && event.work === undefined) state.ownQuestion = id;
  const before = lastItems(state).find((item) => "taskId" in item && item.taskId === taskId);
  const repeats =
    (before?.kind === "text" && before.text.trim() === text.trim()) ||
    (before?.kind === "report" && before.message.trim() === text.trim());
  return [
    putItem(state, {
      kind: "question",
      id,
      ...originOf(event),
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
  const shown = itemOfKind(state, id, "proposal");
  if (shown === undefined) return addItem(state, { kind: type, id, ...content });
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
  const { taskId, mode, goal } = event;
  const counts = state.tasks.get(taskId) ?? { runs: 0, reports: 0, ended: true };
  const before = itemOfKind(state, runId(taskId, counts.runs), "task");
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
      ...originOf(event),
      taskId,
      mode,
      goal,
      running: true,
    }),
  ];
}

function endTask(state: ConversationState, event: EventOf<"taskEnded">): ItemChange[] {
  const { taskId, mode, end, message, artifacts, changedFiles, waitsFor } = event;
  const counts = state.tasks.get(taskId) ?? { runs: 0, reports: 0, ended: true };
  state.tasks.set(taskId, { ...counts, ended: true });
  // The question's item shows that the task waits.
  if (waitsFor === "answer") return settle(state, taskId);
  const running = itemOfKind(state, runId(taskId, counts.runs), "task")?.running ?? false;
  const last = itemOfKind(state, reportId(taskId, counts.reports), "report");
  if (!running && last?.end === end && last.message === message) return [];
  const reports = counts.reports + 1;
  state.tasks.set(taskId, { ...counts, reports, ended: true });
  return [
    ...settle(state, taskId),
    putItem(state, {
      kind: "report",
      id: reportId(taskId, reports),
      ...originOf(event),
      taskId,
      mode,
      end,
      message,
      artifacts,
      ...(changedFiles === undefined ? {} : { changedFiles }),
    }),
  ];
}

/**
 * Returns the id of a run's item. A task that is resumed gets a new item, further down; one that was
 * interrupted and continues by itself keeps its item.
 */
function runId(taskId: string, run: number): string {
  return `${taskId}#${run}`;
}

function reportId(taskId: string, report: number): string {
  return `${taskId}!${report}`;
}
