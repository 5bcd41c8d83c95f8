import type { PlanStep } from "./plan.js";
import type { Envelope } from "./envelope.js";
import type { EnvelopeProblem, RuleId } from "./rules.js";

/**
 * R-ENV-4, R-ENV-5: Checks whether the parts of an envelope that fits the schema may come together.
 *
 * @param previous the plan that the harness keeps; empty when there is none
 */
export function decisionProblems(
  { message, plan, command }: Envelope,
  previous: readonly PlanStep[] = [],
): EnvelopeProblem[] {
  const problems: EnvelopeProblem[] = [];
  const add = (rule: RuleId, path: string, words: string): void => {
    problems.push({ rule, path, message: words });
  };

  if (plan === undefined && command === undefined && message.trim() === "") {
    add("R-ENV-5/nothing", "", "says nothing and does nothing; send a message");
  }
  if (plan === undefined && command !== undefined) {
    add(
      "R-ENV-4/D1-running-step",
      "plan",
      "is missing; with a command, list the plan, with the step that the command is for running",
    );
  }
  if (plan === undefined && isActive(previous)) {
    add(
      "R-ENV-4/D2-hidden-plan",
      "plan",
      "is missing while work remains; list it, or send [] to end it or to ask",
    );
  }
  if (plan?.length === 0 && command !== undefined) {
    add(
      "R-ENV-5/command-without-plan",
      "command",
      "comes with an empty plan; list the step that it is for, running",
    );
  }
  if (plan !== undefined && plan.length > 0) {
    if (!isActive(plan)) {
      add(
        "R-ENV-4/D4-finished-plan",
        "plan",
        "has only completed steps; send [] instead, and no command",
      );
    } else {
      const next = plan.findIndex(({ status }) => status !== "completed");
      if (plan[next]?.status !== "running") {
        add(
          "R-ENV-5/next-step-not-running",
          `plan.${next}.status`,
          "must be running: it is the first step that is not completed",
        );
      }
      if (command === undefined) {
        add(
          "R-ENV-5/active-plan-without-command",
          "command",
          "is missing while the plan is active; send the next command, or plan [] to end or to ask",
        );
      }
    }
    for (const level of levelsWithTwoRunning(plan)) {
      add(
        "R-ENV-5/two-running",
        "plan",
        `has more than one running step at level ${level}; only one can be`,
      );
    }
  }
  return problems;
}

/** Returns whether any top-level step is not completed. */
export function isActive(plan: readonly PlanStep[]): boolean {
  return plan.some(({ status }) => status !== "completed");
}

/** Returns the 1-based levels that have more than one running step. */
function levelsWithTwoRunning(plan: readonly PlanStep[]): number[] {
  const levels: number[] = [];
  let steps = plan;
  for (let level = 1; steps.length > 0; level++) {
    if (steps.filter(({ status }) => status === "running").length > 1) levels.push(level);
    steps = steps.flatMap(({ substeps }) => substeps ?? []);
  }
  return levels;
}
