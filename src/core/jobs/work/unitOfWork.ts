import type { NamedFolders } from "../../access/namedFolders.js";
import { leftByAttempt } from "../../agent/attempt.js";
import type { AgentEvent } from "../../agent/events.js";
import { UserError } from "../../errors.js";
import type { Ending } from "../../experts/ending.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { Mode } from "../../experts/mode.js";
import type { TaskId } from "../../ids.js";
import type { Lock } from "../../ports/locks.js";
import { ForeignFilesError } from "../../provenance/foreignFiles.js";
import { digest } from "../../text/digest.js";
import { visibleLine } from "../../text/visibleText.js";
import { type Drafted, type Said, spoken } from "../../text/words.js";
import { toolsOf } from "../../tools/toolTable.js";
import {
  AgentSession,
  type SessionEnd,
  type SessionInterrupted,
  type WorkEnd,
} from "../../work/agentSession.js";
import type { Job } from "../documents/jobFolder.js";
import type { JobLog } from "../documents/jobLog.js";
import { isOver } from "../documents/taskStatus.js";
import { newestEntries, sessionOf, sessionsByTask, type Role } from "../documents/workLog.js";
import {
  changedJobFile,
  jobFileText,
  jobFirstMessage,
  jobSystemPrompt,
  type LifecycleContext,
} from "./jobPrompt.js";
import { inEnvelopes, jobEndings } from "./jobReport.js";
import type { Work } from "./objective.js";

/** The end of a lifecycle's session. */
export type UnitEnd = Extract<SessionEnd, { type: "submitted" }> | UnitInterrupted;

export type UnitInterrupted = Omit<SessionInterrupted, "cause"> & {
  /**
   * `refused`: the turns were used up by submissions that were rejected; `day`: what may be used on a day is used up, and
   * nobody was there to allow more.
   */
  readonly cause: SessionInterrupted["cause"] | "refused" | "day";
  /** The results and the remaining work, for the log: the next runner reads them. */
  readonly summary: string;
};

/** The work of one lifecycle's agent session. */
export interface Unit {
  readonly role: Role;
  readonly context: LifecycleContext;
  /** Rejects if the runner has lost its lock, and must no longer write. */
  readonly guard: () => Promise<void>;
  readonly onEvent: (taskId: string, event: Drafted<AgentEvent>) => void;
  readonly onNotice: (text: Said, how?: "once") => void;
  /** The reasons why submissions were rejected; grows while the session works. */
  readonly rejections: string[];
}

const reading = toolsOf("read");
export const jobModes: Readonly<Record<Role, Mode>> = {
  Planner: {
    slug: "rooroo-job-planner",
    name: "Job planner",
    instructions: "",
    tools: reading,
    writes: "ownTaskFolder",
    onPlainText: "invalid",
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
      ...toolsOf("command"),
      ...toolsOf("browser"),
    ],
    writes: "job",
    onPlainText: "invalid",
  },
};

/**
 * Returns what identifies a lifecycle's work. It stays the same until the log has an entry about the work, so
 * that a killed lifecycle's session is found again, and no other's.
 */
export function unitId(next: Work, { stem, log }: Job): string {
  if (next.type === "run") {
    const { id, title } = next.task;
    const entry = newestEntries([next.task], log).get(next.task)?.entry;
    return digest(JSON.stringify([stem, "task", id, title, entry?.heading ?? null]));
  }
  const { objective } = next;
  const about =
    objective.type === "failedTasks" || objective.type === "unreadableTasks"
      ? objective.tasks.map(({ id }) => id)
      : objective.type === "blockedTask"
        ? [objective.task.id]
        : objective.type === "answers"
          ? objective.clarifications.map(({ id }) => id)
          : [];
  const entry = log.entries.find(({ role }) => role === "Planner");
  return digest(JSON.stringify([stem, objective.type, about, entry?.heading ?? null]));
}

/** A session that no other lifecycle has open. */
export interface OpenedSession {
  /** The name of the session's folder, `.rooroo/tasks/ID`, with its transcript and changes. */
  readonly taskId: TaskId;
  readonly session: AgentSession;
  release(): Promise<void>;
}

/**
 * Opens the session for a lifecycle's work: that of a lifecycle that was killed at it, or a new one. A session
 * is passed over if another runner has it open (a person may have freed its task by hand), if its result is
 * in the log already (of which a person may have removed entries), or if this installation did not write it.
 */
export async function openSession(
  unit: string,
  { role, context, guard, onEvent, onNotice, rejections }: Unit,
  experts: ExpertServices,
  lock: Lock,
): Promise<OpenedSession> {
  const mode = jobModes[role];
  const goal = context.objective;
  for (let number = 1; ; number++) {
    const taskId = `ROO#JOB_${unit.replaceAll("-", "_")}_${number}`;
    const own = await lock.tryHold(sessionLock(taskId));
    if ("holder" in own) continue;
    const release = () => own.held.release();
    try {
      const told = (event: Drafted<AgentEvent>): void => {
        onEvent(taskId, event);
      };
      const onReportRejected = (why: string): void => {
        rejections.push(why);
      };
      const work = {
        ...{ id: taskId, mode, goal, guard, onEvent: told, onNotice, onReportRejected },
        folders: foldersOf(context.job),
      };
      const session = await AgentSession.open(work, experts);
      if (!session.isClosed) return { taskId, session, release };
    } catch (error) {
      if (!(error instanceof ForeignFilesError)) {
        await release();
        throw error;
      }
    }
    await release();
  }
}

