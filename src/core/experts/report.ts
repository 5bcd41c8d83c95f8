import * as z from "zod";
import type { EndingTool } from "../agent/tool.js";
import { asMeant } from "../agent/toolDefinition.js";
import { type Finding, findingSchema, findingSeverities } from "../conversation/events/finding.js";
import { parseLooseJson } from "../documents/looseJson.js";
import { meantExpert, type NamedExpert } from "../documents/meant/meantWord.js";
import { recordOf } from "../documents/recordOf.js";
import { notCarried } from "../ports/worktrees.js";
import { visibleLine } from "../text/visibleText.js";
import { type Words, words } from "../text/words.js";

const reportStatuses = ["Done", "Advice", "Failed", "NeedsClarification"] as const;

const optionalText = z.string().nullish();

/** A task as the planner describes it; ids and files are made by code (R-ROO-24). */
const plannedTask = z.object(
  {
    suggested_mode: z.string().describe("an expert's slug"),
    goal_for_expert: z.string().min(1),
    context: optionalText.describe("Markdown for its context.md: files, decisions, done when"),
    context_file_path: optionalText.describe("instead of context: the context.md that you wrote"),
    auto_proceed_plan: z
      .boolean()
      .nullish()
      .describe("false: the user is asked before this task starts"),
  },
  {
    error: ({ input }) =>
      typeof input === "string"
        ? `this line is not a JSON object: ${visibleLine(input, 120)}`
        : undefined,
  },
);
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
  advice_details: z.object({ suggested_mode: optionalText, refined_goal: optionalText }).nullish(),
});

const line = z.int().min(1).nullish();

/** A finding as the reviewer submits it. */
const submittedFinding = z.object({
  path: z.string().min(1).describe("relative to the workspace"),
  line: line.describe("the first line it is about, 1-based; left out: the whole file"),
  end_line: line.describe("the last line it is about"),
  severity: z.enum(findingSeverities),
  message: z.string().min(1).describe("what is wrong and what follows from it"),
  suggestion: optionalText.describe("what to do about it"),
});

const reviewerReport = expertReport.extend({
  findings: z.array(submittedFinding).nullish(),
});

const leftBehind = z.object({
  /** The worker's name. Absent: the task worked in a worktree here. */
  machine: z.string().optional(),
  /** The first of these files. */
  files: z.array(z.object({ path: z.string(), why: z.enum(notCarried), bytes: z.number() })),
  /** The number of all files that stayed. */
  count: z.int(),
});
export type LeftBehind = z.infer<typeof leftBehind>;

/** A report as it is kept in the task's `report.json` (R-ROO-3, R-ROO-28), nothing left out. */
export const report = z.object({
  status: z.enum(reportStatuses),
  message: z.string(),
  output_artifact_paths: z.array(z.string()),
  clarification_question: z.string().nullable(),
  error_details: z.string().nullable(),
  advice_details: z
    /** Without a `refined_goal` the planner's own goal stands. */
    .object({ suggested_mode: z.string().nullable(), refined_goal: z.string().nullable() })
    .nullable()
    .default(null),
  queue_tasks_json_lines: z.array(plannedTask).default([]),
  plan_overview: z.string().nullable().default(null),
  /** The number of a plan's tasks that could not be used; such a plan waits. Written by code. Absent: none. */
  lost_tasks: z.int().optional(),
  /** What a review has found. Absent: the task was none. */
  findings: z.array(findingSchema).optional(),
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
  /** How much the task has changed; written by code. */
  changes: z.object({ files: z.number(), added: z.number(), removed: z.number() }).optional(),
  /** The files that stayed where the task worked; written by code. Absent: none. */
  left: leftBehind.optional().catch(undefined),
});
export type Report = z.infer<typeof report>;

/** The kind of a report: that of a planner has a plan, that of a review has findings. */
export type ReportKind = "task" | "plan" | "review";

const schemas = { task: expertReport, plan: plannerReport, review: reviewerReport } as const;

/** Returns the tool that ends a task with a report. */
export function completionTool(kind: ReportKind): EndingTool {
  return {
    kind: "completion",
    name: "attempt_completion",
    description: "End the task with a report.",
    parameters: schemas[kind],
    normalise: unwrapped,
  };
}

/**
 * Fills in what a report that came through the {@link completionTool} of this kind may leave out.
 *
 * @param experts those that tasks can be given to, whose slugs stand in place of the names that a planner used
 */
export function completeReport(
  args: unknown,
  kind: ReportKind = "plan",
  experts: readonly NamedExpert[] = [],
): Report {
  if (kind === "review") {
    const { findings, ...rest } = reviewerReport.parse(args);
    return { ...completeReport(rest), findings: (findings ?? []).map(completeFinding) };
  }
  const given = plannerReport.parse(args);
  const slugOf = (named: string): string => meantExpert(named, experts) ?? named;
  const { advice_details: advice } = given;
  return {
    status: given.status,
    message: given.message,
    output_artifact_paths: given.output_artifact_paths ?? [],
    clarification_question: given.clarification_question?.trim()
      ? given.clarification_question
      : questionIn(given),
    error_details: given.error_details ?? null,
    advice_details: advice
      ? {
          suggested_mode: slugOf(advice.suggested_mode ?? "") || null,
          refined_goal: advice.refined_goal?.trim() ? advice.refined_goal : null,
        }
      : null,
    queue_tasks_json_lines: (given.queue_tasks_json_lines ?? []).map((task) => ({
      ...task,
      suggested_mode: slugOf(task.suggested_mode),
    })),
    plan_overview: given.plan_overview ?? null,
  };
}

