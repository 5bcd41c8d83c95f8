import fc from "fast-check";
import {
  type AgentEvent,
  invalidReplies,
  policySources,
} from "../../../../src/core/agent/events.js";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";

const id = (prefix: string): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: 3 }).map((number) => `${prefix}${number}`);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.integer({ min: 0, max: 3_000 }).map((length) => "output\n".repeat(length)),
);
const preview = fc.record({ kind: fc.constantFrom("diff", "command", "address", "text"), text });
const at = fc.constant("2026-01-01T00:00:00.000Z");

const agentEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant("textDelta"), messageId: id("m"), text }) },
  fc.record({ type: fc.constant("text"), messageId: id("m"), text }),
  fc.record({ type: fc.constant("reasoningStarted"), messageId: id("m") }),
  fc.record({ type: fc.constant("reasoningDelta"), messageId: id("m"), text }),
  fc.record({ type: fc.constant("reasoning"), messageId: id("m"), text }),
  fc.record({ type: fc.constant("toolStarted"), callId: id("c"), tool: text, title: text }),
  { weight: 5, arbitrary: fc.record({ type: fc.constant("toolOutput"), callId: id("c"), text }) },
  fc.record({ type: fc.constant("commandRunsOn"), callId: id("c") }),
  fc.record({
    type: fc.constant("commandEnded"),
    callId: id("c"),
    ok: fc.boolean(),
    output: text,
    durationMs: fc.nat(),
  }),
  fc.record(
    {
      type: fc.constant("toolEnded"),
      callId: id("c"),
      ok: fc.boolean(),
      output: text,
      diff: text,
      notes: fc.array(text, { maxLength: 3 }),
      durationMs: fc.nat(),
    },
    { requiredKeys: ["type", "callId", "ok", "output", "durationMs"] },
  ),
  fc.record({
    type: fc.constant("approvalRequested"),
    approvalId: id("p"),
    callId: id("c"),
    why: text,
    action: fc.oneof(
      fc.record({
        access: fc.constantFrom("read", "write"),
        title: text,
        path: text,
        inside: fc.boolean(),
        preview,
      }),
      fc.record({
        access: fc.constant("command"),
        title: text,
        command: text,
        path: text,
        inside: fc.boolean(),
        preview,
      }),
      fc.record({ access: fc.constant("web"), title: text, address: text, preview }),
      fc.record({ access: fc.constant("tool"), title: text, tool: text, bound: text, preview }),
      fc.record({ access: fc.constant("spend"), title: text, preview }),
    ),
  }),
  fc.record(
    {
      type: fc.constant("approvalResolved"),
      approvalId: id("p"),
      allowed: fc.boolean(),
      reason: text,
    },
    { requiredKeys: ["type", "approvalId", "allowed"] },
  ),
  fc.record(
    {
      type: fc.constant("callAllowed"),
      callId: id("c"),
      why: text,
      decidedBy: fc.constantFrom(...policySources),
      sandboxed: fc.boolean(),
    },
    { requiredKeys: ["type", "callId", "why"] },
  ),
  fc.record({
    type: fc.constant("callEdited"),
    callId: id("c"),
    action: fc.record({ access: fc.constant("spend"), title: text, preview }),
  }),
  fc.record(
    { type: fc.constant("context"), tokens: fc.nat(), limit: fc.nat(), guessed: fc.boolean() },
    { requiredKeys: ["type", "tokens"] },
  ),
  fc.record({ type: fc.constant("summarised"), messageId: id("s"), messages: fc.nat() }),
  fc.record({
    type: fc.constant("checklist"),
    steps: fc.array(
      fc.record(
        { text, state: fc.constantFrom("open", "doing", "done"), depth: fc.nat(9) },
        { requiredKeys: ["text", "state"] },
      ),
    ),
  }),
  fc.record({
    type: fc.constant("retrying"),
    messageId: id("m"),
    attempt: fc.integer({ min: 2, max: 4 }),
    attempts: fc.constant(4),
    code: fc.constantFrom("server", "brokenResponse", "rateLimited"),
  }),
  fc.record({
    type: fc.constant("repaired"),
    messageId: id("m"),
    repairs: fc.subarray(["textCall", "toolName", "arguments"] as const, { minLength: 1 }),
  }),
  fc.record({
    type: fc.constant("replyRejected"),
    messageId: id("m"),
    why: fc.constantFrom(...invalidReplies),
  }),
  fc.record({
    type: fc.constant("usage"),
    usage: fc.option(
      fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat(), cachedTokens: fc.nat() }),
    ),
  }),
);

