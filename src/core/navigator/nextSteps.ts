import type { NextStep } from "../conversation/events.js";
import type { UserAction } from "../conversation/userAction.js";
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
    steps.push(step("Try Again", { action: "resume", taskId: task.taskId }));
    if (task.mode !== "rooroo-planner") {
      steps.push(step("Plan It Instead", { action: "plan", goal: task.goal }));
    }
  }
  const summary = report.output_artifact_paths.find((path) =>
    path.startsWith(".rooroo/brainstorming/"),
  );
  if (task.mode === "rooroo-idea-sparker" && summary !== undefined) {
    const goal = `Carry out what ${summary} came to.`;
    steps.push(step("Send to Planner", { action: "plan", goal }));
  }
  if (queued > 0) steps.push(step("Proceed", { action: "proceed", one: false }));
  return steps;
}

function step(label: string, action: UserAction): NextStep {
  return { type: "action", label, action };
}

/** Returns the action that has an expert do the task at once. */
export function doNow(expert: "rooroo-developer" | "rooroo-analyzer", goal: string): UserAction {
  return { action: "doTask", expert, goal };
}
