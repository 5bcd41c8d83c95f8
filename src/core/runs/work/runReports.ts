import * as z from "zod";
import type { EndingTool } from "../../agent/tool.js";
import { recordOf } from "../../documents/recordOf.js";

/** A text of more than blanks: a cell of blanks counts as empty in a table. */
const text = z.string().trim().min(1);

/** The fields by which any submission can report that the task cannot be done, and why. */
const failure = {
  status: z.enum(["SUCCESS", "FAILED"]),
  error_log: z.string().nullish().describe("for FAILED: what went wrong, in full"),
};

const proposal = z.object({
  ...failure,
  summary: z.string().nullish().describe("what will be done and made, in the user's language"),
  instructions: z
    .array(
      z.object({
        instruction_type: text.describe(
          "one word: goal or scope for rules of this run only; format, tone, constraint or another for rules of later runs, too",
        ),
        content: text.describe("one rule that can be checked"),
        supersedes: z.array(z.string()).nullish().describe("ids of active instructions"),
        justification: text,
      }),
    )
    .nullish(),
  conflicts: z.array(z.string()).nullish(),
  questions: z.array(z.string()).nullish(),
});

const tasksInOrder = z
  .array(
    z.object({
      task_name: text,
      task_purpose: text.describe("one action"),
      related_references: z.array(z.string()).min(1).describe("paths that it begins from"),
      output_path: text.describe("a file's name, or its path"),
      pre_tool_purpose: z
        .string()
        .nullish()
        .describe('only if the input does not suffice; one search as "Web Search: what for"'),
      post_tool_purpose: z
        .string()
        .nullish()
        .describe('only if it improves the output; one chart as "Data Visualization: of what"'),
    }),
  )
  .max(30)
  .nullish()
  .describe("in order");

const stages = z.object({
  ...failure,
  stages: z
    .array(z.object({ stage_name: text, stage_goal: text, tasks: tasksInOrder }))
    .max(20)
    .nullish()
    .describe("in order"),
});

const tasks = z.object({ ...failure, tasks: tasksInOrder });

const tools = z.object({
  ...failure,
  tool_tasks: z
    .array(
      z.object({
        tool_type: text.describe("Web Search, Data Visualization, or another"),
        tool_task_name: text,
        tool_task_purpose: text.describe("one action, and what its file is to hold"),
      }),
    )
    .max(20)
    .nullish()
    .describe("in order"),
});

/** The forms of planners' submissions, by their target. */
export const planReports = { proposal, phase: stages, stage: tasks, tools };
type PlanKind = keyof typeof planReports;
export type PlanReport<Kind extends PlanKind> = z.infer<(typeof planReports)[Kind]>;

export function planEnding(kind: PlanKind): EndingTool {
  return {
    kind: "completion",
    name: "attempt_completion",
    description: "Submit the plan, and end.",
    parameters: planReports[kind],
    normalise: withStatus,
  };
}

/** A submission without a status counts as a success. */
function withStatus(json: unknown): unknown {
  const fields = recordOf(json);
  return fields === undefined || "status" in fields ? json : { ...fields, status: "SUCCESS" };
}

const work = z.object({
  status: z.enum(["SUCCESS", "FAILED"]),
  summary: z.string().nullish().describe("one line about what you made, for the catalog"),
  post_tool_required: z.boolean().nullish().describe("the output needs something added afterwards"),
  post_tool_purpose: z
    .string()
    .nullish()
    .describe('what, if so; one chart as "Data Visualization: of what"'),
  error_log: z.string().nullish().describe("for FAILED: what went wrong, in full"),
});

const command = z.object({
  status: z.enum(["SUCCESS", "FAILED"]),
  message: z.string().min(1).describe("the result, for the user"),
});

const message = z.object({ message: z.string().min(1).describe("Markdown, for the user") });

export const readWork = (args: unknown): z.infer<typeof work> => work.parse(args);
export const readCommand = (args: unknown): z.infer<typeof command> => command.parse(args);
export const readMessage = (args: unknown): z.infer<typeof message> => message.parse(args);

const base = { kind: "completion", name: "attempt_completion" } as const;

export const workEnding: EndingTool = {
  ...base,
  description: "Submit the result, and end.",
  parameters: work,
  normalise: withStatus,
};
export const commandEnding: EndingTool = {
  ...base,
  description: "Submit the result, and end.",
  parameters: command,
  normalise: withStatus,
};
export const messageEnding: EndingTool = {
  ...base,
  description: "Say it to the user.",
  parameters: message,
};
