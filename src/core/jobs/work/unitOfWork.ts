import type { AgentEnd } from "../../agent/loop.js";
import type { EventPublisher } from "../../conversation/eventPublisher.js";
import { UserError } from "../../errors.js";
import type { ExpertWorld } from "../../experts/expertWorld.js";
import type { Mode } from "../../experts/mode.js";
import { AgentSession } from "../../work/agentSession.js";
import { inEnvelopes, jobEndings } from "./jobReport.js";
import { jobFirstMessage, jobSystemPrompt, type LifecycleContext } from "./jobPrompt.js";
import type { Role } from "../documents/workLog.js";

/** One session of a model's work, which begins without memory. */
export interface Unit {
  /** The name of the session's folder, `.rooroo/tasks/ID`, with its transcript and changes. */
  readonly taskId: string;
  readonly role: Role;
  readonly context: LifecycleContext;
  /** Rejects if the runner has lost its lock, and must no longer write. */
  readonly guard: () => Promise<void>;
  readonly accept: (args: unknown) => Promise<string | undefined>;
  readonly publisher: EventPublisher;
  /** Called after each turn. */
  readonly onTurn: () => void;
}

export type UnitEnd =
  | { readonly type: "handedIn"; readonly args: unknown; confirm(): Promise<void> }
  /** `halts`: another lifecycle would fare no better now. */
  | { readonly type: "left"; readonly why: string; readonly halts: boolean };

const reading = ["read_file", "list_files", "search_files", "get_diagnostics"];
export const jobModes: Readonly<Record<Role, Mode>> = {
  Planner: {
    slug: "rooroo-job-planner",
    name: "Job planner",
    instructions: "",
    tools: reading,
    writes: "ownTaskFolder",
    plainText: "slip",
  },
  Runner: {
    slug: "rooroo-job-runner",
    name: "Job runner",
    instructions: "",
    hostTools: true,
    tools: [
      ...reading,
      "edit_file",
      "write_to_file",
      "insert_content",
      "apply_diff",
      "execute_command",
      "web_fetch",
      "web_search",
    ],
    writes: "job",
    plainText: "slip",
  },
};

/**
 * Runs the session in the agent loop. The last turns are reserved for submitting what was achieved
 * (R-JIXO-20).
 */
export async function unitOfWork(
  { taskId, role, context, guard, accept, publisher, onTurn }: Unit,
  experts: ExpertWorld,
  signal: AbortSignal,
): Promise<UnitEnd> {
  const mode = jobModes[role];
  publisher.publish({ type: "taskStarted", taskId, mode: mode.slug, goal: context.objective });
  const session = await AgentSession.open(
    {
      id: taskId,
      mode,
      goal: context.objective,
      guard,
      onEvent: (event) => {
        publisher.agent(taskId, event);
        if (event.type === "usage") onTurn();
      },
      onNotice: (text) => {
        publisher.notice("info", text);
      },
    },
    experts,
  );
  await session.begin({
    system: ({ shell, instructions }) => jobSystemPrompt(role, shell, instructions),
    user: () => jobFirstMessage(context),
  });
  const ending = { tool: jobEndings[role], accept, inEnvelopes: inEnvelopes[role] };
  const turns = (number: number): Promise<AgentEnd> =>
    session.run(ending, signal, {
      ...experts,
      settings: () => {
        const settings = experts.settings();
        return { ...settings, modes: {}, limits: { ...settings.limits, turns: number } };
      },
    });
  const { quota } = context;
  const reserved = quota > 5 ? 3 : quota > 1 ? 1 : 0;
  let end = await turns(quota - reserved);
  if (end.type === "exhausted" && reserved > 0) {
    const content = `Your turns are nearly used up: ${reserved} left. Hand in now what there is, with attempt_completion${role === "Runner" ? ": Pending, with what is done and what is left, if the task is not done" : ""}.`;
    await session.transcript.append({ type: "user", content });
    end = await turns(reserved);
  }
  if (end.type !== "completed") return left(end, signal);
  const { callId, args } = end;
  return {
    type: "handedIn",
    args,
    confirm: () => session.confirm(callId, "It is written."),
  };
}

function left(
  end: Exclude<AgentEnd, { type: "completed" }>,
  { aborted, reason }: AbortSignal,
): UnitEnd & { type: "left" } {
  const resumed = "work will be resumed.";
  switch (end.type) {
    case "exhausted":
      return {
        type: "left",
        halts: false,
        why: `Ran out of interaction turns, ${resumed}`,
      };
    case "stopped": {
      const by = reason instanceof UserError ? reason.message : "Stopped by the user";
      const why = aborted ? by : "A limit of what may be used is reached";
      return { type: "left", halts: true, why: `${why}; ${resumed}` };
    }
    case "modelFailed":
      return {
        type: "left",
        halts: true,
        why: `Paused, for the model did not answer; ${resumed} ${end.message}`,
      };
    case "waitsForApproval":
      return {
        type: "left",
        halts: true,
        why: `Paused, for nobody was there to allow this: ${end.intent.title}; ${resumed}`,
      };
    case "asks":
    case "speaks":
      throw new Error(`a mode of jobs has no way to end with ${end.type}`);
  }
}
