import type { ChatCompletionRequest } from "@copilotkit/aimock";
import { call, type Reply } from "./modelServer.js";

/** What a test decides of a job's players. */
export interface JobPlay {
  /** The first changes of the roadmap. */
  readonly plan: object;
  /** What the runner of a task submits; by default it has succeeded. */
  readonly ends?: (task: string) => object | undefined;
  /** A runner that is to wait, before it submits, waits for this. */
  readonly waits?: (task: string) => Promise<unknown> | undefined;
}

/**
 * Returns the answers of a planner and of runners that may ask in any order: each answer follows from what is asked.
 */
export function jobPlayers({ plan, ends, waits }: JobPlay) {
  let isPlanned = false;
  return ({ messages }: ChatCompletionRequest): Reply => {
    const [system, first] = messages.map(({ content }) =>
      typeof content === "string" ? content : "",
    );
    if (system?.includes("You judge whether the roadmap") === true) {
      return call("judge_plan", { fits: true, reason: "It does." });
    }
    if (system?.includes("You are the PLANNER") === true) {
      const summary = isPlanned ? "Worked in what was answered." : "Planned.";
      const changes = isPlanned ? { summary, changes: [] } : { summary, ...plan };
      isPlanned = true;
      return call("attempt_completion", changes);
    }
    const task = /objective: Task (\S+?)\.? /.exec(first ?? "")?.[1] ?? "";
    if (!messages.some(({ role }) => role === "tool")) {
      return call("write_to_file", { path: `docs/${task}.md`, content: `# ${task}\n` });
    }
    const end = ends?.(task) ?? { result: "Succeeded", summary: `Wrote docs/${task}.md.` };
    const done = call("attempt_completion", end);
    const waiting = waits?.(task);
    return waiting === undefined ? done : { after: waiting, then: done };
  };
}
