import assert from "node:assert/strict";
import type { AgentEvent } from "../../../../src/core/agent/events.js";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import { english } from "../../../../src/core/text/translator.js";
import { ChatReply, type ChatSink } from "../../../../src/vscode/chat/chatReply.js";

const at = "2026-11-24T08:00:00.000Z";
const taskId = "ROO#TASK_20261124080000_AAAAAA";
const mode = "rooroo-developer";

/** Returns a reply to a request of one task, and what it has written. */
function reply({ isAlone = true } = {}) {
  const lines: string[] = [];
  let text = "";
  const flush = (): void => {
    if (text !== "") lines.push(text);
    text = "";
  };
  const add = (line: string): void => {
    flush();
    lines.push(line);
  };
  const sink: ChatSink = {
    progress: (words) => {
      add(`… ${words}`);
    },
    markdown: (more) => {
      text += more;
    },
    plain: (more) => {
      text += `<${more}>`;
    },
    file: (path) => {
      add(`file ${path}`);
    },
    button: (command, title, about) => {
      add(`[${title}] ${command}${about === undefined ? "" : ` ${about}`}`);
    },
  };
  const written = new ChatReply(sink, english, () => isAlone);
  written.follow(taskId);
  const take = (...events: readonly ConversationEvent[]): string[] => {
    for (const event of events) written.take(event);
    flush();
    return lines.splice(0);
  };
  const finish = (): string[] => {
    written.finish();
    return take();
  };
  return { written, take, finish };
}

const agent = (event: AgentEvent, of = taskId): ConversationEvent => {
  return { type: "agent", at, taskId: of, event };
};
const delta = (text: string) => agent({ type: "textDelta", messageId: "m-1", text });
const notice = (text: string, level: "info" | "error" = "info"): ConversationEvent => {
  return { type: "notice", at, id: `n-${text}`, level, text, steps: [] };
};

describe("the reply to a request in VS Code's chat", () => {
  it("says who works on what, streams what they say, and names what they do", () => {
    const { take } = reply();
    assert.deepEqual(
      take(
        notice("Understood. Initiating task …"),
        { type: "sessionStarted", at, taskId, mode, goal: "Fix it" },
        delta("I look "),
        delta("first."),
        agent({ type: "text", messageId: "m-1", text: "I look first." }),
        agent({ type: "toolStarted", callId: "c", tool: "read_file", title: "Read a.js" }),
      ),
      ["… Developer is on it: Fix it", "I look first.\n\n", "… Read a.js"],
    );
  });

  it("keeps the texts of two experts apart that write at once", () => {
    const { take, written } = reply();
    const other = "ROO#TASK_20261124080000_BBBBBB";
    written.follow(other);
    const beside = (text: string) => agent({ type: "textDelta", messageId: "m-2", text }, other);
    assert.deepEqual(take(delta("I look"), beside("I write"), delta(" on")), [
      "I look\n\nI write\n\n on",
    ]);
  });

  it("names a task's end in words", () => {
    const { take } = reply();
    const ended = { type: "sessionEnded", at, taskId, mode, artifacts: [] } as const;
    assert.deepEqual(take({ ...ended, end: "NeedsClarification", message: "Which port?" }), [
      "**Needs clarification:** Which port?\n\n",
    ]);
  });

  it("ends with the report, its files, and buttons to review and undo", () => {
    const { take, finish } = reply();
    const ended = {
      type: "sessionEnded",
      at,
      taskId,
      mode,
      end: "Done",
      message: "Fixed.",
    } as const;
    assert.deepEqual(take({ ...ended, artifacts: ["src/a.js"], changedFiles: 1 }), [
      "Fixed.\n\n",
      "file src/a.js",
      `[Review Changes] rooroo.reviewChanges ${taskId}`,
      `[Undo Task] rooroo.undoTask ${taskId}`,
    ]);
    take(notice("The queue is done."));
    assert.deepEqual(finish(), ["The queue is done.\n\n"]);
  });

  it("leaves out other requests, and says what nobody else has said", () => {
    const { take, finish } = reply();
    const other = "ROO#TASK_20261124080000_BBBBBB";
    const report = { taskId: other, mode, end: "Done", message: "No.", artifacts: [] } as const;
    assert.deepEqual(
      take(
        agent({ type: "textDelta", messageId: "m-2", text: "Another." }, other),
        { type: "sessionStarted", at, taskId: other, mode, goal: "Something else" },
        { type: "sessionEnded", at, ...report },
        { ...notice("A job."), work: { kind: "job", name: "docs" } },
        notice("Hello!"),
      ),
      [],
    );
    assert.deepEqual(finish(), ["Hello!\n\n"]);
    assert.deepEqual(reply({ isAlone: false }).take(notice("No.", "error")), []);
  });

  it("says where an approval is decided, and shows its title as no Markdown", () => {
    const { take } = reply();
    const preview = { kind: "command", text: "x" } as const;
    const action = { access: "spend", title: "Run [a](command:b)", preview } as const;
    const asked = {
      type: "approvalRequested",
      approvalId: "a",
      callId: "c",
      why: "",
      action,
    } as const;
    assert.deepEqual(take(agent(asked)), [
      "**Waiting for your approval:** <Run [a](command:b)>\n\n<The Rooroo panel shows exactly what will happen. Decide there.>\n\n",
      "[Show] rooroo.focusChat",
    ]);
  });

  it("keeps a question and its suggestions for the next message", () => {
    const { take, written } = reply();
    const question = {
      type: "question",
      at,
      questionId: "q",
      taskId,
      mode,
      text: "Which?",
    } as const;
    assert.deepEqual(take({ ...question, suggestions: ["A", "B"] }), [
      "**Developer asks:** Which?\n\n",
    ]);
    assert.deepEqual(written.question, { taskId, suggestions: ["A", "B"] });
  });

  it("shows no image, however it is cut, and makes hidden characters visible", () => {
    const { take } = reply();
    const said = take(
      delta("See !"),
      delta("[x](https://example.org/?q=secret) and \u202Eabc!"),
      agent({ type: "text", messageId: "m-1", text: "" }),
    );
    assert.deepEqual(said, ["See !\\[x](https://example.org/?q=secret) and ⟨U+202E⟩abc!\n\n"]);
  });
});
