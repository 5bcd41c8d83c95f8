import type { ConversationEvent, NextStep } from "../../conversation/events/events.js";
import { inputText } from "../../conversation/input/parseInput.js";
import type { UserAction } from "../../conversation/input/userAction.js";
import type { LongWork, TaskId } from "../../ids.js";
import type { GoingOn } from "../../work/work.js";

/** A question of a task. */
interface TaskQuestion {
  readonly kind: "question";
  readonly id: string;
  readonly text: string;
  readonly suggestions: readonly string[];
  readonly taskId: TaskId;
  readonly mode: string;
}

/** A question of a job, or a run's proposal. */
export interface WorkNeed {
  readonly kind: "workQuestion" | "proposal";
  readonly id: string;
  readonly text: string;
  readonly work: LongWork;
  /** What a person calls the work. */
  readonly title: string;
}

/** A job or a run that has failed or was interrupted, and that nobody works on. */
interface StoppedWork {
  readonly kind: "stoppedWork";
  /** The work's name. */
  readonly id: string;
  readonly work: LongWork;
  /** What a person calls it. */
  readonly title: string;
  /** Why it has stopped. */
  readonly text: string;
  readonly goesOn: readonly GoingOn[];
}

/** What waits for words of a person. */
export type OpenQuestion = TaskQuestion | WorkNeed;

/** Steps that were offered to a person as buttons, and that words can take as well. */
interface Offer {
  readonly kind: "offer";
  /** The notice's. */
  readonly id: string;
  readonly text: string;
  readonly choices: readonly { readonly label: string; readonly action: UserAction }[];
  /** Whether the person has said something since: that can take it, and what is said later cannot. */
  readonly isHeard: boolean;
}

/** A call that waits for a decision, which words never make. */
interface OpenApproval {
  readonly kind: "approval";
  readonly id: string;
  readonly taskId: TaskId;
  readonly title: string;
}

/** A task that was stopped or has failed, and can be resumed. */
interface UnfinishedTask {
  readonly kind: "unfinished";
  /** The task's. */
  readonly id: TaskId;
  readonly goal: string;
  /** How it ended. Absent: it is at work. */
  readonly end?: "Stopped" | "Failed";
}

/** Something that a person's next words may be about. */
export type Matter = OpenQuestion | Offer | OpenApproval | UnfinishedTask | StoppedWork;

/** What a conversation leaves open. */
export type OpenMatters = readonly Matter[];

export function isQuestion(matter: Matter): matter is OpenQuestion {
  return ["question", "workQuestion", "proposal"].includes(matter.kind);
}

/** Returns what words can decide of a matter: for a model by name, for a person by label. */
export function choicesOf(
  matter: Matter,
): readonly { readonly name: string; readonly label?: string }[] {
  switch (matter.kind) {
    case "proposal":
      return [{ name: "confirm" }, { name: "change" }, { name: "cancel" }];
    case "offer":
      return matter.choices.map(({ label }, index) => ({ name: `${index + 1}`, label }));
    case "unfinished":
      return [{ name: "resume" }];
    case "stoppedWork":
      return matter.goesOn.map((type) => ({ name: goingOnNames[type] }));
    case "question":
    case "workQuestion":
    case "approval":
      return [];
  }
}

/** What a model calls the ways in which long work goes on. */
export const goingOnNames = { RETRY: "again", SKIP: "without", RESUME: "resume" } as const;

/** The most offers and the most tasks that are kept. */
const mostOffers = 3;
const mostTasks = 5;

/** Returns what is open after an event. What belongs to a job or a run is read from its own documents. */
export function openAfter(open: OpenMatters, event: ConversationEvent): OpenMatters {
  if (event.work !== undefined) return open;
  const without = (kind: Matter["kind"], id: string): OpenMatters =>
    open.filter((one) => one.kind !== kind || one.id !== id);
  switch (event.type) {
    case "user":
      return open.flatMap((one) => (one.kind === "offer" ? heard(one, event.text) : one));
    case "question": {
      const { questionId: id, taskId, mode, text, suggestions } = event;
      if (taskId === null || event.machine !== undefined) return open;
      return [...open, { kind: "question", id, taskId, mode, text, suggestions }];
    }
    case "answered":
    case "questionClosed":
      return without("question", event.questionId);
    case "notice": {
      const choices = event.steps.flatMap((step) => (isForWords(step) ? [step] : []));
      if (choices.length === 0) return open;
      const { id, text } = event;
      const offer = { kind: "offer", id, text, choices, isHeard: false } as const;
      return newest([...open, offer], "offer", mostOffers);
    }
    case "sessionStarted": {
      const { taskId, goal } = event;
      const rest = open.filter((one) => !isOf(one, taskId));
      return newest([...rest, { kind: "unfinished", id: taskId, goal }], "unfinished", mostTasks);
    }
    case "sessionEnded": {
      const { taskId, end } = event;
      if (end !== "Stopped" && end !== "Failed") return without("unfinished", taskId);
      return open.map((one) =>
        one.kind === "unfinished" && one.id === taskId ? { ...one, end } : one,
      );
    }
    case "agent": {
      const { taskId, event: told } = event;
      if (told.type === "approvalRequested") {
        const { approvalId: id, action } = told;
        return [...open, { kind: "approval", id, taskId, title: action.title }];
      }
      return told.type === "approvalResolved" ? without("approval", told.approvalId) : open;
    }
    case "plan":
    case "proposal":
    case "proposalAnswered":
    case "changesUndone":
    case "restored":
    case "restoreEnded":
    case "restoreUndone":
    case "announced":
    case "tasksChanged":
      return open;
  }
}

/** Returns whether words can take the step. To adopt files is to trust them, which a person does by the button. */
function isForWords(step: NextStep): step is Extract<NextStep, { type: "action" }> {
  return step.type === "action" && step.action.action !== "adopt";
}

/** Returns an offer after a person's message; nothing if that was its button, or came after another one. */
function heard(offer: Offer, text: string): Matter[] {
  const isTaken = offer.choices.some(({ action }) => inputText(action) === text);
  return isTaken || offer.isHeard ? [] : [{ ...offer, isHeard: true }];
}

/** Returns whether a matter is out of date once a task goes on. */
function isOf(matter: Matter, taskId: TaskId): boolean {
  switch (matter.kind) {
    case "unfinished":
      return matter.id === taskId;
    case "approval":
      return matter.taskId === taskId;
    case "offer":
      return matter.choices.some(({ action }) => "taskId" in action && action.taskId === taskId);
    case "question":
    case "workQuestion":
    case "proposal":
    case "stoppedWork":
      return false;
  }
}

/** Returns the matters with the last ones of a kind only. */
function newest(open: OpenMatters, kind: Matter["kind"], most: number): OpenMatters {
  const kept = new Set(open.filter((one) => one.kind === kind).slice(-most));
  return open.filter((one) => one.kind !== kind || kept.has(one));
}
