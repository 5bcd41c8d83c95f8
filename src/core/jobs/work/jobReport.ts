import * as z from "zod";
import type { EndingTool } from "../../agent/tool.js";
import { CannotEdit } from "../../documents/editDocument.js";
import { recordOf } from "../../documents/recordOf.js";
import { UserError } from "../../errors.js";
import { circleIn, DependencyReader } from "../documents/dependencies.js";
import { type LogEdit, editJobLog } from "../documents/editJobLog.js";
import { decisionsIn, type JobFile } from "../documents/jobFile.js";
import type { Job } from "../documents/jobFolder.js";
import type { JobLog } from "../documents/jobLog.js";
import { rebuildJobLog } from "../documents/rebuildJobLog.js";
import type { Task } from "../documents/roadmap.js";
import type { PlanItem } from "../documents/roadmapEdits.js";
import type { Version } from "../documents/taskStatus.js";
import { isTitlePlaceholder } from "../documents/titlePlaceholder.js";
import type { Work } from "./objective.js";
import { attemptsAt } from "./triage.js";

const task = {
  text: z.string().min(1).describe("one line, with its number, as in 1.2. Move the parser"),
  details: z.string().nullish().describe("what the runner must know, in one paragraph"),
  files: z.array(z.string()).nullish().describe("the files it is about"),
  done_when: z.string().nullish().describe("how to tell that it is done, as a command or a fact"),
  after: z.array(z.string()).nullish().describe("numbers of the tasks and phases it waits for"),
};

const planned = z.object({
  ...task,
  tasks: z.array(z.object(task)).nullish().describe("makes it a phase that holds these tasks"),
});

const question = z.object({
  question: z.string().min(1).describe("in the language of the job file"),
  to_user: z.string().nullish().describe("why you ask, one sentence, in that language"),
  placeholder: z.string().nullish().describe("“write your answer here”, in that language"),
});

const actions = ["add", "replace", "retry", "cancel", "ask"] as const;

const plan = z.object({
  summary: z.string().min(1).describe("what you changed and why; the next runner reads it"),
  title: z.string().nullish().describe("a short title of the job, where the log has none"),
  changes: z.array(
    z.object({
      action: z.enum(actions).describe("ask: the task waits for the answer to clarification"),
      item: z.string().nullish().describe("add: a phase's id, or nothing; else the item's id"),
      items: z.array(planned).nullish().describe("for add and replace"),
    }),
  ),
  clarification: question.nullish(),
});
export type PlanReport = z.infer<typeof plan>;

const work = z.object({
  result: z.enum(["Succeeded", "Failed", "Pending"]),
  summary: z.string().min(1).describe("what was done and found, what is left"),
  blocked_by: z.string().nullish().describe("with Pending: what is in the way, if anything is"),
  clarification: question
    .extend({
      // Models that give more of a task than its text know the rest of the fields from elsewhere: they are read, too.
      default_plan: z
        .array(z.looseObject({ text: task.text }))
        .min(1)
        .describe("tasks that replace yours and need no answer"),
    })
    .nullish(),
});
export type WorkReport = z.infer<typeof work>;

export const readPlan = (args: unknown): PlanReport => plan.parse(args);
export const readWork = (args: unknown): WorkReport => work.parse(args);

/** The tools by which each role submits its result; code writes it down. */
export const jobEndings: Readonly<Record<"Planner" | "Runner", EndingTool>> = {
  Planner: {
    kind: "completion",
    name: "attempt_completion",
    description: "Submit the changes to the roadmap, and end.",
    parameters: plan,
    normalise: withNumbersAsTexts,
  },
  Runner: {
    kind: "completion",
    name: "attempt_completion",
    description: "Submit the result of your task, and end.",
    parameters: work,
    normalise: withNumbersAsTexts,
  },
};

