import * as z from "zod";
import { deciders } from "../agent/events.js";
import { repairs } from "../agent/repair.js";
import { slips } from "../agent/slip.js";
import { modelErrorCodes } from "../errors.js";
import { hostCommands, proposalAnswers } from "./events.js";
import type { ConversationEvent, NextStep } from "./events.js";
import { parseInput } from "./parseInput.js";
import { type UserAction, userActionSchema } from "./userAction.js";

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

const agentEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("textDelta"), messageId: z.string(), text: z.string() }),
  z.object({ type: z.literal("text"), messageId: z.string(), text: z.string() }),
  z.object({
    type: z.literal("askingAgain"),
    messageId: z.string(),
    attempt: z.number(),
    attempts: z.number(),
    code: z.enum(modelErrorCodes),
  }),
  z.object({
    type: z.literal("repaired"),
    messageId: z.string(),
    repairs: z.array(z.enum(repairs)),
  }),
  z.object({ type: z.literal("sentBack"), messageId: z.string(), why: z.enum(slips) }),
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
    decidedBy: z.enum(deciders).optional(),
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
    decidedBy: z.enum(deciders).optional(),
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

const nextStep = z.discriminatedUnion("type", [
  z.object({ type: z.literal("action"), label: z.string(), action: userActionSchema }),
  z
    .object({ type: z.literal("say"), label: z.string(), text: z.string() })
    .transform(({ label, text }): NextStep => ({
      type: "action",
      label,
      action: earlierAction(text),
    })),
  z.object({
    type: z.literal("command"),
    label: z.string(),
    command: z.enum(hostCommands),
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

const at = z.string();

/** The schema of an event as a line of the conversation's file holds it. */
export const eventSchema: z.ZodType<ConversationEvent> = z.discriminatedUnion("type", [
  z.object({ at, type: z.literal("user"), id: z.string(), text: z.string() }),
  z.object({
    at,
    type: z.literal("notice"),
    id: z.string(),
    level: z.enum(["info", "warning", "error"]),
    text: z.string(),
    steps: z.array(nextStep),
    topic: z.string().optional(),
  }),
  z.object({
    at,
    type: z.literal("taskStarted"),
    taskId: z.string(),
    mode: z.string(),
    goal: z.string(),
  }),
  z.object({
    at,
    type: z.literal("taskEnded"),
    taskId: z.string(),
    mode: z.string(),
    end: z.enum(["Done", "Failed", "NeedsClarification", "Advice", "Stopped", "Waiting"]),
    message: z.string(),
    artifacts: z.array(z.string()),
    changedFiles: z.int().optional(),
  }),
  z.object({
    at,
    type: z.literal("question"),
    questionId: z.string(),
    taskId: z.string().nullable(),
    mode: z.string(),
    text: z.string(),
    suggestions: z.array(z.string()),
  }),
  z.object({ at, type: z.literal("answered"), questionId: z.string(), text: z.string() }),
  z.object({
    at,
    type: z.literal("proposal"),
    proposalId: z.string(),
    intro: z.string(),
    runId: z.string(),
    path: z.string(),
    request: z.string(),
    summary: z.string(),
    instructions: z.array(
      z.object({
        type: z.string(),
        content: z.string(),
        supersedes: z.array(z.string()),
        justification: z.string(),
      }),
    ),
    conflicts: z.array(z.string()),
    questions: z.array(z.string()),
    problem: z.string(),
  }),
  z.object({
    at,
    type: z.literal("proposalAnswered"),
    proposalId: z.string(),
    answer: z.enum(proposalAnswers),
    words: z.string(),
  }),
  z.object({ at, type: z.literal("agent"), taskId: z.string(), event: agentEvent }),
  z.object({ at, type: z.literal("tasksChanged") }),
]);
