import assert from "node:assert/strict";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { SessionUpdates } from "../../../src/cli/acp/sessionUpdates.js";
import type { AgentEvent } from "../../../src/core/agent/events.js";
import type { ConversationEvent } from "../../../src/core/conversation/events/events.js";
import { unifiedDiff } from "../../../src/core/text/unifiedDiff.js";

const at = "2026-01-02T03:04:05.000Z";
const taskId = "ROO#TASK_1";
const mode = "rooroo-developer";

function agent(event: AgentEvent): ConversationEvent {
  return { at, type: "agent", taskId, event };
}

/** Returns what the updates say as text, with the kind of each. */
function texts(updates: readonly SessionUpdate[]): string[] {
  return updates.map((update) => {
    const isSaid = update.sessionUpdate.endsWith("_chunk") && "content" in update;
    const content = isSaid ? (update.content as { readonly text?: string }) : undefined;
    const text = content?.text === undefined ? "" : `: ${content.text}`;
    return `${update.sessionUpdate}${text}`;
  });
}

describe("what a client of the Agent Client Protocol is told", () => {
  let updates: SessionUpdates;
  const live = (...events: ConversationEvent[]) => events.flatMap((event) => updates.live(event));
  const told = (...events: AgentEvent[]) => texts(live(...events.map(agent)));

  beforeEach(() => {
    updates = new SessionUpdates("/work");
  });

  it("is one message as it is written, and one beside it when it is whole", () => {
    const said = told(
      { type: "textDelta", messageId: "a", text: "One " },
      { type: "textDelta", messageId: "b", text: "Two" },
      { type: "textDelta", messageId: "a", text: "and more" },
      { type: "text", messageId: "b", text: "Two" },
      { type: "text", messageId: "a", text: "One and more" },
    );
    assert.deepEqual(said, [
      "agent_message_chunk: One ",
      "agent_message_chunk: and more",
      "agent_message_chunk: \n\n",
      "agent_message_chunk: Two\n\n",
      "agent_message_chunk: One and more\n\n",
    ]);
  });

  it("has no images, not in pieces either, and nothing invisible", () => {
    const said = told(
      { type: "textDelta", messageId: "a", text: "Look!" },
      { type: "textDelta", messageId: "a", text: "[x](https://evil.test/?q)\u202E" },
      { type: "text", messageId: "a", text: "" },
    ).join("");
    assert.match(said, /!\\\[x\]\(https/);
    assert.match(said, /⟨U\+202E⟩/);
  });

  it("tells thoughts apart from what is said, and a retry", () => {
    const said = told(
      { type: "reasoningDelta", messageId: "a", text: "Hm" },
      { type: "textDelta", messageId: "a", text: "Ye" },
      { type: "retrying", messageId: "a", attempt: 2, code: "unreachable" },
      { type: "textDelta", messageId: "a", text: "Yes" },
      { type: "text", messageId: "a", text: "Yes" },
    );
    assert.deepEqual(said, [
      "agent_thought_chunk: Hm",
      "agent_thought_chunk: \n\n",
      "agent_message_chunk: Ye",
      "agent_message_chunk: \n\n",
      "agent_thought_chunk: The server did not answer; retrying (attempt 2).\n\n",
      "agent_message_chunk: Yes",
      "agent_message_chunk: \n\n",
    ]);
  });

  it("tells of schemas that a server refuses as a remark", () => {
    const [said = ""] = told({
      type: "partsRefused",
      messageId: "a",
      what: "schemas",
      leftOut: ["chart"],
    });
    assert.match(said, /^agent_thought_chunk: .* left out: chart/);
  });

  it("has the file and line that a call is about", () => {
    const [read, run] = live(
      agent({ type: "toolStarted", callId: "1", tool: "read_file", title: "src/a.ts:10-40" }),
      agent({ type: "toolStarted", callId: "2", tool: "execute_command", title: "a:1" }),
    );
    assert.deepEqual(read, {
      sessionUpdate: "tool_call",
      toolCallId: "1",
      title: "Read src/a.ts:10-40",
      kind: "read",
      status: "pending",
      locations: [{ path: "/work/src/a.ts", line: 10 }],
    });
    assert.deepEqual(run?.sessionUpdate === "tool_call" && run.locations, []);
  });

  const ended = (diff: string) => {
    const [update] = live(
      agent({ type: "toolEnded", callId: "1", ok: true, output: "Edited.", diff, durationMs: 1 }),
    );
    return update?.sessionUpdate === "tool_call_update" ? update.content : undefined;
  };

  it("has a change as old and new text, whether or not the last line ends", () => {
    assert.deepEqual(ended(unifiedDiff("a.txt", undefined, "one\ntwo\n")), [
      { type: "diff", path: "/work/a.txt", oldText: null, newText: "one\ntwo\n" },
    ]);
    assert.deepEqual(ended(unifiedDiff("a.txt", "one\ntwo", "one\n2")), [
      { type: "diff", path: "/work/a.txt", oldText: "one\ntwo", newText: "one\n2" },
    ]);
    assert.deepEqual(ended(unifiedDiff("a.txt", "one", "one\n")), [
      { type: "diff", path: "/work/a.txt", oldText: "one", newText: "one\n" },
    ]);
  });

  it("shows a change as text that has something invisible, or is no diff", () => {
    const hidden = JSON.stringify(ended(unifiedDiff("a.txt", "a\n", "a\u202Eb\n")));
    assert.match(hidden, /"content"/);
    assert.match(hidden, /⟨U\+202E⟩/);
    const binary = "Replaces a binary file of 1 kB.\n--- a/x\n+++ b/x\n";
    assert.match(JSON.stringify(ended(binary)), /Replaces a binary file/);
  });

  it("asks about a limit as a call of its own, which ends with the decision", () => {
    const [asked, resolved] = live(
      agent({
        type: "approvalRequested",
        approvalId: "p",
        callId: "spend",
        why: "Enough.",
        action: { access: "spend", title: "Go on", preview: { kind: "text", text: "200" } },
      }),
      agent({ type: "approvalResolved", approvalId: "p", allowed: true }),
    );
    assert.equal(asked?.sessionUpdate, "tool_call");
    assert.deepEqual(resolved, {
      sessionUpdate: "tool_call_update",
      toolCallId: "spend",
      status: "completed",
    });
    assert.deepEqual(updates.settle(), []);
  });

  it("ends what was going on when nothing works any more", () => {
    live(
      agent({ type: "textDelta", messageId: "a", text: "One!" }),
      agent({ type: "toolStarted", callId: "1", tool: "read_file", title: "a" }),
    );
    live(agent({ type: "textDelta", messageId: "b", text: "Two!" }));
    assert.deepEqual(texts(updates.settle()), ["agent_message_chunk: !\n\n", "tool_call_update"]);
  });

  it("offers steps as what can be typed", () => {
    const said = live({
      at,
      type: "notice",
      id: "n",
      level: "warning",
      text: "It was interrupted.",
      steps: [
        { type: "action", label: "Resume", action: { action: "resume", taskId } },
        { type: "command", label: "Open Queue", command: "openQueue" },
      ],
    });
    assert.deepEqual(texts(said), [
      "agent_message_chunk: **Warning:** It was interrupted.\n\n→ `/resume ROO#TASK_1` (Resume)\n\n",
    ]);
  });

  it("has the expert's steps as the plan, and a plan's tasks in their place", () => {
    const steps = [{ text: "Look", state: "doing" as const }];
    const checklist = agent({ type: "checklist", steps });
    const tasks = [{ taskId, mode, goal: "One" }];
    const started = { at, type: "sessionStarted", taskId, mode, goal: "One" } as const;
    const shown = live(
      checklist,
      checklist,
      { at, type: "plan", planId: "p", taskId: "ROO#PLAN_1", goal: "All", tasks },
      started,
      checklist,
    ).flatMap((update) =>
      update.sessionUpdate === "plan"
        ? [update.entries.map(({ content, status }) => `${content}: ${status}`)]
        : [],
    );
    assert.deepEqual(shown, [
      ["Look: in_progress"],
      ["One (Developer): pending"],
      ["One (Developer): in_progress"],
    ]);
  });

  it("is, of an earlier conversation, what was said and stands, each once", () => {
    const user = (id: string, text: string): ConversationEvent => ({ at, type: "user", id, text });
    const answered = { at, type: "answered", questionId: "q", text: "Otter" } as const;
    assert.deepEqual(live(user("1", "Hello"), answered), []);
    const said = updates.replay([
      user("1", "Names"),
      user("2", "Otter"),
      answered,
      user("3", "Wrong"),
      {
        at,
        type: "restored",
        restoreId: "r",
        scope: "both",
        checkpoint: { kind: "message", id: "3", at, title: "Wrong" },
        text: "Restoring…",
        tasks: [],
        unfinished: [],
        returning: [],
      },
    ]);
    assert.deepEqual(texts(said), [
      "user_message_chunk: Names",
      "user_message_chunk: Otter",
      "agent_message_chunk: Restoring…\n\n",
    ]);
  });
});
