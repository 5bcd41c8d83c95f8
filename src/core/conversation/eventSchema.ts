import * as z from "zod";
import { policySources, repairs, invalidReplies } from "../agent/events.js";
import { modelErrorCodes } from "../errors.js";
import type { AgentEvent } from "../agent/events.js";
import type { JobName, RunId, TaskId } from "../ids.js";
import { hostCommands } from "./hostCommands.js";
import { parseInput } from "./parseInput.js";
import { type UserAction, userActionSchema } from "./userAction.js";

const taskId: z.ZodType<TaskId> = z.string();
const runId: z.ZodType<RunId> = z.string();
const jobName: z.ZodType<JobName> = z.string();
const preview = z.object({
  kind: z.enum(["diff", "command", "address", "text"]),
  text: z.string(),
});
const place = { path: z.string(), inside: z.boolean() };
const commandFacts = z.object({
  commands: z.array(
    z.object({
      words: z.array(z.string()),
      verdict: z.enum(["reads", "allowed", "asks", "denied"]),
      why: z.string(),
    }),
  ),
  writes: z.array(z.string()),
  unclear: z.string().optional(),
});
const intent = z.discriminatedUnion("access", [
  z.object({
    access: z.enum(["read", "write"]),
    title: z.string(),
    preview,
    ...place,
    steers: z.string().optional(),
  }),
  z.object({
    access: z.literal("command"),
    title: z.string(),
    preview,
    ...place,
    command: z.string().default(""),
    facts: commandFacts.optional(),
    boundTo: z.array(z.object({ path: z.string(), hash: z.string() })).optional(),
    background: z.boolean().optional(),
    outside: z.boolean().optional(),
  }),
  z.object({ access: z.literal("web"), title: z.string(), preview, address: z.string() }),
  z.object({
    access: z.literal("tool"),
    title: z.string(),
    preview,
    tool: z.string(),
    reaches: z.string().optional(),
  }),
  z.object({ access: z.literal("spend"), title: z.string(), preview }),
]);

const agentEvent: z.ZodType<AgentEvent> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("textDelta"), messageId: z.string(), text: z.string() }),
  z.object({ type: z.literal("text"), messageId: z.string(), text: z.string() }),
  z.object({
    type: z.literal("askingAgain"),
    messageId: z.string(),
    attempt: z.number(),
    attempts: z.number().optional(),
    code: z.enum(modelErrorCodes),
  }),
  z.object({
    type: z.literal("repaired"),
    messageId: z.string(),
    repairs: z.array(z.enum(repairs)),
  }),
  z.object({ type: z.literal("sentBack"), messageId: z.string(), why: z.enum(invalidReplies) }),
  z.object({
    type: z.literal("toolStarted"),
    callId: z.string(),
    tool: z.string(),
    title: z.string(),
  }),
  z.object({ type: z.literal("toolOutput"), callId: z.string(), text: z.string() }),
  z.object({ type: z.literal("commandRunsOn"), callId: z.string() }),
  z.object({
    type: z.literal("commandEnded"),
    callId: z.string(),
    ok: z.boolean(),
    output: z.string(),
    durationMs: z.number(),
  }),
  z.object({
    type: z.literal("toolEnded"),
    callId: z.string(),
    ok: z.boolean(),
    output: z.string(),
    diff: z.string().optional(),
    notes: z.array(z.string()).optional(),
    durationMs: z.number(),
  }),
  z.object({
    type: z.literal("approvalRequested"),
    approvalId: z.string(),
    callId: z.string(),
    why: z.string(),
    decidedBy: z.enum(policySources).optional(),
    intent,
    offers: z.array(z.string()).optional(),
    editable: z.enum(["command", "file"]).optional(),
  }),
  z.object({
    type: z.literal("approvalResolved"),
    approvalId: z.string(),
    allowed: z.boolean(),
    reason: z.string().optional(),
    granted: z.string().optional(),
  }),
  z.object({
    type: z.literal("callAllowed"),
    callId: z.string(),
    why: z.string(),
    decidedBy: z.enum(policySources).optional(),
    sandboxed: z.boolean().optional(),
  }),
  z.object({ type: z.literal("callEdited"), callId: z.string(), intent }),
  z.object({
    type: z.literal("checklist"),
    steps: z.array(
      z.object({
        text: z.string(),
        state: z.enum(["open", "doing", "done"]),
        depth: z.int().min(0).optional(),
      }),
    ),
  }),
  z.object({
    type: z.literal("context"),
    tokens: z.number(),
    limit: z.number().optional(),
    guessed: z.boolean().optional(),
  }),
  z.object({ type: z.literal("summarised"), messageId: z.string(), messages: z.number() }),
  z.object({
    type: z.literal("usage"),
    usage: z
      .object({
        inputTokens: z.number(),
        outputTokens: z.number(),
        cachedTokens: z.number(),
        costUsd: z.number().optional(),
      })
      .nullable(),
  }),
]);

/** A button under a notice. */
export const nextStepSchema = z.discriminatedUnion("type", [
  /** Has the Navigator carry out the action. */
  z.object({ type: z.literal("action"), label: z.string(), action: userActionSchema }),
  /** The form in which an earlier version stored an action. */
  z
    .object({ type: z.literal("say"), label: z.string(), text: z.string() })
    .transform(({ label, text }) => ({
      type: "action" as const,
      label,
      action: earlierAction(text),
    })),
  /** Runs one of the host's own commands, where there is a host with commands. */
  z.object({
    type: z.literal("command"),
    label: z.string(),
    command: z.enum(hostCommands),
    /** The subject of the command, such as a run's id. */
    about: z.string().optional(),
  }),
]);