/** Returns the message of a report that needs clarification if it is a question: models ask there, too. */
function questionIn({ status, message }: Pick<Report, "status" | "message">): string | null {
  const isQuestion = /[?？]$/.test(message.trimEnd());
  return status === "NeedsClarification" && isQuestion ? message : null;
}

function completeFinding(given: z.infer<typeof submittedFinding>): Finding {
  const { path, severity, message, line: first = null, end_line: last = null } = given;
  const { suggestion = null } = given;
  return { path, line: first, endLine: last, severity, message, suggestion };
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
 * Returns what is wrong with a report that fits the schema, `undefined` if nothing is.
 *
 * @param experts those that tasks can be given to, if this is a planner's report
 */
export function reportProblem(given: Report, experts?: readonly NamedExpert[]): Words | undefined {
  if (given.status === "NeedsClarification" && !given.clarification_question?.trim()) {
    return words("NeedsClarification needs one specific clarification_question.");
  }
  if (experts === undefined) return undefined;
  const tasks = given.queue_tasks_json_lines;
  if (given.status === "Done" && tasks.length === 0) {
    return words(
      "Done needs queue_tasks_json_lines with at least one task. If one expert can do it all, report Advice.",
    );
  }
  const stranger = tasks.find(({ suggested_mode: mode }) => !isOneOf(experts, mode));
  if (stranger !== undefined) {
    return words("There is no expert {expert}. Use one of: {experts}.", {
      expert: stranger.suggested_mode,
      experts: experts.map(({ slug }) => slug).join(", "),
    });
  }
  return undefined;
}

/** The usable part of a report that was rejected until no attempt was left. */
export type RejectedReport =
  /** The status is none that the protocol knows (R-ROO-20). */
  | { readonly type: "unexpectedStatus"; readonly status: string; readonly message: string }
  /** A plan without the tasks that cannot be used; `error_details` names them (R-ROO-28). */
  | { readonly type: "plan"; readonly report: Report };

/**
 * Returns what can be used of the last report that was rejected; `undefined` if nothing can.
 *
 * @param given the report as JSON text, as it was sent
 * @param experts those that tasks can be given to, if this is a planner's report
 */
export function usableOf(
  given: string,
  experts?: readonly NamedExpert[],
): RejectedReport | undefined {
  const json = parseLooseJson(given);
  const tool = completionTool(experts === undefined ? "task" : "plan");
  const fields = recordOf(json.ok ? asMeant(tool, json.value) : undefined);
  if (fields === undefined) return undefined;
  const { status, message, queue_tasks_json_lines: lines } = fields;
  if (typeof status !== "string" || typeof message !== "string") return undefined;
  const statuses = experts === undefined ? expertReport.shape.status.options : reportStatuses;
  if (!statuses.some((known) => known === status)) {
    return { type: "unexpectedStatus", status: visibleLine(status, 100), message };
  }
  if (experts === undefined || status !== "Done" || !Array.isArray(lines)) return undefined;
  const isUsable = (line: unknown): boolean => {
    const { data } = plannedTask.safeParse(line);
    return data !== undefined && meantExpert(data.suggested_mode, experts) !== undefined;
  };
  const usable = lines.filter(isUsable);
  const parsed = plannerReport.safeParse({ ...fields, queue_tasks_json_lines: usable });
  if (!parsed.success || usable.length === 0) return undefined;
  const lost = lines.flatMap((line: unknown, index) =>
    isUsable(line) ? [] : [`- Task ${index + 1}: ${visibleLine(textOf(line), 200)}`],
  );
  if (lost.length === 0) return undefined;
  const details = `These tasks of the plan cannot be used and were left out:\n\n${lost.join("\n")}`;
  const report = completeReport(parsed.data, "plan", experts);
  return { type: "plan", report: { ...report, error_details: details, lost_tasks: lost.length } };
}

function textOf(line: unknown): string {
  return typeof line === "string" ? line : JSON.stringify(line);
}

function isOneOf(experts: readonly NamedExpert[], mode: string): boolean {
  return experts.some(({ slug }) => slug === mode);
}

/**
 * Returns the fields of a report. As the upstream protocol has it, all of it may be a string in `result`; and a planner's
 * advice may stand beside the other fields.
 */
function unwrapped(json: unknown): unknown {
  const outer = recordOf(json);
  if (outer === undefined) return json;
  const { result } = outer;
  const parsed = typeof result === "string" ? parseLooseJson(result) : undefined;
  const inner = recordOf(parsed?.ok === true ? parsed.value : result);
  const fields = inner !== undefined && outer["status"] === undefined ? inner : outer;
  const { suggested_mode, refined_goal, advice_details } = fields;
  if ((suggested_mode ?? refined_goal) === undefined || advice_details) return fields;
  return { ...fields, advice_details: { suggested_mode, refined_goal } };
}
