import { type Words, words } from "../text/words.js";
import {
  browsedAddress,
  type Envelope,
  type EnvelopeCommand,
  kindsOf,
  type PlanStep,
  type TextEdit,
} from "./envelope.js";
import type { EnvelopeProblem, RuleId } from "./rules.js";

/**
 * Returns the reasons why a command that fits the schema still cannot be carried out (R-ENV-3, 10, 12,
 * 13).
 */
export function commandProblems(command: EnvelopeCommand): EnvelopeProblem[] {
  const problems: EnvelopeProblem[] = [];
  const kinds = kindsOf(command);
  if (kinds.length !== 1) {
    const some = command.shell ?? command.run;
    const message =
      kinds.length > 1
        ? words("names {kinds}; one command is one tool", { kinds: kinds.join(" + ") })
        : some === undefined
          ? words(
              "names no tool: give shell, run and cwd, or one of read, edit, replace, escape_string, unescape_string",
            )
          : words("is not whole: a shell command has shell, run and cwd");
    problems.push({ rule: "R-ENV-3/one-command", path: "command", message });
  }
  if (kinds.includes("browse") && browsedAddress(command.run ?? "") === undefined) {
    const message = words("names no web address; write browse https://…, and nothing after it");
    problems.push({ rule: "R-ENV-10/address", path: "command.run", message });
  }
  if (command.edit !== undefined) {
    const problem = editsProblem(command.edit.edits);
    if (problem !== undefined) problems.push(problem);
  }
  if (command.replace !== undefined) {
    const { raw, regex } = command.replace;
    if ((raw === undefined) === (regex === undefined)) {
      const message = words("needs one of raw and regex, and not both");
      problems.push({ rule: "R-ENV-13/raw-or-regex", path: "command.replace", message });
    }
  }
  return problems;
}

/** Returns the first problem with the offsets of the edits, if any. */
export function editsProblem(edits: readonly TextEdit[]): EnvelopeProblem | undefined {
  const sorted = [...edits.entries()].sort(([, a], [, b]) => a.start - b.start || a.end - b.end);
  let reached = { index: 0, end: 0 };
  for (const [index, { start, end }] of sorted) {
    const path = `command.edit.edits.${index}`;
    if (end < start) {
      return { rule: "R-ENV-12/end-before-start", path, message: words("ends before it starts") };
    }
    if (start < reached.end) {
      const message = words("overlaps with {other}; join them into one", {
        other: `edits.${reached.index}`,
      });
      return { rule: "R-ENV-12/overlapping-edits", path, message };
    }
    if (end > reached.end) reached = { index, end };
  }
  return undefined;
}

/**
 * R-ENV-4, R-ENV-5: Checks whether the parts of an envelope that fits the schema may come together.
 *
 * @param previous the plan that the harness keeps; empty when there is none
 */
export function decisionProblems(
  { message: text, plan, command }: Envelope,
  previous: readonly PlanStep[] = [],
): EnvelopeProblem[] {
  const problems: EnvelopeProblem[] = [];
  const add = (rule: RuleId, path: string, message: Words): void => {
    problems.push({ rule, path, message });
  };

  if (plan === undefined && command === undefined && text.trim() === "") {
    add("R-ENV-5/nothing", "", words("says nothing and does nothing; send a message"));
  }
  if (plan === undefined && command !== undefined) {
    add(
      "R-ENV-4/D1-running-step",
      "plan",
      words(
        "is missing; with a command, list the plan, with the step that the command is for running",
      ),
    );
  }
  // The step that was running may have been completed by the last command: then the plan is finished.
  if (plan === undefined && hasPending(previous)) {
    add(
      "R-ENV-4/D2-hidden-plan",
      "plan",
      words("is missing while work remains; list it, or send [] to end it or to ask"),
    );
  }
  if (plan?.length === 0 && command !== undefined) {
    add(
      "R-ENV-5/command-without-plan",
      "command",
      words("comes with an empty plan; list the step that it is for, running"),
    );
  }
  return [...problems, ...planProblems(plan ?? [], command !== undefined)];
}

/** Returns the problems of a plan that has steps. */
function planProblems(plan: readonly PlanStep[], hasCommand: boolean): EnvelopeProblem[] {
  if (plan.length === 0) return [];
  const problems: EnvelopeProblem[] = [];
  const next = plan.findIndex(({ status }) => status !== "completed");
  if (next < 0) {
    const message = words("has only completed steps; send [] instead, and no command");
    problems.push({ rule: "R-ENV-4/D4-finished-plan", path: "plan", message });
  } else {
    if (plan[next]?.status !== "running") {
      const message = words("must be running: it is the first step that is not completed");
      const path = `plan.${next}.status`;
      problems.push({ rule: "R-ENV-5/next-step-not-running", path, message });
    }
    if (!hasCommand) {
      const message = words(
        "is missing while the plan is active; send the next command, or plan [] to end or to ask",
      );
      problems.push({ rule: "R-ENV-5/active-plan-without-command", path: "command", message });
    }
  }
  for (const level of levelsWithTwoRunning(plan)) {
    const message = words("has more than one running step at level {level}; only one can be", {
      level,
    });
    problems.push({ rule: "R-ENV-5/two-running", path: "plan", message });
  }
  return problems;
}

/** Returns whether any step or substep is still to be begun. */
export function hasPending(plan: readonly PlanStep[]): boolean {
  return plan.some(({ status, substeps = [] }) => status === "pending" || hasPending(substeps));
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
