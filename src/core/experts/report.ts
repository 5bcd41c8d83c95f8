import * as z from "zod";
import type { EndingTool } from "../agent/tool.js";
import { parseLooseJson } from "../documents/looseJson.js";

const reportStatuses = ["Done", "Advice", "Failed", "NeedsClarification"] as const;

const optionalText = z.string().nullish();

/** A task as the planner describes it; ids and files are made by code (R-ROO-24). */
const plannedTask = z.object({
  suggested_mode: z.string().describe("an expert's slug"),
  goal_for_expert: z.string().min(1),
  context: optionalText.describe("Markdown for its context.md: files, decisions, done when"),
  context_file_path: optionalText.describe("instead of context: the context.md that you wrote"),
  auto_proceed_plan: z.boolean().nullish().describe("false: it starts only when the user says so"),
});
export type PlannedTask = z.infer<typeof plannedTask>;

const expertReport = z.object({
  status: z.enum(["Done", "Failed", "NeedsClarification"]),
  message: z.string().min(1),
  output_artifact_paths: z.array(z.string()).nullish(),
  clarification_question: optionalText,
  error_details: optionalText,
});

const plannerReport = expertReport.extend({
  status: z.enum(reportStatuses),
  queue_tasks_json_lines: z.array(plannedTask).nullish(),
  plan_overview: optionalText,
  advice_details: z.object({ suggested_mode: optionalText, refined_goal: z.string() }).nullish(),
});

/** A report as it is kept in the task's `report.json` (R-ROO-3, R-ROO-28), nothing left out. */
export const report = z.object({
  status: z.enum(reportStatuses),
  message: z.string(),
  output_artifact_paths: z.array(z.string()),
  clarification_question: z.string().nullable(),
  error_details: z.string().nullable(),
  advice_details: z
    .object({ suggested_mode: z.string().nullable(), refined_goal: z.string() })
    .nullable()
    .default(null),
  queue_tasks_json_lines: z.array(plannedTask).default([]),
  plan_overview: z.string().nullable().default(null),
  /** The model usage and the time that the task took; written by code. */
  effort: z
    .object({
      calls: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      cachedTokens: z.number(),
      costUsd: z.number().optional(),
      workedMs: z.number(),
    })
    .optional(),
});
export type Report = z.infer<typeof report>;

/** Returns the tool that ends a task with a report. */
export function completionTool(isPlanner: boolean): EndingTool {
  return {
    kind: "completion",
    name: "attempt_completion",
    description: "End the task with a report.",
    parameters: isPlanner ? plannerReport : expertReport,
    normalise,
  };
}

/** Fills in what a report that came through {@link completionTool} may leave out. */
export function completeReport(args: unknown): Report {
  const given = plannerReport.parse(args);
  return {
    status: given.status,
    message: given.message,
    output_artifact_paths: given.output_artifact_paths ?? [],
    clarification_question: given.clarification_question ?? null,
    error_details: given.error_details ?? null,
    advice_details: given.advice_details
      ? { ...given.advice_details, suggested_mode: given.advice_details.suggested_mode ?? null }
      : null,
    queue_tasks_json_lines: given.queue_tasks_json_lines ?? [],
    plan_overview: given.plan_overview ?? null,
  };
}

/** Returns a report for a task that ended without one of its own. */
export function failedReport(message: string, details: string | null = null): Report {
  return {
    status: "Failed",
    message,
    output_artifact_paths: [],
    clarification_question: null,
    error_details: details,
    advice_details: null,
    queue_tasks_json_lines: [],
    plan_overview: null,
  };
}

/**
 * Returns what is wrong with a report that fits the schema, in words for the model; `undefined` if
 * nothing is.
 *
 * @param experts slugs that tasks can be given to, if this is a planner's report
 */
export function reportProblem(given: Report, experts?: readonly string[]): string | undefined {
  if (given.status === "NeedsClarification" && !given.clarification_question?.trim()) {
    return "NeedsClarification needs one specific clarification_question.";
  }
  if (experts === undefined) return undefined;
  const tasks = given.queue_tasks_json_lines;
  if (given.status === "Done" && tasks.length === 0) {
    return "Done needs queue_tasks_json_lines with at least one task. If one expert can do it all, report Advice.";
  }
  const stranger = tasks.find(({ suggested_mode }) => !experts.includes(suggested_mode));
  if (stranger !== undefined) {
    return `There is no expert ${stranger.suggested_mode}. Use one of: ${experts.join(", ")}.`;
  }
  return undefined;
}

/**
 * Brings what models send into the schema's shape, where the meaning is certain: the whole report as
 * a string in `result`, as the upstream protocol has it; a status in other letters; one path or task
 * instead of a list of one; tasks as a string of a list, as newline-joined objects, or as a list of
 * strings (R-ROO-28). Anything else is left as it is for the schema to judge.
 */
function normalise(json: unknown): unknown {
  if (!isRecord(json)) return json;
  const { result } = json;
  const given = typeof result === "string" ? parsedObject(result) : result;
  const fields = isRecord(given) && json["status"] === undefined ? given : json;
  return {
    ...fields,
    ...change(fields, "status", statusMeant),
    ...change(fields, "output_artifact_paths", (paths) =>
      typeof paths === "string" ? [paths].filter((path) => path.trim() !== "") : paths,
    ),
    ...change(fields, "queue_tasks_json_lines", tasksMeant),
  };
}

function change(
  fields: Record<string, unknown>,
  name: string,
  meant: (value: unknown) => unknown,
): Record<string, unknown> {
  return name in fields ? { [name]: meant(fields[name]) } : {};
}

function statusMeant(status: unknown): unknown {
  if (typeof status !== "string") return status;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, "");
  return reportStatuses.find((known) => plain(known) === plain(status)) ?? status;
}

function tasksMeant(tasks: unknown): unknown {
  if (isRecord(tasks)) return [tasks];
  if (Array.isArray(tasks)) {
    // A line that is not JSON stays as it is, so that the schema's error names it.
    return tasks.map((task: unknown) =>
      typeof task === "string" ? (parsedObject(task) ?? task) : task,
    );
  }
  if (typeof tasks !== "string") return tasks;
  const lines = tasks.split("\n").filter((line) => line.trim() !== "");
  const parsed = lines.map(parsedObject);
  const whole = parsed.every(isRecord) ? parsed : (parsedObject(tasks) ?? tasks);
  return isRecord(whole) ? [whole] : whole;
}

function parsedObject(text: string): unknown {
  const json = parseLooseJson(text);
  return json.ok ? json.value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
