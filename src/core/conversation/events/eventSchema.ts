import * as z from "zod";
import { policySources, repairs, invalidReplies, type AgentEvent } from "../../agent/events.js";
import type { QueueEntry } from "../../documents/queue.js";
import { modelErrorCodes } from "../../errors.js";
import type { TaskId } from "../../ids.js";
import { wordsSchema } from "../../text/wordsSchema.js";
import { shownAttachmentSchema } from "../input/attachment.js";
import { userActionSchema } from "../input/userAction.js";
import { findingSchema } from "./finding.js";
import { hostCommands } from "./hostCommands.js";
import { longWorkSchema } from "./longWorkSchema.js";

const taskId: z.ZodType<TaskId> = z.string();
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
const proposedAction = z.discriminatedUnion("access", [
  z.object({
    access: z.enum(["read", "write"]),
    title: z.string(),
    preview,
    ...place,
    protection: z.string().optional(),
  }),
  z.object({
    access: z.literal("command"),
    title: z.string(),
    preview,
    ...place,
    command: z.string().default(""),
    facts: commandFacts.optional(),
    pinned: z.array(z.object({ path: z.string(), hash: z.string() })).optional(),
    background: z.boolean().optional(),
    outside: z.boolean().optional(),
  }),
  z.object({ access: z.literal("web"), title: z.string(), preview, address: z.string() }),
  z.object({
    access: z.literal("tool"),
    title: z.string(),
    preview,
    tool: z.string(),
    bound: z.string().default(""),
    allowed: z.enum(["unchanged", "changed"]).optional(),
    reaches: z.string().optional(),
  }),
  z.object({ access: z.literal("spend"), title: z.string(), preview }),
]);

const agentEvent: z.ZodType<AgentEvent> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("textDelta"), messageId: z.string(), text: z.string() }),
  z.object({ type: z.literal("text"), messageId: z.string(), text: z.string() }),
  z.object({ type: z.literal("reasoningStarted"), messageId: z.string() }),
  z.object({ type: z.literal("reasoningDelta"), messageId: z.string(), text: z.string() }),
  z.object({ type: z.literal("reasoning"), messageId: z.string(), text: z.string() }),
  z.object({
    type: z.literal("retrying"),
    messageId: z.string(),
    attempt: z.number(),
    attempts: z.number().optional(),
    code: z.enum(modelErrorCodes),
    waitMs: z.number().optional(),
  }),
  z.object({
    type: z.literal("repaired"),
    messageId: z.string(),
    repairs: z.array(z.enum(repairs)),
  }),
  z.object({
    type: z.literal("partsRefused"),
    messageId: z.string(),
    what: z.enum(["schemas", "images"]).default("schemas"),
    leftOut: z.array(z.string()),
  }),
  z.object({
    type: z.literal("replyRejected"),
    messageId: z.string(),
    why: z.enum(invalidReplies),
  }),
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
    action: proposedAction,
    options: z.array(z.string()).optional(),
    editable: z.enum(["command", "file"]).optional(),
    machine: z.string().optional(),
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
  z.object({ type: z.literal("callEdited"), callId: z.string(), action: proposedAction }),
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
    parts: z
      .object({
        system: z.number(),
        tools: z.number(),
        request: z.number(),
        results: z.number(),
        conversation: z.number(),
      })
      .optional(),
  }),
  z.object({ type: z.literal("messageDelivered"), id: z.string(), text: z.string() }),
  z.object({
    type: z.literal("summarised"),
    messageId: z.string(),
    messages: z.number(),
    asked: z.boolean().optional(),
  }),
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
  /** Runs one of the host's own commands, where there is a host with commands. */
  z.object({
    type: z.literal("command"),
    label: z.string(),
    command: z.enum(hostCommands),
    /** The subject of the command, such as a run's id. */
    about: z.string().optional(),
  }),
]);

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

/** A place in a conversation to which files and conversation can be restored. */
const checkpoint = z.object({
  /** A message of the user, or the beginning of a task of a plan. */
  kind: z.enum(["message", "task"]),
  /** The id of the message or the task. */
  id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** The message, or the task's goal, in short. */
  title: z.string(),
});
/** The extent of the restore. */
const restoreScope = z.enum(["files", "conversation", "both"]);
/** See {@link QueueEntry}. */
const queueEntry: z.ZodType<QueueEntry> = z.object({
  taskId,
  parentTaskId: taskId.nullable(),
  mode: z.string(),
  contextPath: z.string(),
  goal: z.string(),
  planId: z.string().nullable(),
  autoProceed: z.boolean(),
});

/** The fields of every event. */
const base = {
  /** ISO 8601. */
  at: z.string(),
  /** The long work that the event belongs to. Absent: it belongs to a task, or to none. */
  work: longWorkSchema.optional(),
  /** The words of the texts that are ours, so that they can be shown in another language. Absent: there are none. */
  said: z.record(z.string(), wordsSchema).optional().catch(undefined),
};