const event = fc.oneof(
  fc.record({ at, type: fc.constant("user"), id: id("u"), text }),
  fc.record({
    at,
    type: fc.constant("notice"),
    id: id("n"),
    level: fc.constantFrom("info", "warning", "error"),
    text,
    steps: fc.constant([]),
  }),
  fc.record({ at, type: fc.constant("sessionStarted"), taskId: id("t"), mode: text, goal: text }),
  fc.record({
    at,
    type: fc.constant("sessionEnded"),
    taskId: id("t"),
    mode: text,
    end: fc.constantFrom("Done", "Failed", "Stopped", "Waiting"),
    message: text,
    artifacts: fc.array(text, { maxLength: 2 }),
  }),
  fc.record({
    at,
    type: fc.constant("sessionEnded"),
    taskId: id("t"),
    mode: text,
    end: fc.constant("Waiting"),
    waitsFor: fc.constantFrom("answer", "approval"),
    message: text,
    artifacts: fc.constant([]),
  }),
  fc.record({
    at,
    type: fc.constant("question"),
    questionId: id("q"),
    taskId: fc.option(id("t")),
    mode: text,
    text,
    suggestions: fc.array(text, { maxLength: 2 }),
  }),
  fc.record({ at, type: fc.constant("answered"), questionId: id("q"), text }),
  fc.record({ at, type: fc.constant("questionClosed"), questionId: id("q") }),
  fc.record({
    at,
    type: fc.constant("changesUndone"),
    taskId: id("t"),
    files: fc.nat(),
    left: fc.array(text, { maxLength: 2 }),
  }),
  fc.record(
    {
      at,
      type: fc.constant("plan"),
      planId: id("plan"),
      taskId: id("t"),
      goal: text,
      overview: text,
      tasks: fc.uniqueArray(
        fc.record(
          { taskId: id("t"), mode: text, goal: text, is: fc.constantFrom("held", "skipped") },
          { requiredKeys: ["taskId", "mode", "goal"] },
        ),
        { maxLength: 3, selector: ({ taskId }) => taskId },
      ),
    },
    { requiredKeys: ["at", "type", "planId", "taskId", "goal"] },
  ),
  {
    weight: 12,
    arbitrary: fc.record({ at, type: fc.constant("agent"), taskId: id("t"), event: agentEvent }),
  },
  fc.record({ at, type: fc.constant("tasksChanged") }),
) as fc.Arbitrary<ConversationEvent>;

/** Any order, few ids: duplicates and events about unknown things are frequent. */
export const conversationEvents = fc
  .array(event, { maxLength: 60 })
  // Plain objects, as what has crossed a wire is.
  .map((events) => structuredClone(events));

/** Returns the same with deltas that follow one another made one. */
export function coalesced(events: readonly ConversationEvent[]): ConversationEvent[] {
  const result: ConversationEvent[] = [];
  for (const next of events) {
    const last = result.at(-1);
    const merged = last && merge(last, next);
    if (merged) result[result.length - 1] = merged;
    else result.push(next);
  }
  return result;
}

function merge(a: ConversationEvent, b: ConversationEvent): ConversationEvent | undefined {
  if (a.type !== "agent" || b.type !== "agent" || a.taskId !== b.taskId) return undefined;
  const [first, second] = [a.event, b.event];
  if (
    (first.type === "textDelta" && second.type === "textDelta"
      ? first.messageId === second.messageId
      : first.type === "toolOutput" &&
        second.type === "toolOutput" &&
        first.callId === second.callId) &&
    "text" in first &&
    "text" in second
  ) {
    return { ...a, event: { ...first, text: first.text + second.text } };
  }
  return undefined;
}
