import { revisionPattern } from "../../ports/git.js";
import { translatable } from "../../text/translator.js";
import type { UserAction } from "./userAction.js";

/** What completes a command's argument. */
export type ArgumentKind = "experts" | "jobs" | "asking" | "resumable" | "foreign";

/** A command that a person can type. */
export interface SlashCommand {
  /** The word after the slash. */
  readonly name: string;
  /** What follows it, as the list shows it; `""` if nothing does. */
  readonly argument: string;
  /** Whether the command means something without its argument, too. */
  readonly isArgumentOptional?: true;
  readonly description: string;
  /** What completes the first word of the argument. Absent: nothing. */
  readonly completes?: ArgumentKind;
  /** Returns the action. `rest` is what follows, trimmed; `undefined`: the argument is not one. */
  parse(rest: string): UserAction | { readonly action: "nothing" } | undefined;
}

/** All commands, in the order of lists: the one source of parsing, completion and help. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: "ask",
    argument: translatable("question"),
    description: translatable("Answer a question about the code, changing nothing"),
    parse: (rest) => ({ action: "doTask", expert: "rooroo-analyzer", ...goneOn(rest) }),
  },
  {
    name: "plan",
    argument: translatable("goal"),
    description: translatable("Break a goal down into tasks"),
    parse: planOf,
  },
  {
    name: "do",
    argument: translatable("goal"),
    description: translatable("Let the Developer do it now"),
    parse: (rest) => ({ action: "doTask", expert: "rooroo-developer", ...goneOn(rest) }),
  },
  {
    name: "expert",
    argument: translatable("name task"),
    description: translatable("Give a task to one expert"),
    completes: "experts",
    parse: (rest) => {
      const [, expert, goal = ""] = /^([A-Za-z0-9-]+):?\s+(\S[\s\S]*)$/.exec(rest) ?? [];
      return expert === undefined ? undefined : { action: "doTask", expert, ...goneOn(goal) };
    },
  },
  {
    name: "review-changes",
    argument: translatable("staged or base"),
    isArgumentOptional: true,
    description: translatable(
      "Review your changes, what is staged, or the branch since it left its base",
    ),
    parse: reviewOf,
  },
  {
    name: "brainstorm",
    argument: translatable("topic"),
    description: translatable("Think about it with the Idea Sparker"),
    parse: (rest) => ({ action: "brainstorm", goal: rest }),
  },
  {
    name: "leave",
    argument: "",
    description: translatable("End the brainstorm"),
    parse: () => ({ action: "leaveBrainstorm" }),
  },
  {
    name: "queue",
    argument: translatable("goal"),
    description: translatable("Put a task for the Developer first in the queue, and run the queue"),
    parse: (rest) => ({ action: "queueTask", goal: rest }),
  },
  {
    name: "proceed",
    argument: "",
    description: translatable("Run the queue"),
    parse: () => ({ action: "proceed", one: false }),
  },
  {
    name: "next",
    argument: "",
    description: translatable("Run only the next task of the queue"),
    parse: () => ({ action: "proceed", one: true }),
  },
  {
    name: "resume",
    argument: translatable("task"),
    description: translatable("Resume a task that was interrupted or has failed"),
    completes: "resumable",
    parse: (rest) => ({ action: "resume", taskId: rest }),
  },
  {
    name: "answer",
    argument: translatable("task answer"),
    description: translatable("Answer the question of a task, a job or a run"),
    completes: "asking",
    parse: (rest) => {
      const [, about, text = ""] = /^(\S+)\s+(\S[\s\S]*)$/.exec(rest) ?? [];
      return about === undefined ? undefined : { action: "answer", about, text };
    },
  },
  {
    name: "request",
    argument: translatable("request"),
    description: translatable("Ask for something new, though a question waits for its answer"),
    parse: (rest) => ({ action: "request", text: rest, isNew: true }),
  },
  {
    name: "compact",
    argument: translatable("what to keep"),
    isArgumentOptional: true,
    description: translatable("Summarize what the expert has read and done so far, to make room"),
    parse: (rest) => (rest === "" ? { action: "compact" } : { action: "compact", keep: rest }),
  },
  {
    name: "job",
    argument: translatable("name goal"),
    description: translatable("Create a job with this goal; with a name alone, run it"),
    completes: "jobs",
    parse: (rest) => {
      const [, name = "", goal = ""] = /^(\S+?):?\s+(\S[\s\S]*)$/.exec(rest) ?? [];
      return name === "" ? { action: "runJob", name: rest } : { action: "createJob", name, goal };
    },
  },
  {
    name: "run",
    argument: translatable("request"),
    description: translatable("Start a run, which writes documents in phases from your material"),
    parse: (rest) => ({ action: "startRun", request: rest }),
  },
  {
    name: "new",
    argument: translatable("request"),
    isArgumentOptional: true,
    description: translatable("Start a new conversation, with this request"),
    parse: (rest) => (rest === "" ? { action: "nothing" } : { action: "request", text: rest }),
  },
  {
    name: "adopt",
    argument: translatable("task"),
    isArgumentOptional: true,
    description: translatable("Take over tasks that came with the folder, if they are yours"),
    completes: "foreign",
    parse: (rest) => ({ action: "adopt", taskId: rest === "" ? null : rest }),
  },
];

/** Returns the name of a command that is nearest to a mistyped one; `undefined` if none is near. */
export function nearestCommand(typed: string, names: readonly string[]): string | undefined {
  const begun = names.find((name) => typed.length > 1 && name.startsWith(typed));
  if (begun !== undefined) return begun;
  const [nearest] = names
    .map((name) => ({ name, distance: distance(typed, name) }))
    .sort((a, b) => a.distance - b.distance);
  const isNear = nearest !== undefined && nearest.distance <= Math.max(1, typed.length / 3);
  return isNear ? nearest.name : undefined;
}

/** Returns the number of characters to insert, remove, replace or swap that make one word of the other. */
function distance(a: string, b: string): number {
  const rows: number[][] = [[...Array(b.length + 1).keys()]];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (isSame ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Infinity,
      );
    }
  }
  return at(a.length, b.length);
}

/** Reads what to plan; after `--wait`, the plan waits until the user starts it. */
function planOf(text: string): UserAction {
  const [, waiting] = /^--wait\s+(\S[\s\S]*)$/.exec(text) ?? [];
  const waits = waiting === undefined ? {} : { waits: true as const };
  return { action: "plan", ...goneOn(waiting ?? text), ...waits };
}

/** Reads what to review; `undefined` if it is more than one word, or begins like an option. */
function reviewOf(text: string): UserAction | undefined {
  if (text === "") return { action: "review", changes: { of: "workTree" } };
  if (text === "staged") return { action: "review", changes: { of: "staged" } };
  if (!revisionPattern.test(text)) return undefined;
  return { action: "review", changes: { of: "branch", base: text } };
}

/** Reads a goal, which may begin with `--from ID`, the task whose request it continues. */
function goneOn(text: string): { readonly goal: string; readonly from?: string } {
  const [, from, goal] = /^--from (ROO#\S+)\s+(\S[\s\S]*)$/.exec(text) ?? [];
  return from === undefined || goal === undefined ? { goal: text } : { goal, from };
}