/** The schema of an event as a line of the conversation's file holds it. */
export const eventSchema = z.discriminatedUnion("type", [
  z.object({
    ...base,
    type: z.literal("user"),
    id: z.string(),
    text: z.string(),
    /** What came with the text. Absent: nothing. */
    attachments: z.array(shownAttachmentSchema).optional(),
    /** The slug of the expert that the user has chosen for the request. Absent: triage decides. */
    expert: z.string().optional(),
  }),
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
    /** A card shows the same fact, so that the panel leaves the notice out; the command line prints it. */
    hasCard: z.literal(true).optional(),
  }),
  /** The Navigator has announced something in the protocol's fixed words; people read of it elsewhere. */
  z.object({
    ...base,
    type: z.literal("announced"),
    /** Which announcement it is. */
    code: z.string(),
    text: z.string(),
    /** Absent: it is about no task. */
    taskId: taskId.optional(),
  }),
  /** An agent session has begun, or has been resumed. */
  z.object({
    ...base,
    type: z.literal("sessionStarted"),
    taskId,
    mode: z.string(),
    goal: z.string(),
    /** The plan of which the session's task is a part. Absent: it is in none. */
    planId: z.string().optional(),
  }),
  z.object({
    ...base,
    type: z.literal("sessionEnded"),
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
    /** What a review has found. Absent: the task was none. */
    findings: z.array(findingSchema).readonly().optional(),
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
    /** The machine of the team on which the task works. Absent: it works here. */
    machine: z.string().optional(),
  }),
  z.object({ ...base, type: z.literal("answered"), questionId: z.string(), text: z.string() }),
  /** The question does not wait any more; it can still be answered. */
  z.object({ ...base, type: z.literal("questionClosed"), questionId: z.string() }),
  /** A task's changes were undone: of how many files, and the paths of those that were left alone. */
  z.object({
    ...base,
    type: z.literal("changesUndone"),
    taskId,
    files: z.int(),
    left: z.array(z.string()),
  }),
  /**
   * The user restores files, the conversation, or both to before a checkpoint. Written before anything is done, so that
   * it can be finished or undone if the process ends meanwhile.
   */
  z.object({
    ...base,
    type: z.literal("restored"),
    restoreId: z.string(),
    scope: restoreScope,
    checkpoint,
    /** What the conversation says as long as the restore has not ended. Markdown. */
    text: z.string(),
    /** The tasks that began with the checkpoint or after it, the newest first: their changes of files are undone. */
    tasks: z.array(taskId),
    /**
     * Those of them that were made after it and had not ended: they leave queue and lists. `entry`: the task's entry in
     * the queue.
     */
    unfinished: z.array(z.object({ taskId, entry: queueEntry.optional() })),
    /**
     * Those that were made before it, in the order in which they began: each is replaced by a new task, which is queued
     * with the entry `again`. `entry`: what the queue had of the task itself.
     */
    returning: z.array(z.object({ taskId, again: queueEntry, entry: queueEntry.optional() })),
  }),
  /** The restore has been carried out. `text`: what has become of the files, Markdown. */
  z.object({
    ...base,
    type: z.literal("restoreEnded"),
    restoreId: z.string(),
    level: z.enum(["info", "warning"]),
    text: z.string(),
  }),
  /**
   * The restore was undone. `tasks`: those whose changes are there again; `text`: of which files it could not be undone,
   * Markdown.
   */
  z.object({
    ...base,
    type: z.literal("restoreUndone"),
    restoreId: z.string(),
    tasks: z.array(taskId),
    text: z.string().optional(),
  }),
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
  /**
   * A planner has begun, its plan is queued, or the plan's tasks are other ones now. How far each task is follows
   * from the task's own events.
   */
  z.object({
    ...base,
    type: z.literal("plan"),
    planId: z.string(),
    /** The planner's task. */
    taskId,
    goal: z.string(),
    /** The planner's words about the plan, Markdown. Absent: as before. */
    overview: z.string().optional(),
    /** The plan's tasks in order. Absent: the planner has not made any. */
    tasks: z
      .array(
        z.object({
          taskId,
          mode: z.string(),
          goal: z.string(),
          /**
           * `held`: the queue stops before the task. `skipped`: the task was removed before it began. `away`: other
           * machines have it.
           */
          is: z.enum(["held", "skipped", "away"]).optional(),
        }),
      )
      .optional(),
  }),
  z.object({ ...base, type: z.literal("agent"), taskId, event: agentEvent }),
  /** The queue or a task's files changed, so lists must be read again. */
  z.object({ ...base, type: z.literal("tasksChanged") }),
]);
