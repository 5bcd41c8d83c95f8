import { type Words, words } from "../../text/words.js";
import type { Attachment } from "./attachment.js";
import { nearestCommand, type SlashCommand, slashCommands } from "./slashCommands.js";
import type { UserAction } from "./userAction.js";

/** The parsed meaning of typed input. */
export type UserInput =
  | UserAction
  | { readonly action: "nothing" }
  | ({ readonly action: "badCommand" } & BadCommand);

/** Typed text that begins like a command and is none. */
export interface BadCommand {
  /** The word after the slash: in lower case, but as it was typed if it has a colon, as prompts of servers do. */
  readonly name: string;
  /** What followed it. */
  readonly rest: string;
  /** The command of this name, if its argument is missing or wrong. Absent: there is no such command. */
  readonly command?: SlashCommand;
}

/**
 * Parses what a person has typed: separates commands, which need no model, from requests, which triage
 * classifies. It is the only place where text becomes an action; `slashCommands` has the commands.
 */
export function parseInput(text: string): UserInput {
  const input = text.trim();
  if (input === "") return { action: "nothing" };
  const [, how, done] =
    /^(\/?proceed|\/next)(?:[.!]|\s+--done\s+(again|drop))?$/i.exec(input) ?? [];
  if (how !== undefined) {
    const one = how.toLowerCase() === "/next";
    return {
      action: "proceed",
      one,
      ...(done && { done: done.toLowerCase() as "again" | "drop" }),
    };
  }
  const [, typed, rest = ""] =
    /^\/([a-z][a-z0-9_-]*|[\w.@-]+:\S+)(?:\s+(\S[\s\S]*))?$/i.exec(input) ?? [];
  if (typed === undefined) return { action: "request", text: input };
  const name = typed.includes(":") ? typed : typed.toLowerCase();
  const command = slashCommands.find((one) => one.name === name);
  if (command === undefined) return { action: "badCommand", name, rest };
  const isMissing = rest === "" && command.argument !== "" && command.isArgumentOptional !== true;
  const isTooMuch = rest !== "" && command.argument === "";
  const action = isMissing || isTooMuch ? undefined : command.parse(rest);
  return action ?? { action: "badCommand", name, rest, command };
}

/**
 * Returns what is wrong with a command, in a sentence.
 *
 * @param own names of the workspace's own commands
 */
export function badCommandWords({ name, command }: BadCommand, own: readonly string[] = []): Words {
  const typed = `/${name}`;
  if (command !== undefined) {
    const argument = { template: command.argument, params: {} };
    return command.argument === ""
      ? words("{0} takes nothing after it.", { 0: typed })
      : words("{0} needs this after it: {1}", { 0: typed, 1: argument });
  }
  const nearest = nearestCommand(name, [...slashCommands.map((one) => one.name), ...own]);
  return nearest === undefined
    ? words("There is no command {0}.", { 0: typed })
    : words("There is no command {0}. Did you mean {1}?", { 0: typed, 1: `/${nearest}` });
}

/** Returns the input with what came with it; an action that takes nothing along stays as it is. */
export function withAttachments<Input extends UserInput>(
  input: Input,
  attachments: readonly Attachment[],
): Input {
  if (attachments.length === 0) return input;
  switch (input.action) {
    case "request":
    case "answer":
    case "plan":
    case "brainstorm":
    case "doTask":
    case "queueTask":
    case "createJob":
    case "startRun":
      return { ...input, attachments };
    case "nothing":
    case "proceed":
    case "resume":
    case "adopt":
    case "compact":
    case "review":
    case "leaveBrainstorm":
    case "runJob":
    case "badCommand":
      return input;
  }
}

/** The actions that make a task, whose work may be done in a worktree. */
const placed: ReadonlySet<string> = new Set<UserInput["action"]>([
  "request",
  "plan",
  "brainstorm",
  "doTask",
  "queueTask",
]);

/** Returns the input with where its work is done; an action that makes no task stays as it is. */
export function withIsolation<Input extends UserInput>(
  input: Input,
  isolated: boolean | undefined,
): Input {
  return isolated === undefined || !placed.has(input.action) ? input : { ...input, isolated };
}

function goneOnText({ goal, from }: { goal: string; from?: string | undefined }): string {
  return from === undefined ? goal : `--from ${from} ${goal}`;
}

/** Returns the command that gives a task to an expert. */
function expertCommand(slug: string): string {
  if (slug === "rooroo-developer") return "/do";
  return slug === "rooroo-analyzer" ? "/ask" : `/expert ${slug}`;
}

/** Returns what a person would type for an action; {@link parseInput} reads it as the same action. */
export function inputText(action: UserAction): string {
  switch (action.action) {
    case "request":
      return action.isNew ? `/request ${action.text}` : action.text;
    case "answer":
      return `/answer ${action.about} ${action.text}`;
    case "proceed":
      return `${action.one ? "/next" : "proceed"}${action.done ? ` --done ${action.done}` : ""}`;
    case "resume":
      return `/resume ${action.taskId}`;
    case "adopt":
      return action.taskId === null ? "/adopt" : `/adopt ${action.taskId}`;
    case "plan":
      return `/plan ${action.waits ? "--wait " : ""}${goneOnText(action)}`;
    case "brainstorm":
      return `/brainstorm ${action.goal}`;
    case "compact":
      return action.keep === undefined ? "/compact" : `/compact ${action.keep}`;
    case "review": {
      const { changes } = action;
      if (changes.of === "workTree") return "/review-changes";
      return `/review-changes ${changes.of === "staged" ? "staged" : changes.base}`;
    }
    case "leaveBrainstorm":
      return "/leave";
    case "doTask":
      return `${expertCommand(action.expert)} ${goneOnText(action)}`;
    case "queueTask":
      return `/queue ${action.goal}`;
    case "createJob":
      return `/job ${action.name} ${action.goal}`;
    case "runJob":
      return `/job ${action.name}`;
    case "startRun":
      return `/run ${action.request}`;
  }
}
