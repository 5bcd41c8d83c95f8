import type { NextStep } from "../conversation/events.js";
import type { Report } from "../experts/report.js";

export interface Ended {
  readonly taskId: string;
  readonly mode: string;
  readonly goal: string;
  readonly report: Report;
}

/** Returns the steps to offer when a task that was not queued has ended (phase 4, R-ROO-22). */
export function nextSteps(task: Ended, queued: number): NextStep[] {
  const steps: NextStep[] = [];
  const { report } = task;
  if (report.status === "Failed") {
    steps.push(say("Try Again", `/resume ${task.taskId}`));
    if (task.mode !== "rooroo-planner") steps.push(say("Plan It Instead", `/plan ${task.goal}`));
  }
  const summary = report.output_artifact_paths.find((path) =>
    path.startsWith(".rooroo/brainstorming/"),
  );
  if (task.mode === "rooroo-idea-sparker" && summary !== undefined) {
    steps.push(say("Send to Planner", `/plan Carry out what ${summary} came to.`));
  }
  if (queued > 0) steps.push(say("Proceed", "proceed"));
  return steps;
}

function say(label: string, text: string): NextStep {
  return { type: "say", label, text };
}
