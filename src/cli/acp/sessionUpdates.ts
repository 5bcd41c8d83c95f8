import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { AgentEvent } from "../../core/agent/events.js";
import type { ConversationEvent, NextStep } from "../../core/conversation/events/events.js";
import { inLanguage } from "../../core/conversation/events/eventWords.js";
import { inputText } from "../../core/conversation/input/parseInput.js";
import { appendOutput, previewOutput } from "../../core/conversation/state/boundedOutput.js";
import { endNames } from "../../core/conversation/state/endNames.js";
import { partsRefusedText } from "../../core/conversation/state/partsRefusedText.js";
import { replyRemark } from "../../core/conversation/state/replyRemark.js";
import { summarisedText } from "../../core/conversation/state/summarisedText.js";
import { standingEvents } from "../../core/conversation/store/standingEvents.js";
import { modeName } from "../../core/experts/modeName.js";
import { fenced } from "../../core/text/fenced.js";
import { plainOutput } from "../../core/text/plainOutput.js";
import { safeMarkdown, SafeMarkdownStream } from "../../core/text/safeMarkdown.js";
import { visibleLine, visibleText } from "../../core/text/visibleText.js";
import { toolEntry } from "../../core/tools/toolTable.js";
import { t } from "../language/language.js";
import { commandOf } from "../terminal/followUps.js";
import { PlanEntries } from "./planEntries.js";
import {
  actionContent,
  actionKind,
  actionLocations,
  diffContent,
  textContent,
  titleLocations,
} from "./toolCalls.js";

type EventOf<T extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: T }>;
type AgentEventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;
type Chunk = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";

/** A call whose end has not been told. */
interface OpenCall {
  readonly output: string;
  /** Whether there is no tool behind it, but only the question whether to go on. */
  readonly isQuestion: boolean;
}

/** Translates the events of a conversation into what the protocol tells a client. */
export class SessionUpdates {
  private readonly plan = new PlanEntries();
  private readonly calls = new Map<string, OpenCall>();
  /** The call that each approval is about, by the approval's id. */
  private readonly approvals = new Map<string, string>();
  private readonly message = new StreamedText("agent_message_chunk");
  private readonly thought = new StreamedText("agent_thought_chunk");
  /** The last whole text of an expert, which its question may repeat. */
  private lastText = "";
  private lastSaid = "";

  /** @param root the workspace folder's absolute path */
  constructor(private readonly root: string) {}

  /** Returns what to tell of an event as it happens; the client itself shows what its user says. */
  live(event: ConversationEvent): SessionUpdate[] {
    const isSaid = event.type === "user" || event.type === "answered";
    const updates = isSaid ? [] : this.told(event);
    const entries = this.plan.after(event);
    return entries === undefined ? updates : [...updates, { sessionUpdate: "plan", entries }];
  }

  /** Returns what to tell of an earlier conversation, with what its user has said. */
  replay(events: readonly ConversationEvent[]): SessionUpdate[] {
    const updates = standingEvents(events).flatMap((event) =>
      event.type === "user" || event.type === "answered" ? this.said(event) : this.live(event),
    );
    return [...updates, ...this.settle()];
  }

  /** Returns what ends everything that is still shown as going on, for when nothing works any more. */
  settle(): SessionUpdate[] {
    const open = [...this.calls.keys()];
    this.calls.clear();
    this.approvals.clear();
    return [
      ...this.thought.end(),
      ...this.message.end(),
      ...open.map((toolCallId): SessionUpdate => {
        return { sessionUpdate: "tool_call_update", toolCallId, status: "failed" };
      }),
    ];
  }

  private said({ text }: EventOf<"user" | "answered">): SessionUpdate[] {
    // In a brainstorm, one message of the user is both.
    if (text.trim() === this.lastSaid) return [];
    this.lastSaid = text.trim();
    return [...this.message.end(), chunk("user_message_chunk", visibleText(text))];
  }

  private told(given: ConversationEvent): SessionUpdate[] {
    const event = inLanguage(given, t);
    switch (event.type) {
      case "notice":
        return this.notice(event);
      case "sessionStarted": {
        const { mode, goal } = event;
        return this.paragraph(`**${t(modeName(mode))}:** ${visibleLine(goal, 300)}`);
      }
      case "sessionEnded":
        return this.sessionEnded(event);
      case "question":
        return this.question(event);
      case "agent":
        return this.agent(event.event);
      case "restored":
      case "restoreEnded":
        return this.paragraph(event.text);
      case "restoreUndone":
        return event.text === undefined ? [] : this.paragraph(event.text);
      case "user":
      case "announced":
      case "answered":
      case "plan":
      case "proposal":
      case "proposalAnswered":
      case "changesUndone":
      case "questionClosed":
      case "tasksChanged":
        return [];
    }
  }

