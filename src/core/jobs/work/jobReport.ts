import * as z from "zod";
import type { EndingTool } from "../../agent/tool.js";
import type { LogEdit } from "../documents/editJobLog.js";
import type { PlanItem } from "../documents/roadmapEdits.js";
import { UserError } from "../../errors.js";
import { CannotEdit } from "../../documents/editDocument.js";
import { editJobLog } from "../documents/editJobLog.js";
import type { Job } from "../documents/jobFolder.js";
import type { JobLog } from "../documents/jobLog.js";
import type { Task } from "../documents/roadmap.js";
import type { Version } from "../documents/taskStatus.js";
import { rebuildJobLog } from "../documents/rebuildJobLog.js";
import type { Work } from "./triage.js";

const planned = z.object({
  text: z.string().min(1).describe("one line, with its number, as in 1.2. Move the parser"),
  tasks: z.array(z.string().min(1)).nullish().describe("makes it a phase that holds these tasks"),
});

const question = z.object({
  question: z.string().min(1).describe("in the language of the job file"),
  to_user: z.string().nullish().describe("why you ask, one sentence, in that language"),
  placeholder: z.string().nullish().describe("“write your answer here”, in that language"),
});

const plan = z.object({
  summary: z.string().min(1).describe("what you changed and why; the next runner reads it"),
  title: z.string().nullish().describe("a short title of the job, where the log has none"),
  changes: z.array(
    z.object({
      action: z.enum(["add", "replace", "retry", "cancel"]),
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
  clarification: question
    .extend({
      default_plan: z
        .array(planned)
        .min(1)
        .describe("tasks in the place of yours, which go on without an answer"),
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
    description: "Hand in the changes of the roadmap, and end.",
    parameters: plan,
  },
  Runner: {
    kind: "completion",
    name: "attempt_completion",
    description: "Hand in what became of your task, and end.",
    parameters: work,
    normalise: (json) => {
      if (typeof json !== "object" || json === null || !("result" in json)) return json;
      const given = typeof json.result === "string" ? json.result.trim().toLowerCase() : "";
      const meant = results.find((one) => one.words.includes(given));
      return meant === undefined ? json : { ...json, result: meant.result };
    },
  },
};

const results: readonly { result: string; words: readonly string[] }[] = [
  { result: "Succeeded", words: ["succeeded", "success", "completed", "done"] },
  { result: "Failed", words: ["failed", "failure"] },
  { result: "Pending", words: ["pending", "in progress", "paused"] },
];

/** Returns the edits of the log that a plan asks for. */
export function planEdits({ title, changes }: PlanReport): LogEdit[] {
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
    }
  });
  return [...(title?.trim() ? [{ type: "setTitle", title: title.trim() } as const] : []), ...edits];
}

export function planItems(items: readonly z.infer<typeof planned>[]): PlanItem[] {
  return items.map(({ text, tasks }) => ({
    text,
    ...(tasks?.length ? { children: tasks.map((task) => ({ text: task })) } : {}),
  }));
}

/** Examples of a submission, for models without tool calling. */
export const inEnvelopes = {
  Planner:
    '{"summary": "…", "title": "…", "changes": [{"action": "add", "items": [{"text": "1. …", "tasks": ["1.1. …"]}]}]}',
  Runner: '{"result": "Succeeded", "summary": "…"}',
} as const;

/**
 * Returns why a plan is rejected, as a message to the model: it cannot be written, or misses its objective.
 * Returns `undefined` if the plan is accepted.
 */
export function planProblem(
  report: PlanReport,
  { objective }: Extract<Work, { type: "plan" }>,
  { log, version }: Job,
): string | undefined {
  const hasNoTitle =
    log.title === undefined || /^[\s_*]*(待定|tbd|untitled)?[\s_*]*$/i.test(log.title);
  if (hasNoTitle && !report.title?.trim()) return "The log has no title yet: give it one in title.";
  try {
    const { tasks } = edited(log, planEdits(report), version);
    if (tasks.length === 0) return "The roadmap would have no task. Add some.";
    const failed = tasks.find(({ status }) => status === "Failed");
    if (objective.type === "failedTasks" && failed !== undefined) {
      return `Task ${failed.id} would still be Failed: retry, replace or cancel it.`;
    }
    const unread = tasks.find(({ status }) => status === undefined);
    if (objective.type === "unreadableTasks" && unread !== undefined) {
      return `Task ${unread.id} would still have no known status: replace it.`;
    }
    // A first plan that comes too late is rejected as a whole when it is committed.
    const isLate = objective.type === "emptyRoadmap" && log.tasks.length > 0;
    const twice = isLate ? undefined : newTwin(tasks, log.tasks);
    if (twice !== undefined) return `There would be two tasks ${twice}: give yours another number.`;
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message;
  }
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
