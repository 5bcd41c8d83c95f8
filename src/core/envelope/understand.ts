import { type ChecklistStep, plainStep } from "../agent/checklist.js";
import type { ModelMessage } from "../agent/messages.js";
import { kindsOf } from "./commandKind.js";
import { isActive } from "./decisionProblems.js";
import { endingIn } from "./endingIn.js";
import { keptPlan } from "./keptPlan.js";
import type { PlanStep } from "./plan.js";
import { readEnvelope } from "./readEnvelope.js";
import type { EnvelopeProblem } from "./rules.js";

export type Understood =
  | {
      readonly type: "call";
      readonly name: string;
      /** The call's arguments as JSON. */
      readonly arguments: string;
      /** The text to show the user; empty where the call itself shows it. */
      readonly said: string;
      readonly plan?: readonly PlanStep[];
    }
  /** A valid envelope without a command or an end. */
  | { readonly type: "message"; readonly said: string }
  | { readonly type: "broken"; readonly problems: readonly EnvelopeProblem[] };

/**
 * Interprets a reply. The result depends only on the reply and the earlier messages.
 *
 * @param talks whether a message by itself is addressed to the user and ends nothing
 */
export function understand(
  reply: string,
  earlier: readonly ModelMessage[],
  talks: boolean,
): Understood {
  const previous = keptPlan(earlier);
  const read = readEnvelope(reply, previous);
  if (!read.ok) return { type: "broken", problems: read.problems };
  const { message, plan, command } = read.envelope;
  const [kind] = command === undefined ? [] : kindsOf(command);
  if (command !== undefined && kind !== undefined) {
    const { read: read_, edit, replace, escape_string, unescape_string, ...rest } = command;
    const payload = { read: read_, edit, replace, escape_string, unescape_string };
    const args = kind === "shell" || kind === "browse" ? rest : payload[kind];
    return {
      type: "call",
      name: kind,
      arguments: JSON.stringify(args),
      said: message.trim(),
      ...(plan === undefined ? {} : { plan }),
    };
  }
  const ending = endingIn(message);
  const done = previous.map((step) => finished(step));
  if (ending !== undefined) {
    const reports = ending.name === "attempt_completion";
    return { type: "call", ...ending, said: "", ...(reports ? { plan: done } : {}) };
  }
  const saysFinished = plan?.length === 0 || (previous.length > 0 && !isActive(previous));
  if (talks || !saysFinished) return { type: "message", said: message.trim() };
  const report = { status: "Done", message };
  const args = JSON.stringify(report);
  return { type: "call", name: "attempt_completion", arguments: args, said: "", plan: done };
}

function finished(step: PlanStep): PlanStep {
  const { substeps, ...rest } = step;
  return {
    ...rest,
    status: "completed",
    ...(substeps === undefined ? {} : { substeps: substeps.map(finished) }),
  };
}

const states = { pending: "open", running: "doing", completed: "done" } as const;

/** Flattens a plan for display: each step is followed by its substeps. */
export function checklistOf(plan: readonly PlanStep[], depth = 0): ChecklistStep[] {
  return plan.flatMap(({ step, title, status, substeps }) => [
    {
      text: plainStep(`${step}. ${title}`.replace(/^(\S*)\.\. /, "$1. ")),
      state: states[status],
      ...(depth === 0 ? {} : { depth }),
    },
    ...checklistOf(substeps ?? [], depth + 1),
  ]);
}