  private notice({ level, text, steps }: EventOf<"notice">): SessionUpdate[] {
    const mark = { info: "", warning: `**${t("Warning:")}** `, error: `**${t("Error:")}** ` }[
      level
    ];
    return this.paragraph([`${mark}${text}`, ...stepLines(steps)].join("\n\n"));
  }

  private sessionEnded(event: EventOf<"sessionEnded">): SessionUpdate[] {
    const { taskId, mode, end, message, artifacts, waitsFor, changedFiles = 0, work } = event;
    // The question itself has been told, and says everything.
    if (waitsFor === "answer") return [];
    const name = t(modeName(mode));
    const again = work === undefined ? `\`/resume ${taskId}\`` : "";
    const lines = [
      end === "Stopped"
        ? `**${t("{0} was stopped.", name)}**${again && ` ${t("{0} goes on with it.", again)}`}`
        : end === "Waiting"
          ? `**${t("{0} waits for your approval.", name)}**${again && ` ${t("{0} asks you again.", again)}`}`
          : end === "Done"
            ? message
            : `**${t(endNames[end])}:** ${message}`,
      artifacts.map((path) => `- \`${visibleLine(path, 300).replaceAll("`", "'")}\``).join("\n"),
      changedFiles === 0 || work !== undefined
        ? ""
        : t(
            "{0, plural, one {# changed file} other {# changed files}}: {1} shows the changes, {2} takes them back.",
            changedFiles,
            `\`rooroo changes ${taskId}\``,
            `\`rooroo undo ${taskId}\``,
          ),
    ];
    return this.paragraph(lines.filter((line) => line !== "").join("\n\n"));
  }

  private question(event: EventOf<"question">): SessionUpdate[] {
    const { mode, text, suggestions, work, questionId } = event;
    const asked = text.trim() === this.lastText ? "" : ` ${text}`;
    const numbered = suggestions.map((one, index) => `${index + 1}. ${visibleLine(one, 300)}`);
    const how =
      work?.kind === "job"
        ? t("{0} answers it.", `\`rooroo answer ${questionId} …\``)
        : suggestions.length === 0
          ? t("Your next message is the answer.")
          : t("Your next message is the answer, as text or a number.");
    return this.paragraph(
      [`**${t("{0} asks:", t(modeName(mode)))}**${asked}`, numbered.join("\n"), how]
        .filter((part) => part !== "")
        .join("\n\n"),
    );
  }

  private agent(event: AgentEvent): SessionUpdate[] {
    switch (event.type) {
      case "textDelta":
        return [...this.thought.end(), ...this.message.piece(event.messageId, event.text)];
      case "text":
        this.lastText = event.text.trim();
        return [...this.thought.end(), ...this.message.whole(event.messageId, event.text)];
      case "reasoningDelta":
        return this.thought.piece(event.messageId, event.text);
      case "reasoning":
        return this.thought.whole(event.messageId, event.text);
      case "retrying":
        // A client cannot be told to forget what it has shown.
        return [...this.message.end(), ...this.remark(replyRemark({ retry: event }, t))];
      case "repaired":
        return this.remark(replyRemark(event, t));
      case "replyRejected":
        return this.remark(replyRemark({ rejected: event.why }, t));
      case "partsRefused":
        return this.remark(partsRefusedText(event, t));
      case "summarised":
        return this.remark(summarisedText(event, t));
      case "messageDelivered":
        return [...this.message.end(), chunk("user_message_chunk", visibleText(event.text))];
      case "toolStarted":
        return this.toolStarted(event);
      case "approvalRequested":
        return this.approvalRequested(event);
      case "approvalResolved":
        return this.approvalResolved(event);
      case "callAllowed":
        return this.calls.has(event.callId) ? [toolCall(event.callId, "in_progress")] : [];
      case "callEdited": {
        const title = visibleLine(t("{0} (edited by you)", event.action.title), 300);
        return [{ sessionUpdate: "tool_call_update", toolCallId: event.callId, title }];
      }
      case "toolOutput":
        return this.toolOutput(event);
      case "toolEnded":
        return this.toolEnded(event);
      case "commandEnded":
        return event.output.trim() === ""
          ? []
          : [toolCall(event.callId, event.ok ? "completed" : "failed", outputOf(event.output))];
      case "context": {
        const { tokens: used, limit: size } = event;
        return size === undefined ? [] : [{ sessionUpdate: "usage_update", used, size }];
      }
      case "checklist":
      case "reasoningStarted":
      case "commandRunsOn":
      case "usage":
        return [];
    }
  }

  private toolStarted({ callId, tool, title }: AgentEventOf<"toolStarted">): SessionUpdate[] {
    this.calls.set(callId, { output: "", isQuestion: false });
    return [
      ...this.thought.end(),
      ...this.message.end(),
      {
        sessionUpdate: "tool_call",
        toolCallId: callId,
        title: `${visibleLine(t(toolEntry(tool).verb), 60)} ${visibleLine(title, 300)}`.trim(),
        kind: toolEntry(tool).kind,
        status: "pending",
        locations: titleLocations(tool, title, this.root),
      },
    ];
  }

  private approvalRequested(event: AgentEventOf<"approvalRequested">): SessionUpdate[] {
    const { approvalId, callId, action, why } = event;
    this.approvals.set(approvalId, callId);
    const shown = {
      toolCallId: callId,
      kind: actionKind(action),
      status: "pending",
      content: actionContent(action, why, this.root),
      locations: actionLocations(action, this.root),
    } as const;
    if (this.calls.has(callId)) return [{ sessionUpdate: "tool_call_update", ...shown }];
    this.calls.set(callId, { output: "", isQuestion: true });
    const title = visibleLine(action.title, 300);
    return [...this.message.end(), { sessionUpdate: "tool_call", title, ...shown }];
  }

  private approvalResolved({
    approvalId,
    allowed,
  }: AgentEventOf<"approvalResolved">): SessionUpdate[] {
    const callId = this.approvals.get(approvalId);
    this.approvals.delete(approvalId);
    const call = callId === undefined ? undefined : this.calls.get(callId);
    if (callId === undefined || call === undefined) return [];
    if (!call.isQuestion) return allowed ? [toolCall(callId, "in_progress")] : [];
    this.calls.delete(callId);
    return [toolCall(callId, allowed ? "completed" : "failed")];
  }

  private toolOutput({ callId, text }: AgentEventOf<"toolOutput">): SessionUpdate[] {
    const call = this.calls.get(callId);
    if (call === undefined) return [];
    const { output } = appendOutput({ output: call.output, omitted: 0 }, text);
    this.calls.set(callId, { ...call, output });
    return [toolCall(callId, "in_progress", outputOf(output))];
  }

  private toolEnded(event: AgentEventOf<"toolEnded">): SessionUpdate[] {
    const { callId, ok, output, diff, notes = [] } = event;
    this.calls.delete(callId);
    const content = [
      ...(diff === undefined ? [] : diffContent(diff, this.root)),
      ...(diff === undefined || !ok ? outputOf(previewOutput(output).output) : []),
      ...notes.map((note) => textContent(visibleText(note))),
    ];
    return [toolCall(callId, ok ? "completed" : "failed", content)];
  }

  private paragraph(text: string): SessionUpdate[] {
    if (text.trim() === "") return [];
    return [
      ...this.thought.end(),
      ...this.message.end(),
      chunk("agent_message_chunk", `${safeMarkdown(text)}\n\n`),
    ];
  }

  private remark(text: string): SessionUpdate[] {
    return text === "" ? [] : [chunk("agent_thought_chunk", `${visibleText(text)}\n\n`)];
  }
}

/**
 * Text that arrives in pieces. Only one message is told as it is written, because clients put pieces together; one
 * that is written beside it is told when it is whole.
 */
class StreamedText {
  private readonly text = new SafeMarkdownStream();
  private messageId: string | undefined;

