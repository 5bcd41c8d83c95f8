import * as z from "zod";
import type { EndingTool } from "../../agent/tool.js";
import type { LogEdit } from "../documents/editJobLog.js";
import type { PlanItem } from "../documents/roadmapEdits.js";

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
