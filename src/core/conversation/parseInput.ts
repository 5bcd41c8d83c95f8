import type { UserAction } from "./userAction.js";

/** The parsed meaning of typed input. */
export type UserInput =
  | UserAction
  | { readonly action: "nothing" }
  /** A single word after `/run`: the name of a job, or the goal of a run. */
  | { readonly action: "jobOrRun"; readonly name: string };

/**
 * Parses what a person has typed: separates commands, which need no model, from requests, which triage
 * classifies. It is the only place where text becomes an action.
 */
export function parseInput(text: string): UserInput {
  const input = text.trim();
  if (input === "") return { action: "nothing" };
  if (/^\/?proceed[.!]?$/i.test(input)) return { action: "proceed", one: false };
  if (/^\/next$/i.test(input)) return { action: "proceed", one: true };
  if (/^\/leave$/i.test(input)) return { action: "leaveBrainstorm" };
  if (/^\/adopt$/i.test(input)) return { action: "adopt", taskId: null };
  const [, command = "", rest = ""] = /^\/([a-z-]+)\s+(\S[\s\S]*)$/i.exec(input) ?? [];
  return parseCommand(command.toLowerCase(), rest) ?? { action: "request", text: input };
}

/** Returns what the command with this argument says; `undefined` if there is no such command. */
function parseCommand(command: string, rest: string): UserInput | undefined {
  switch (command) {
    case "resume":
      return { action: "resume", taskId: rest };
    case "adopt":
      return { action: "adopt", taskId: rest };
    case "plan":
      return { action: "plan", ...goneOn(rest) };
    case "brainstorm":
      return { action: "brainstorm", goal: rest };
    case "do":
      return { action: "doTask", expert: "rooroo-developer", ...goneOn(rest) };
    case "ask":
      return { action: "doTask", expert: "rooroo-analyzer", ...goneOn(rest) };
    case "expert": {
      const [, expert, goal = ""] = /^([A-Za-z0-9-]+):?\s+(\S[\s\S]*)$/.exec(rest) ?? [];
      return expert === undefined ? undefined : { action: "doTask", expert, ...goneOn(goal) };
    }
    case "queue":
      return { action: "queueTask", goal: rest };
    case "job": {
      const [, name = "", goal = ""] = /^(\S+?):?\s+(\S[\s\S]*)$/.exec(rest) ?? [];
      return name === "" ? { action: "runJob", name: rest } : { action: "createJob", name, goal };
    }
    case "run":
      return /\s/.test(rest)
        ? { action: "startRun", request: rest }
        : { action: "jobOrRun", name: rest };
    case "start-run":
      return { action: "startRun", request: rest };
    default:
      return undefined;
  }
}

/** Reads a goal, which may begin with `--from ID`, the task whose request it goes on with. */
function goneOn(text: string): { readonly goal: string; readonly from?: string } {
  const [, from, goal] = /^--from (ROO#\S+)\s+(\S[\s\S]*)$/.exec(text) ?? [];
  return from === undefined || goal === undefined ? { goal: text } : { goal, from };
}

function goneOnText({ goal, from }: { goal: string; from?: string | undefined }): string {
  return from === undefined ? goal : `--from ${from} ${goal}`;
}

/** The command that gives a task to an expert. */
function expertCommand(slug: string): string {
  if (slug === "rooroo-developer") return "/do";
  return slug === "rooroo-analyzer" ? "/ask" : `/expert ${slug}`;
}

/** Returns what a person would type for an action; {@link parseInput} reads it as the same action. */
export function inputText(action: UserAction): string {
  switch (action.action) {
    case "request":
      return action.text;
    case "proceed":
      return action.one ? "/next" : "proceed";
    case "resume":
      return `/resume ${action.taskId}`;
    case "adopt":
      return action.taskId === null ? "/adopt" : `/adopt ${action.taskId}`;
    case "plan":
      return `/plan ${goneOnText(action)}`;
    case "brainstorm":
      return `/brainstorm ${action.goal}`;
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
      return `${/\s/.test(action.request) ? "/run" : "/start-run"} ${action.request}`;
  }
}
