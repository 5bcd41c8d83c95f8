import { nextStep } from "./nextStep.js";
import type { RunRead } from "./runStore.js";
import type { RunLayout } from "./runLayout.js";
import { type Step, targetText } from "./step.js";

/** The state of a run, for output as JSON. */
export interface RunView {
  readonly run_id: string;
  readonly user_request: string;
  readonly status: string;
  readonly current_phase_id: string;
  readonly current_stage_id: string;
  readonly current_task_id: string;
  /** The status of each phase, by the phase's name. */
  readonly phases: Readonly<Record<string, string>>;
  /** The number of completed tasks, and of all tasks planned so far. */
  readonly tasks: { readonly completed: number; readonly planned: number };
  /** What comes next, in words. */
  readonly next: string;
  /** The path of the proposal that awaits the user's confirmation. */
  readonly proposal: string | null;
  /** Where the outputs are, once the run is complete. */
  readonly output_location: string | null;
  /** The path of the failure report. */
  readonly failure: string | null;
  /** Why the run cannot continue; `null` if its tables are valid. */
  readonly problem: string | null;
}

/** Returns a run's state, with the step that would be next if the run were resumed. */
export function runView({ state, problem }: RunRead, layout: RunLayout): RunView {
  const { rows, runId } = state;
  const [run] = rows.process_runs;
  const { step } = nextStep(state);
  const waits = step.type === "await" && problem === undefined;
  const isDone = run?.status === "COMPLETED";
  return {
    run_id: runId,
    user_request: run?.user_request ?? "",
    status: run?.status ?? "",
    current_phase_id: run?.current_phase_id ?? "",
    current_stage_id: run?.current_stage_id ?? "",
    current_task_id: run?.current_task_id ?? "",
    phases: Object.fromEntries(rows.phases.map((phase) => [phase.phase_name, phase.status])),
    tasks: {
      completed: rows.tasks.filter(({ status }) => status === "COMPLETED").length,
      planned: rows.tasks.length,
    },
    next:
      problem === undefined ? inWords(step) : "nothing until the problems in its tables are fixed",
    proposal: waits ? layout.proposal(runId) : null,
    output_location: isDone ? `${layout.outputs(runId)}/` : null,
    failure: run?.status === "FAILED" ? layout.failure(runId) : null,
    problem: problem ?? (step.type === "unclear" ? step.reason : null),
  };
}

function inWords(step: Step): string {
  switch (step.type) {
    case "plan":
      return `a planner: ${targetText(step.target)}`;
    case "execute": {
      const { work } = step;
      return work.type === "tool"
        ? `an executor: ${work.tool.tool_task_id}, ${work.tool.tool_task_name}`
        : `an executor: ${work.task.task_id}, ${work.task.task_name}`;
    }
    case "prepare":
      return `${step.task}, without a model`;
    case "await":
      return "your confirmation of the proposal";
    case "report":
      return "the final report";
    case "over":
      return "nothing, the run has ended";
    case "unclear":
      return "nothing until the problems in its tables are fixed";
  }
}
