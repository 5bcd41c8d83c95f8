import type { TaskId } from "../../ids.js";
import type { ConversationEvent, NextStep } from "../events/events.js";
import { inLanguage } from "../events/eventWords.js";
import {
  addItem,
  itemOfKind,
  putItem,
  type ConversationState,
  type ItemChange,
} from "./conversationState.js";
import type { Item, ItemOrigin } from "./items.js";
import { applyAgentEvent } from "./reduceAgentEvent.js";
import { applyPlan, askInPlan, endInPlan, startInPlan, useInPlan } from "./reducePlan.js";
import { endRestore, restore, undoRestore } from "./reduceRestored.js";
import { settle } from "./settle.js";

type EventOf<T extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: T }>;

/**
 * Applies an event to the state and returns the items that are new or changed, each once. Never throws: an
 * event about something unknown (the file's beginning may be missing), or one that has been seen before,
 * changes nothing. What is ours is shown in the language of the state.
 */
export function applyEvent(
  state: ConversationState,
  published: ConversationEvent,
): readonly ItemChange[] {
  const event = inLanguage(published, state.t);
  switch (event.type) {
    case "user":
      return addInput(state, event);
    case "notice": {
      if (event.hasCard) return [];
      const { id, level, text, steps } = event;
      if (steps.some(isSuggestion)) state.suggestions.add(id);
      return addItem(state, {
        kind: "notice",
        id,
        ...originOf(event),
        level,
        text,
        steps,
      });
    }
    case "sessionStarted":
      return [
        ...(event.work === undefined ? withdrawSuggestions(state, event.taskId) : []),
        ...startTask(state, event),
        ...startInPlan(state, event),
      ];
    case "sessionEnded":
      return [...endTask(state, event), ...endInPlan(state, event)];
    case "plan":
      return applyPlan(state, event);
    case "question":
      return [...ask(state, event), ...askInPlan(state, event.taskId ?? "", true)];
    case "answered": {
      const question = itemOfKind(state, event.questionId, "question");
      if (question === undefined) return [];
      const wasTyped = lastItems(state, question.id).some(
        (item) => isUserRequest(item) && item.text.trim() === event.text.trim(),
      );
      return [
        putItem(state, { ...question, answer: event.text, ...(wasTyped ? { wasTyped } : {}) }),
      ];
    }
    case "questionClosed": {
      const question = itemOfKind(state, event.questionId, "question");
      if (question === undefined || question.answer !== undefined || question.closed) return [];
      return [putItem(state, { ...question, closed: true })];
    }
    case "changesUndone": {
      const { taskId, at, left } = event;
      const { reports = 0 } = state.tasks.get(taskId) ?? {};
      const report = itemOfKind(state, reportId(taskId, reports), "report");
      return report === undefined ? [] : [putItem(state, { ...report, undone: { at, left } })];
    }
    case "proposal":
      return propose(state, event);
    case "proposalAnswered": {
      const item = itemOfKind(state, event.proposalId, "proposal");
      if (item?.answer !== undefined || item === undefined) return [];
      return [putItem(state, { ...item, answer: event.answer, words: event.words })];
    }
    case "agent": {
      const { taskId, event: own } = event;
      return [
        ...applyAgentEvent(state, own, { taskId, ...originOf(event) }),
        ...(own.type === "approvalRequested" ? askInPlan(state, taskId, true) : []),
        ...(own.type === "approvalResolved" ? askInPlan(state, taskId, false) : []),
        ...(own.type === "usage" ? useInPlan(state, taskId, own) : []),
      ];
    }
    case "restored":
      return restore(state, event);
    case "restoreEnded":
      return endRestore(state, event);
    case "restoreUndone":
      return undoRestore(state, event);
    case "announced":
    case "tasksChanged":
      return [];
  }
}

/** Actions that a notice offers as one of several ways to go on. */
const suggestedActions: ReadonlySet<string> = new Set([
  "request",
  "answer",
  "plan",
  "doTask",
  "queueTask",
  "brainstorm",
  "createJob",
  "startRun",
  "proceed",
  "resume",
]);

/** Returns whether a next step is void when the user has done something else instead. */
function isSuggestion(step: NextStep): boolean {
  return step.type === "action" && suggestedActions.has(step.action.action);
}

/**
 * Removes the next steps that the user's new request, or a session that has begun, makes void. A task that
 * can be resumed can be until it is.
 */
function withdrawSuggestions(state: ConversationState, started?: TaskId): ItemChange[] {
  return [...state.suggestions].flatMap((id) => {
    const notice = itemOfKind(state, id, "notice");
    const steps = notice?.steps.filter((step) => {
      if (step.type === "action" && step.action.action === "resume") {
        return step.action.taskId !== started;
      }
      return !isSuggestion(step);
    });
    if (notice === undefined || steps?.every((step) => !isSuggestion(step)) !== false) {
      state.suggestions.delete(id);
    }
    if (notice === undefined || steps === undefined || steps.length === notice.steps.length)
      return [];
    return [putItem(state, { ...notice, steps })];
  });
}

function originOf({ at, work }: ConversationEvent): ItemOrigin {
  return work === undefined ? { at } : { at, work };
}

/** Returns whether there has been no user input since the task's last item. */
function isLatest(state: ConversationState, taskId: TaskId): boolean {
  const last = lastItems(state).find(
    (item) => isUserRequest(item) || ("taskId" in item && item.taskId === taskId),
  );
  return last !== undefined && last.kind !== "user";
}

/** Returns whether the user said this to the Navigator, and not to an agent at work. */
function isUserRequest(item: Item): item is Extract<Item, { kind: "user" }> {
  return item.kind === "user" && item.to === undefined;
}

/** Adds user input, which answers the Navigator's own question if there is one. */
function addInput(state: ConversationState, event: EventOf<"user">): ItemChange[] {
  const { id, at, text, attachments, expert } = event;
  const more = {
    ...(attachments === undefined ? {} : { attachments }),
    ...(expert === undefined ? {} : { expert }),
  };
  if (state.positions.has(id)) return [];
  const asked = itemOfKind(state, state.ownQuestion ?? "", "question");
  state.ownQuestion = undefined;
  return [
    ...withdrawSuggestions(state),
    ...(asked ? [putItem(state, { ...asked, answer: text, wasTyped: true })] : []),
    putItem(state, { kind: "user", id, at, text, ...more }),
  ];
}

function ask(state: ConversationState, event: EventOf<"question">): ItemChange[] {
  const { questionId: id, taskId, mode, text, suggestions, machine } = event;
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
      ...(machine === undefined ? {} : { machine }),
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

function startTask(state: ConversationState, event: EventOf<"sessionStarted">): ItemChange[] {
  const { taskId, mode, goal, planId } = event;
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
      ...(planId === undefined ? {} : { planId }),
      running: true,
    }),
  ];
}

function endTask(state: ConversationState, event: EventOf<"sessionEnded">): ItemChange[] {
  const { taskId, mode, end, message, artifacts, changedFiles, findings, waitsFor } = event;
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
      ...(findings && { findings }),
    }),
  ];
}

/**
 * Returns the id of a run's item. A task that is resumed gets a new item, further down; one that was
 * interrupted and continues by itself keeps its item.
 */
function runId(taskId: TaskId, run: number): string {
  return `${taskId}#${run}`;
}

function reportId(taskId: TaskId, report: number): string {
  return `${taskId}!${report}`;
}
