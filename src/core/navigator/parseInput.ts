import type { Decision } from "./triage.js";

type Route = Extract<Decision, { route: "brainstorm" | "plan" | "direct" | "queue" }>;
type WithoutReason<D> = D extends unknown ? Omit<D, "reason"> : never;

export type UserInput =
  | { readonly type: "nothing" }
  | { readonly type: "proceed"; readonly one: boolean }
  /** Ends a brainstorm; answering its question resumes it. */
  | { readonly type: "leave" }
  | { readonly type: "resume"; readonly taskId: string }
  /** Adopts what this installation did not write; `null`: all of it. */
  | { readonly type: "adopt"; readonly taskId: string | null }
  /** The user chose the route, so no model is asked. */
  | { readonly type: "route"; readonly decision: WithoutReason<Route> }
  | { readonly type: "makeJob"; readonly name: string; readonly goal: string }
  | { readonly type: "runJob"; readonly name: string }
  | { readonly type: "startRun"; readonly request: string }
  | { readonly type: "request"; readonly text: string };

/**
 * Parses user input: separates plain commands, which need no model, from requests, which triage
 * classifies.
 */
export function parseInput(text: string): UserInput {
  const input = text.trim();
  if (input === "") return { type: "nothing" };
  if (/^\/?proceed[.!]?$/i.test(input)) return { type: "proceed", one: false };
  if (/^\/next$/i.test(input)) return { type: "proceed", one: true };

  if (/^\/leave$/i.test(input)) return { type: "leave" };

  if (/^\/adopt$/i.test(input)) return { type: "adopt", taskId: null };

  const [, name = "", goal = ""] = /^\/([a-z-]+)\s+(\S[\s\S]*)$/i.exec(input) ?? [];
  switch (name.toLowerCase()) {
    case "resume":
      return { type: "resume", taskId: goal };
    case "adopt":
      return { type: "adopt", taskId: goal };
    case "plan":
      return { type: "route", decision: { route: "plan", goal, context: "" } };
    case "brainstorm":
      return { type: "route", decision: { route: "brainstorm", goal, context: "" } };
    case "do":
      return single("direct", "rooroo-developer", goal);
    case "ask":
      return single("direct", "rooroo-analyzer", goal);
    case "queue":
      return single("queue", "rooroo-developer", goal);
    case "job": {
      const [, job = "", own = ""] = /^(\S+?):?\s+(\S[\s\S]*)$/.exec(goal) ?? [];
      return job === ""
        ? { type: "request", text: input }
        : { type: "makeJob", name: job, goal: own };
    }
    case "run":
      return { type: "runJob", name: goal };
    case "start-run":
      return { type: "startRun", request: goal };
    default:
      return { type: "request", text: input };
  }
}

function single(route: "direct" | "queue", expert: string, goal: string): UserInput {
  return { type: "route", decision: { route, expert, goal, context: "" } };
}
