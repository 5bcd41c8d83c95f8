import { formatQueueEntry } from "../../src/core/documents/queue.js";
import { signJson } from "../../src/core/provenance/signedJson.js";
import { PlainSigner } from "../fakes/plainSigner.js";

const mode = "rooroo-developer";

/** Has a report, but was not taken from the queue. */
export const ended = "ROO#TASK_20260101000000_0000D1";
/** Was cut off in the middle of a write. */
export const interrupted = "ROO#TASK_20260101000000_0000C2";
/** Waits for an answer; it is not in the queue. */
export const asking = "ROO#TASK_20260101000000_0000A3";
/** Waits for leave to write; it is not in the queue. */
const wanting = "ROO#TASK_20260101000000_0000B5";
/** Has not begun, and has nothing but its line. */
export const fresh = "ROO#TASK_20260101000000_0000F4";

const answer = "call_q";

function folder(taskId: string): string {
  return `.rooroo/tasks/${taskId}`;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function lines(...values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function base(taskId: string): Record<string, string> {
  const fixed = { parentTaskId: null, planId: null, mode, createdAt: "2026-01-01T00:00:00.000Z" };
  return {
    [`${folder(taskId)}/task.json`]: json({ schema: 1, taskId, goal: "Go", ...fixed }),
    [`${folder(taskId)}/context.md`]: "# Context\n",
  };
}

function begun(name: string, id: string, args: object): object[] {
  return [
    { type: "start", schema: 1, at: "2026-01-01T00:00:00.000Z", system: "You are a test." },
    { type: "user", content: "Go." },
    {
      type: "assistant",
      content: "",
      toolCalls: [{ id, name, arguments: JSON.stringify(args) }],
    },
  ];
}

function queueEntry(taskId: string): string {
  const contextPath = `${folder(taskId)}/context.md`;
  const fixed = { parentTaskId: null, planId: null, autoProceed: true };
  return `${formatQueueEntry({ taskId, mode, contextPath, goal: "Go", ...fixed })}\n`;
}

const plain: Readonly<Record<string, string>> = {
  ".rooroo/queue.jsonl": [ended, interrupted, fresh].map(queueEntry).join(""),
  ...base(ended),
  ...base(interrupted),
  ...base(asking),
  ...base(wanting),
  [`${folder(wanting)}/transcript.jsonl`]: lines(
    ...begun("write_to_file", "call_x", { path: "x.txt", content: "x" }),
  ),
  [`${folder(wanting)}/approval.json`]: json({ title: "Create x.txt" }),
  [`${folder(ended)}/report.json`]: json({
    status: "Done",
    message: "Good.",
    output_artifact_paths: [],
    clarification_question: null,
    error_details: null,
  }),
  [`${folder(interrupted)}/transcript.jsonl`]: lines(
    ...begun("write_to_file", "call_w", { path: "a.txt", content: "a" }),
    { type: "callStarted", callId: "call_w" },
  ),
  [`${folder(asking)}/transcript.jsonl`]: lines(
    ...begun("ask_followup_question", answer, { question: "Which?", suggestions: [] }),
  ),
  [`${folder(asking)}/question.json`]: json({
    questionId: "q-1",
    callId: answer,
    text: "Which?",
    suggestions: [],
  }),
  ".rooroo/logs/activity.jsonl": lines({
    timestamp: "2026-01-01T00:00:00.000Z",
    agent_slug: "rooroo-navigator",
    severity: "INFO",
    event_type: "TASK_QUEUED",
    task_id: fresh,
    details: {},
  }),
  ".rooroo/logs/conversation.jsonl": lines(
    { at: "2026-01-01T00:00:00.000Z", type: "user", id: "u-1", text: "Go." },
    { at: "2026-01-01T00:00:00.000Z", type: "user", id: "u-2", text: "Go on." },
  ),
};

const signer = new PlainSigner();

/** A workspace in the middle of things, as this installation wrote it: each file may be damaged. */
export const workspace: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(plain).map(([path, text]) => [path, signed(path, text)]),
);

function signed(path: string, text: string): string {
  if (path.endsWith(".json")) return signJson(text, path, signer);
  const values = () =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
  if (path.endsWith("transcript.jsonl")) return signer.chain(path, values());
  return path.endsWith("conversation.jsonl") ? signer.lines(path, values()) : text;
}