/** Returns the folders that the job's file names: a person confirms them, and again if it names others. */
function foldersOf({ jobPath: document, file }: Job): NamedFolders {
  const names = file.dirs;
  return { document, names, bound: JSON.stringify(names) };
}

/** Returns the name of the lock that the lifecycle holds which has the session open. */
function sessionLock(taskId: TaskId): string {
  return `job-session-${taskId.replace("ROO#JOB_", "")}`;
}

/**
 * Takes the messages that earlier sessions of the job were not told. Those to a session at another task that is not over
 * are left for the next session at that task.
 *
 * @param taskId the session that is about to work
 */
export async function takeMessages(
  taskId: TaskId,
  next: Work,
  log: JobLog,
  messages: ExpertServices["messages"],
  lock: Lock,
): Promise<void> {
  const ownTask = next.type === "run" ? next.task.id : undefined;
  const kept = new Set(
    [...sessionsByTask(log)].flatMap(([{ id, status }, sessions]) =>
      id === ownTask || isOver(status) ? [] : sessions,
    ),
  );
  for (const earlier of new Set(log.entries.flatMap((entry) => sessionOf(entry) ?? []))) {
    if (kept.has(earlier) || (await messages.list(earlier)).length === 0) continue;
    // Another runner may be about to take them.
    const own = await lock.tryHold(sessionLock(earlier));
    if ("holder" in own) continue;
    try {
      await messages.handOn(earlier, taskId);
    } finally {
      await own.held.release();
    }
  }
}

/**
 * Runs the session in the agent loop, from where it ended if it is resumed. The last turns are reserved for
 * submitting what was achieved (R-JIXO-20).
 *
 * @param unit.accept resolves with why a submission is rejected, in words for the model
 * @param unit.changed resolves with the paths of the files that the session has changed
 */
export async function unitOfWork(
  session: AgentSession,
  {
    role,
    context,
    accept,
    changed,
    rejections,
  }: Unit & {
    accept: Ending["accept"];
    changed: () => Promise<readonly string[]>;
  },
  experts: ExpertServices,
  signal: AbortSignal,
): Promise<UnitEnd> {
  await session.begin({
    system: ({ instructions }) => jobSystemPrompt(role, instructions),
    user: async (environment) => jobFirstMessage(context, await environment()),
  });
  const jobFile = jobFileText(context.job);
  const knowsJob = session.transcript.messages.some(
    (message) => message.role === "user" && message.content.includes(jobFile),
  );
  if (!knowsJob) await session.tell(changedJobFile(context.job));
  const ending = { tool: jobEndings[role], accept, inEnvelopes: inEnvelopes[role] };
  const turns = (number: number): Promise<WorkEnd> =>
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
  // A planner has nothing to hand in but the plan that is refused.
  const isRefused =
    role === "Planner" &&
    end.type === "exhausted" &&
    end.limit === "noProgress" &&
    rejections.length > 0;
  if (end.type === "exhausted" && reserved > 0 && !isRefused) {
    const why =
      end.limit === "turns"
        ? `Your turns are nearly used up: ${reserved} left.`
        : `You make no progress, so only ${reserved} turns are left.`;
    const content = `${why} Submit now what there is, with attempt_completion${role === "Runner" ? ": Pending, with what is done and what is left, if the task is not done" : ""}.`;
    await session.transcript.append({ type: "user", content });
    const first = end;
    end = await turns(reserved);
    // The reserve is small: that it was used up, too, is not what kept the work from its end.
    if (end.type === "exhausted" && first.limit === "noProgress") end = first;
  }
  const ended = session.ended(end);
  if (ended.type !== "interrupted") return ended;
  const left = leftByAttempt(await changed(), session.transcript.messages);
  const isSpent = end.type === "waitsForApproval" && end.action.access === "spend";
  const ofDay = isSpent ? await experts.spending.reachedToday() : undefined;
  const interrupted =
    ofDay === undefined
      ? withRefusal(ended, rejections)
      : { ...ended, cause: "day" as const, reason: ofDay.text };
  const parts = [pauseSummary(interrupted, signal), left].filter((part) => part !== "");
  return { ...interrupted, summary: parts.join("\n") };
}

/** Tells of a unit whose turns went into submissions that were rejected that this was why it did not end. */
function withRefusal(
  ended: SessionInterrupted,
  rejections: readonly string[],
): Omit<UnitInterrupted, "summary"> {
  const isUsedUp = ended.cause === "turns" || ended.cause === "noProgress";
  const last = rejections.at(-1);
  return isUsedUp && last !== undefined ? { ...ended, cause: "refused", reason: last } : ended;
}

/** Returns the summary of an interrupted unit for the log, from which the next one resumes (R-JIXO-20). */
function pauseSummary(
  { cause, reason }: Omit<UnitInterrupted, "summary">,
  signal: AbortSignal,
): string {
  const resumed = "work will be resumed.";
  switch (cause) {
    case "turns":
      return `Ran out of interaction turns, ${resumed}`;
    case "noProgress":
      return `Made no progress, ${resumed} ${visibleLine(spoken(reason), 500)}`;
    case "refused":
      return `What was submitted was not accepted, ${resumed} The last time: ${visibleLine(spoken(reason), 500)}`;
    case "stopped": {
      const by: unknown = signal.reason;
      const stop = by instanceof UserError ? by.message : "Stopped by the user";
      const why = signal.aborted ? stop : "A limit of what may be used is reached";
      return `${why}; ${resumed}`;
    }
    case "model":
      return `Paused, for the model did not answer; ${resumed} ${spoken(reason)}`;
    case "day":
      return `The limit for a day is reached; ${resumed}`;
    case "approval":
      return spoken(reason);
  }
}