/** Returns what was submitted with the numbers of tasks as texts: models also write what a task comes after as a number. */
function withNumbersAsTexts(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withNumbersAsTexts);
  const fields = recordOf(json);
  if (fields === undefined) return json;
  const entries = Object.entries(fields).map(([key, value]) => {
    const isList = key === "after" && value !== null;
    return [key, isList ? [value].flat().map(String) : withNumbersAsTexts(value)];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the edits of the log that a plan asks for.
 *
 * @param questionId the id that the plan's question will have
 */
export function planEdits({ title, changes }: PlanReport, questionId: string): LogEdit[] {
  const edits = changes.map(({ action, item, items }): LogEdit => {
    const id = item?.trim() ?? "";
    switch (action) {
      case "add": {
        const added = planItems(items ?? []);
        return { type: "addItems", ...(id === "" ? {} : { phase: id }), items: added };
      }
      case "replace":
        return { type: "replaceItem", item: id, items: planItems(items ?? []) };
      case "retry":
        return { type: "setStatus", task: id, status: "Pending" };
      case "cancel":
        return { type: "setStatus", task: id, status: "Cancelled" };
      case "ask":
        return { type: "park", task: id, question: questionId };
    }
  });
  return [...(title?.trim() ? [{ type: "setTitle", title: title.trim() } as const] : []), ...edits];
}

/**
 * Returns planned items as the roadmap is to have them.
 *
 * @param asked the id of the open question about them
 */
export function planItems(
  items: readonly (z.infer<typeof planned> | { readonly text: string })[],
  asked?: string,
): PlanItem[] {
  const itemOf = (one: Omit<z.infer<typeof planned>, "tasks">): PlanItem => ({
    text: one.text,
    fields: {
      after: one.after?.join(", "),
      files: one.files?.join(", "),
      "done when": one.done_when ?? undefined,
      details: one.details ?? undefined,
    },
  });
  return items.map((given) => {
    const one = planned.safeParse(given).data ?? { text: given.text };
    const children = one.tasks?.map(itemOf) ?? [];
    const item = itemOf(one);
    const fields = { ...item.fields, asked };
    return { ...item, fields, ...(children.length > 0 ? { children } : {}) };
  });
}

/** Examples of a submission, for models without tool calling. */
export const inEnvelopes = {
  Planner:
    '{"summary": "…", "title": "…", "changes": [{"action": "add", "items": [{"text": "1. …", "tasks": [{"text": "1.1. …", "files": ["src/…"], "done_when": "…"}]}]}]}',
  Runner: '{"result": "Succeeded", "summary": "…"}',
} as const;

/** The number of attempts after which a task is not simply tried again. */
export const mostAttempts = 3;

/** Actions that a plan cannot take on a task that a runner works on: the runner would lose it without need. */
const takes: ReadonlySet<string> = new Set(["retry", "ask"]);

/**
 * Returns why a plan is rejected, as a message to the model: it cannot be written, or misses its objective.
 * Returns `undefined` if the plan is accepted.
 */
export function planProblem(
  report: PlanReport,
  { objective }: Extract<Work, { type: "plan" }>,
  { file, log, version }: Job,
): string | undefined {
  const hasNoTitle = log.title === undefined || isTitlePlaceholder(log.title);
  if (hasNoTitle && !report.title?.trim()) return "The log has no title yet: give it one in title.";
  const asks = report.changes.some(({ action }) => action === "ask");
  if (asks && !report.clarification) return "The action ask needs a question in clarification.";
  const repeated = report.clarification && askedBefore(report.clarification.question, file);
  if (repeated) return repeated;
  const tired = report.changes.flatMap(({ action, item }) =>
    log.tasks.filter(({ id }) => action === "retry" && id === item?.trim()),
  );
  const stuck = tired.find((one) => attemptsAt(one) >= mostAttempts);
  if (stuck !== undefined) {
    return `Task ${stuck.id} was tried ${attemptsAt(stuck)} times: replace it, cancel it, or ask about it.`;
  }
  const worked = log.tasks.find(
    ({ id, status }) =>
      status === "Locked" &&
      report.changes.some(({ action, item }) => takes.has(action) && item?.trim() === id),
  );
  if (worked !== undefined) {
    return `A runner works on task ${worked.id}: leave it, or cancel or replace it if it must not be done.`;
  }
  try {
    const after = edited(log, planEdits(report, "Q-0"), version);
    const { tasks } = after;
    if (tasks.length === 0) return "The roadmap would have no task. Add some.";
    const failed = tasks.find(({ status }) => status === "Failed");
    if (objective.type === "failedTasks" && failed !== undefined) {
      return `Task ${failed.id} would still be Failed: retry, replace or cancel it, or ask about it.`;
    }
    const unread = tasks.find(({ status }) => status === undefined);
    if (objective.type === "unreadableTasks" && unread !== undefined) {
      return `Task ${unread.id} would still have no known status: replace it.`;
    }
    // A first plan that comes too late is rejected as a whole when it is committed.
    const isLate = objective.type === "emptyRoadmap" && log.tasks.length > 0;
    const twice = isLate ? undefined : newTwin(tasks, log.tasks);
    if (twice !== undefined) return `There would be two tasks ${twice}: give yours another number.`;
    return orderProblem(after, log);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message;
  }
}

/** Returns why a runner's submission is rejected, as a message to the model; `undefined` if it is accepted. */
export function workProblem(
  { clarification }: WorkReport,
  task: Task,
  file: JobFile,
): string | undefined {
  if (!clarification) return undefined;
  const open = askedAbout(task, file);
  if (open !== undefined) {
    return `There is an open question about this task (${open}) already. Go on by your best assumption, or submit Pending with blocked_by.`;
  }
  return askedBefore(clarification.question, file);
}

/** Returns the id of the open question about a task on which work goes on by a default plan; `undefined` if there is none. */
export function askedAbout({ fields }: Task, { clarifications }: JobFile): string | undefined {
  const asked = fields.get("asked")?.value;
  return clarifications.find(({ id, answer }) => id === asked && answer === undefined)?.id;
}

/** Returns what is wrong with the dependencies that a plan adds; `undefined` if nothing is. */
function orderProblem(after: JobLog, before: JobLog): string | undefined {
  const reader = new DependencyReader(after);
  const known = new Set(before.items.map(({ id }) => id));
  for (const item of after.items.filter(({ id }) => !known.has(id))) {
    const [unknown] = reader.of(item).unknown;
    if (unknown !== undefined) {
      return `${item.id} comes after “${unknown}”, which is no item of the roadmap: name tasks and phases by their numbers.`;
    }
  }
  const circle = circleIn(before).length > 0 ? [] : circleIn(after);
  return circle.length === 0
    ? undefined
    : `These wait for one another: ${circle.join(", ")}. One of them has to come first.`;
}

/**
 * Returns, as a message to the model, where a question was asked before: it waits for its answer, or has one.
 * Returns `undefined` for a new question.
 */
function askedBefore(question: string, file: JobFile): string | undefined {
  const plain = (text: string) =>
    text
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
      .toLowerCase();
  const same = file.clarifications.find((one) => plain(one.question) === plain(question));
  if (same?.answer === undefined && same !== undefined) {
    return `This is asked already (${same.id}), and not answered yet. Do not ask it again: go on by your best assumption.`;
  }
  const decided = decisionsIn(file).find((one) => plain(one.question) === plain(question));
  return decided === undefined
    ? undefined
    : `The user has decided this: ${decided.answer} (## Decided in the job file). Do not ask it again.`;
}

/** Applies the edits in the same way as the commit. */
function edited(log: JobLog, edits: readonly LogEdit[], version: Version): JobLog {
  try {
    return editJobLog(log, edits, version);
  } catch (error) {
    if (!(error instanceof CannotEdit)) throw error;
    return editJobLog(rebuildJobLog(log), edits, version);
  }
}

/** Returns a number that a new task shares with another task: entries name their tasks by number. */
function newTwin(tasks: readonly Task[], before: readonly Task[]): string | undefined {
  const known = new Set(before.map(({ id }) => id));
  const numbers = new Set<string>();
  for (const { id, number } of tasks) {
    if (number === undefined) continue;
    if (numbers.has(number) && !known.has(id)) return number;
    numbers.add(number);
  }
  return undefined;
}
