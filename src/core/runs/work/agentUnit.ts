import * as z from "zod";
import type { IgnoreTest } from "../../access/ignoredFiles.js";
import type { EndingTool } from "../../agent/tool.js";
import { ChangeStore } from "../../changes/changeStore.js";
import { changeCount } from "../../changes/changeSummary.js";
import { isUserError } from "../../errors.js";
import type { Mode, WriteScope } from "../../experts/mode.js";
import type { RunId, TaskId } from "../../ids.js";
import type { Said } from "../../text/words.js";
import { AgentSession, type SessionEnd } from "../../work/agentSession.js";
import { UnitRecords } from "../documents/unitRecords.js";
import { runFunctions } from "./functions/runFunctions.js";
import { runSystemPrompt } from "./runPrompt.js";
import { type Role, runModes, type RunServices } from "./runServices.js";

/** The task of one agent session of a run. */
export interface AgentUnit {
  /**
   * The name of the session's folder, `.rooroo/tasks/ID`. The same unit has the same id, and is resumed from
   * there.
   */
  readonly taskId: TaskId;
  readonly role: Role;
  /** The run whose lists show the work. Absent: none does. */
  readonly runId?: RunId;
  /** The purpose in one line, for people. */
  readonly objective: string;
  /** The user's own words that began the run: what they ask for counts as asked for by the user. */
  readonly request: string;
  /** The first message to the agent. */
  readonly message: string;
  /** The files that the agent may write. */
  readonly writes: WriteScope;
  /** The files that the agent may not read. */
  readonly ignores?: IgnoreTest;
  /** Functions besides those of the role. */
  readonly functions?: readonly string[];
  readonly ending: EndingTool;
  /** An example of a submission, for models without tool calling. */
  readonly inEnvelopes: string;
  readonly accept: (args: unknown) => Promise<string | undefined>;
}

/** The part of a submission that people are told. */
const submission = z.object({
  status: z.string().nullish(),
  summary: z.string().nullish(),
  error_log: z.string().nullish(),
});

const reading = ["list_directory", "read_file", "read_many_files", "glob", "search_file_content"];
const working = [
  ...reading,
  "write_file",
  "replace",
  "create_directory",
  "run_shell_command",
  "google_web_search",
  "web_fetch",
];
const tools: Readonly<Record<Role, readonly string[]>> = {
  Planner: reading,
  Executor: working,
  Helper: working,
  Communicator: [],
};

/**
 * Runs the unit in the agent loop. A result that was submitted before the process was killed is returned
 * again, without a call of the model.
 */
export async function agentUnit(
  unit: AgentUnit,
  guard: () => Promise<void>,
  services: RunServices,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const { taskId, role, ending, accept, inEnvelopes } = unit;
  const mode = modeOf(unit);
  const { publisher, files, experts } = services;
  const { clock, signer } = experts;
  const began = clock.now();
  // The Communicator's message is shown itself, and its session needs no announcement.
  const isShown = role !== "Communicator";
  // Planners and the Communicator work with what they are given.
  const isActing = role === "Executor" || role === "Helper";
  if (isShown) {
    publisher.publish({ type: "sessionStarted", taskId, mode: mode.slug, goal: unit.objective });
  }
  const session = await AgentSession.open(
    {
      id: taskId,
      mode,
      goal: unit.request,
      guard,
      onEvent: (event) => {
        if (isShown) publisher.agent(taskId, event);
        if (event.type === "messageDelivered") publisher.tasksChanged();
      },
      onNotice: (text, how) => {
        publisher.ofSession(text, how);
      },
    },
    services.experts,
  );
  await session.begin({
    system: ({ shell, instructions }) => runSystemPrompt(role, shell, instructions),
    user: async (environment) =>
      isActing ? `${unit.message}\n\n${await environment()}` : unit.message,
  });
  const end = session.ended(
    await session.run({ tool: ending, accept, inEnvelopes }, signal, {
      ...services.experts,
      tools: runFunctions,
    }),
  );
  const store = new ChangeStore(files, clock, signer, session.folder);
  const changes = await changeCount(store).catch((error: unknown) => {
    if (isUserError(error)) return undefined;
    throw error;
  });
  if (unit.runId !== undefined) {
    await guard();
    const { inputTokens, outputTokens, costUsd } = session.transcript.usage;
    const now = clock.now();
    await new UnitRecords(files, signer).put(unit.runId, taskId, {
      from: began.toISOString(),
      to: now.toISOString(),
      workedMs: now.getTime() - began.getTime(),
      tokens: inputTokens + outputTokens,
      ...(costUsd === undefined ? {} : { costUsd }),
      ...(changes === undefined ? {} : { changes }),
    });
  }
  const ended = (how: "Done" | "Failed" | "Stopped", message: Said): void => {
    const changedFiles = changes?.files ?? 0;
    if (isShown) publisher.ended({ taskId, mode: mode.slug, changedFiles }, how, message);
  };
  if (end.type === "interrupted") {
    ended("Stopped", end.reason);
    return end;
  }
  const { status, summary, error_log: log } = submission.parse(end.args);
  const isFailed = status === "FAILED";
  ended(isFailed ? "Failed" : "Done", (isFailed ? log : summary) ?? "");
  return end;
}

/** Returns the mode in which the unit's agent works. */
function modeOf({ role, functions = [], writes, ignores }: AgentUnit): Mode {
  return {
    slug: runModes[role],
    name: `Run ${role.toLowerCase()}`,
    instructions: "",
    tools: [...tools[role], ...functions],
    writes,
    onPlainText: "invalid",
    ...(ignores === undefined ? {} : { ignores }),
  };
}
