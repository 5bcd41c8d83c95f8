import { type ChecklistStep, plainStep } from "../agent/checklist.js";
import type { ModelMessage } from "../ports/messages.js";
import { kindsOf, type PlanStep } from "./envelope.js";
import { hasPending } from "./envelopeProblems.js";
import { extractJson } from "./extractJson.js";
import { checkEnvelope, readEnvelope } from "./readEnvelope.js";
import type { EnvelopeProblem } from "./rules.js";

export type InterpretedReply =
  | {
      readonly type: "call";
      readonly name: string;
      /** The call's arguments as JSON. */
      readonly arguments: string;
      /** The text to show the user; empty where the call itself shows it. */
      readonly text: string;
      readonly plan?: readonly PlanStep[];
    }
  /** A valid envelope without a command or an end. */
  | { readonly type: "message"; readonly text: string }
  | { readonly type: "broken"; readonly problems: readonly EnvelopeProblem[] };

/**
 * Interprets a reply. The result depends only on the reply and the earlier messages.
 *
 * @param talks whether a message by itself is addressed to the user and ends nothing
 */
export function interpretReply(
  reply: string,
  earlier: readonly ModelMessage[],
  talks: boolean,
): InterpretedReply {
  const previous = currentPlan(earlier);
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
      text: message.trim(),
      ...(plan === undefined ? {} : { plan }),
    };
  }
  const ending = endingCall(message);
  const done = previous.map((step) => finished(step));
  if (ending !== undefined) {
    const reports = ending.name === "attempt_completion";
    return { type: "call", ...ending, text: "", ...(reports ? { plan: done } : {}) };
  }
  const saysFinished = plan?.length === 0 || (previous.length > 0 && !hasPending(previous));
  if (talks || !saysFinished) return { type: "message", text: message.trim() };
  const report = { status: "Done", message };
  const args = JSON.stringify(report);
  return { type: "call", name: "attempt_completion", arguments: args, text: "", plan: done };
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

/**
 * Returns the plan that the harness keeps: that of the last accepted envelope, not of a rejected one. An
 * envelope that asks the user with `[]` leaves the plan as it is; one that ends the work ends the plan.
 *
 * @returns empty when there is no plan
 */
function currentPlan(messages: readonly ModelMessage[]): readonly PlanStep[] {
  for (const message of [...messages].reverse()) {
    if (message.role !== "assistant") continue;
    const [call] = message.toolCalls;
    if (call === undefined) continue;
    if (call.name === "attempt_completion") return [];
    const json = extractJson(message.content);
    const checked = checkEnvelope(json.ok ? json.value : undefined);
    if ("envelope" in checked && (checked.envelope.plan ?? []).length > 0) {
      return checked.envelope.plan ?? [];
    }
  }
  return [];
}

/** A call of the tool that ends a turn, as read from a message. */
interface EndingCall {
  readonly name: "attempt_completion" | "ask_followup_question";
  readonly arguments: string;
}

/**
 * Reads the fence named `report` or `question` that ends the turn of an envelope without a command. The
 * fence's JSON may leave out the `message` or `question`: the text around the fence stands in for it.
 */
function endingCall(message: string): EndingCall | undefined {
  const [fence, kind, body = ""] =
    /```(report|question)[^\S\n]*\n([\s\S]*?)(?:\n```|$)/.exec(message) ?? [];
  if (fence === undefined) return undefined;
  const words = message.replace(fence, "").trim();
  return kind === "report"
    ? { name: "attempt_completion", arguments: withWords(body, "message", words) }
    : { name: "ask_followup_question", arguments: withWords(body, "question", words) };
}

/**
 * Adds the words as a field unless the JSON has it. Invalid JSON stays as it is: the tool says what is
 * wrong with it.
 */
function withWords(body: string, field: string, words: string): string {
  const json = extractJson(body);
  if (!json.ok || typeof json.value !== "object" || json.value === null) return body;
  return JSON.stringify(words === "" ? json.value : { [field]: words, ...json.value });
}