  constructor(private readonly kind: Chunk) {}

  piece(messageId: string, text: string): SessionUpdate[] {
    this.messageId ??= messageId;
    return this.messageId === messageId ? this.chunk(this.text.take(text)) : [];
  }

  whole(messageId: string, text: string): SessionUpdate[] {
    if (this.messageId === messageId) return this.end();
    const before = this.end();
    if (text.trim() === "") return before;
    return [...before, chunk(this.kind, `${safeMarkdown(text.trimEnd())}\n\n`, messageId)];
  }

  /** Ends the message that is being told. */
  end(): SessionUpdate[] {
    if (this.messageId === undefined) return [];
    const updates = this.chunk(`${this.text.end()}\n\n`);
    this.messageId = undefined;
    return updates;
  }

  private chunk(text: string): SessionUpdate[] {
    return text === "" ? [] : [chunk(this.kind, text, this.messageId)];
  }
}

function chunk(kind: Chunk, text: string, messageId?: string): SessionUpdate {
  const id = messageId === undefined ? {} : { messageId };
  return { sessionUpdate: kind, content: { type: "text", text }, ...id };
}

function toolCall(
  toolCallId: string,
  status: "in_progress" | "completed" | "failed",
  content?: ToolCallContent[],
): SessionUpdate {
  const shown = content === undefined ? {} : { content };
  return { sessionUpdate: "tool_call_update", toolCallId, status, ...shown };
}

function outputOf(output: string): ToolCallContent[] {
  const text = visibleText(plainOutput(output)).trim();
  return text === "" ? [] : [textContent(fenced(text))];
}

/** Returns what the user can type for the steps that are offered. */
function stepLines(steps: readonly NextStep[]): string[] {
  return steps.flatMap((step) => {
    if (step.type === "command") {
      const words = commandOf(step);
      if (words === undefined) return [];
      const line = ["rooroo", ...words].join(" ");
      return [`→ \`${visibleLine(line, 200)}\` (${step.label})`];
    }
    const shown = visibleLine(inputText(step.action), 200).replaceAll("`", "'");
    return [`→ \`${shown}\` (${step.label})`];
  });
}
