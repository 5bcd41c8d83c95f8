import type { RunState } from "./runState.js";
import { type Step, targetText } from "./step.js";

/**
 * Returns the report of a failure: where the run failed, the purpose of the step, and the error log verbatim
 * (R-MV-26).
 */
export function failureText(
  { runId, rows }: RunState,
  step: Step,
  purpose: string,
  errorLog: string,
): string {
  const run = rows.process_runs[0];
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["run_id", runId],
    ["current_phase_id", run?.current_phase_id],
    ["current_stage_id", run?.current_stage_id],
    ["current_task_id", run?.current_task_id],
    ["failed", pointOf(step)],
    ["purpose", purpose.replace(/\s+/g, " ").trim()],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`- ${name}: ${value}`],
  );
  // The fence must be longer than any within the error log.
  const marks = [...errorLog.matchAll(/`{3,}/g)].map(([one]) => one.length + 1);
  const fence = "`".repeat(Math.max(3, ...marks));
  return [
    `# ${runId} has failed`,
    "",
    ...lines,
    "",
    "## Error log",
    "",
    fence,
    errorLog.trimEnd(),
    fence,
    "",
  ].join("\n");
}

function pointOf(step: Step): string {
  if (step.type === "plan") return `plan_target ${targetText(step.target)}`;
  if (step.type === "prepare") return `task ${step.task}`;
  if (step.type !== "execute") return "";
  const { work } = step;
  return work.type === "tool" ? `tool task ${work.tool.tool_task_id}` : `task ${work.task.task_id}`;
}