/**
 * Returns the action of a step that an earlier version stored as text, which it parsed like typed input; `/run`
 * ran a job then.
 */
function earlierAction(text: string): UserAction {
  const [, job] = /^\/run\s+(\S[^]*)$/.exec(text) ?? [];
  if (job !== undefined) return { action: "runJob", name: job };
  const input = parseInput(text);
  if (input.action === "nothing" || input.action === "jobOrRun") return { action: "request", text };
  return input;
}

/** The proposal that the user is asked to confirm before a run begins its work. All texts are plain. */
export const proposalContentSchema = z.object({
  runId: z.string(),
  /** The path of the document, which may be edited before it is confirmed. */
  path: z.string(),
  request: z.string(),
  /** A summary of what will be done. */
  summary: z.string(),
  instructions: z.array(
    z.object({
      type: z.string(),
      content: z.string(),
      /** Ids of the instructions that this one replaces. */
      supersedes: z.array(z.string()),
      justification: z.string(),
    }),
  ),
  /** Conflicts with earlier instructions. */
  conflicts: z.array(z.string()),
  questions: z.array(z.string()),
  /** The reason why the proposal cannot be confirmed as it is; `""` if it can. */
  problem: z.string(),
});

/** The fields of every event. */
const base = {
  /** ISO 8601. */
  at: z.string(),
  /**
   * The job, by its name, or the run, by its id, that the event belongs to; an event of an earlier version
   * may lack the name. Absent: it belongs to a task, or to none.
   */
  work: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("job"), name: jobName }),
      z.object({ kind: z.literal("run"), name: runId }),
    ])
    .optional(),
};

const currentEvent = z.discriminatedUnion("type", [
  z.object({ ...base, type: z.literal("user"), id: z.string(), text: z.string() }),
  z.object({
    ...base,
    type: z.literal("notice"),
    id: z.string(),
    level: z.enum(["info", "warning", "error"]),
    /** Markdown. */
    text: z.string(),
    steps: z.array(nextStepSchema),
    /** The notice's subject, if it is not to be shown again. */
    topic: z.string().optional(),
  }),
  /** An agent session has begun, or has been resumed. */
  z.object({
    ...base,
    type: z.literal("taskStarted"),
    taskId,
    mode: z.string(),
    goal: z.string(),
  }),
  z.object({
    ...base,
    type: z.literal("taskEnded"),
    taskId,
    mode: z.string(),
    end: z.enum([
      "Done",
      "Failed",
      "NeedsClarification",
      "Advice",
      /** The user stopped the session, or something that is not its fault did; it can be resumed. */
      "Stopped",
      /** The session waits for the user. */
      "Waiting",
    ]),
    message: z.string(),
    artifacts: z.array(z.string()),
    /** Says, for the end `Waiting`, what the session is waiting for. The question has an event of its own. */
    waitsFor: z.enum(["answer", "approval"]).optional(),
    /** The number of files that can be reviewed. Absent: none. */
    changedFiles: z.int().optional(),
  }),
  z.object({
    ...base,
    type: z.literal("question"),
    questionId: z.string(),
    /**
     * `null`: the Navigator itself asks, and the next user input is the answer; or, with `work`, a job that
     * another process runs.
     */
    taskId: taskId.nullable(),
    mode: z.string(),
    text: z.string(),
    suggestions: z.array(z.string()),
  }),
  z.object({ ...base, type: z.literal("answered"), questionId: z.string(), text: z.string() }),
  /** A run asks for the user's confirmation. Emitted again when its document has changed. */
  proposalContentSchema.extend({
    ...base,
    type: z.literal("proposal"),
    proposalId: z.string(),
    /** An introduction in Markdown, by the agent that speaks with the user. */
    intro: z.string(),
  }),
  z.object({
    ...base,
    type: z.literal("proposalAnswered"),
    proposalId: z.string(),
    answer: z.enum(["confirmed", "changed", "cancelled"]),
    /** The changes that the user asks for, in their words. */
    words: z.string(),
  }),
  z.object({ ...base, type: z.literal("agent"), taskId, event: agentEvent }),
  /** The queue or a task's files changed, so lists must be read again. */
  z.object({ ...base, type: z.literal("tasksChanged") }),
]);

/**
 * The schema of an event as a line of the conversation's file holds it. What an event of an earlier version
 * lacks is added here, and nowhere else.
 */
export const eventSchema = currentEvent.transform((event) => {
  const kind = event.work === undefined ? earlierOwner(event) : undefined;
  const owned = kind === undefined ? event : { ...event, work: { kind, name: "" } };
  if (owned.type !== "taskEnded" || owned.end !== "Waiting" || owned.waitsFor) return owned;
  // In an earlier version, only a task that waits for an approval has a message.
  return { ...owned, waitsFor: owned.message === "" ? ("answer" as const) : ("approval" as const) };
});

/**
 * Returns the kind of work that an event belongs to which an earlier version stored: that version wrote no
 * `work`, and the job's or run's name is not known.
 */
function earlierOwner(event: z.infer<typeof currentEvent>): "job" | "run" | undefined {
  if (!("taskId" in event)) return undefined;
  if (event.taskId?.startsWith("ROO#JOB") === true) return "job";
  return event.taskId?.startsWith("ROO#RUN") === true ? "run" : undefined;
}
