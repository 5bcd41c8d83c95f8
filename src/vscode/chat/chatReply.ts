import type { CommandId } from "../../contributions/commands.js";
import type { AgentEvent } from "../../core/agent/events.js";
import type { ConversationEvent, NextStep } from "../../core/conversation/events/events.js";
import { messageWithFindings } from "../../core/conversation/events/findingsText.js";
import { endNames } from "../../core/conversation/state/endNames.js";
import { partsRefusedText } from "../../core/conversation/state/partsRefusedText.js";
import { replyRemark } from "../../core/conversation/state/replyRemark.js";
import { modeName } from "../../core/experts/modeName.js";
import type { TaskId } from "../../core/ids.js";
import { safeMarkdown, SafeMarkdownStream } from "../../core/text/safeMarkdown.js";
import type { Translate } from "../../core/text/translator.js";
import { visibleLine } from "../../core/text/visibleText.js";

/** What a reply in VS Code's chat is made of. */
export interface ChatSink {
  /** Shows one line while the work goes on. */
  progress(words: string): void;
  /** Appends Markdown. */
  markdown(text: string): void;
  /** Appends text that is no Markdown. */
  plain(text: string): void;
  /** Names a file that was used or written, by its workspace path. */
  file(path: string): void;
  /** Appends a button that runs one of our commands. */
  button(command: CommandId, title: string, about?: string): void;
}

/** The most files of a report that a reply names. */
const mostFiles = 20;

/**
 * Writes what becomes of one request into VS Code's chat. It is told of everything that happens in the
 * workspace, and leaves out what belongs to other requests.
 */
export class ChatReply {
  private readonly tasks = new Set<TaskId>();
  /** Notices that may only announce a task, as Markdown. */
  private announced: string[] = [];
  /** Ids of the messages of which a part was written. */
  private readonly begun = new Set<string>();
  private readonly text = new SafeMarkdownStream();
  /** The message that is being written; the pieces of two experts' messages may come in turns. */
  private writing: string | undefined;
  private offered: readonly NextStep[] = [];
  private asked: ChatQuestion | undefined;

  /**
   * @param isAlone whether nothing else runs, so that notices, which name no task, belong to this request
   */
  constructor(
    private readonly sink: ChatSink,
    private readonly t: Translate,
    private readonly isAlone: () => boolean,
  ) {}

  /** Makes a task's events part of the reply. */
  follow(taskId: TaskId): void {
    this.tasks.add(taskId);
  }

  get followed(): readonly TaskId[] {
    return [...this.tasks];
  }

  /** The steps that were offered last. */
  get steps(): readonly NextStep[] {
    return this.offered;
  }

  /** The question that the user's next message answers. */
  get question(): ChatQuestion | undefined {
    return this.asked;
  }

  take(event: ConversationEvent): void {
    if (event.work !== undefined) return;
    switch (event.type) {
      case "notice":
        if (this.isAlone()) this.takeNotice(event);
        break;
      case "sessionStarted":
        if (!this.tasks.has(event.taskId)) break;
        this.announced = [];
        this.offered = [];
        this.sink.progress(
          this.t("{0} is on it: {1}", this.t(modeName(event.mode)), line(event.goal)),
        );
        break;
      case "agent":
        if (this.tasks.has(event.taskId)) this.takeAgent(event.event);
        break;
      case "question":
        this.takeQuestion(event);
        break;
      case "sessionEnded":
        if (this.tasks.has(event.taskId)) this.takeEnd(event);
        break;
      case "user":
      case "answered":
      case "proposal":
      case "proposalAnswered":
      case "plan":
      case "changesUndone":
      case "restored":
      case "restoreEnded":
      case "restoreUndone":
      case "questionClosed":
      case "announced":
      case "tasksChanged":
        break;
    }
  }

  /** Writes what was held back. */
  finish(): void {
    this.endText();
    for (const text of this.announced) this.paragraph(text);
    this.announced = [];
  }

  private takeNotice({ level, text, steps }: Extract<ConversationEvent, { type: "notice" }>): void {
    if (steps.length > 0) this.offered = steps;
    if (level === "info") {
      this.announced.push(text);
      return;
    }
    this.endText();
    this.paragraph(text);
  }

  private takeAgent(event: AgentEvent): void {
    switch (event.type) {
      case "textDelta":
        this.begun.add(event.messageId);
        this.write(event.messageId, event.text);
        break;
      case "text":
        if (!this.begun.has(event.messageId)) this.write(event.messageId, event.text);
        this.endText();
        break;
      case "retrying": {
        // What was written cannot be taken back.
        this.endText();
        this.sink.progress(replyRemark({ retry: event }, this.t));
        break;
      }
      case "partsRefused":
        this.sink.progress(partsRefusedText(event, this.t));
        break;
      case "toolStarted":
        this.endText();
        this.sink.progress(line(event.title));
        break;
      case "approvalRequested": {
        this.endText();
        this.sink.markdown(`**${this.t("Waiting for your approval:")}** `);
        this.sink.plain(line(event.action.title));
        this.sink.markdown("\n\n");
        this.sink.plain(this.t("The Rooroo panel shows exactly what will happen. Decide there."));
        this.sink.markdown("\n\n");
        this.sink.button("rooroo.focusChat", this.t("Show"));
        break;
      }
      case "approvalResolved":
        this.sink.progress(event.allowed ? this.t("Allowed") : this.t("Denied"));
        break;
      case "repaired":
      case "replyRejected":
      case "toolOutput":
      case "toolEnded":
      case "commandRunsOn":
      case "commandEnded":
      case "callAllowed":
      case "callEdited":
      case "checklist":
      case "context":
      case "messageDelivered":
      case "reasoning":
      case "reasoningDelta":
      case "reasoningStarted":
      case "summarised":
      case "usage":
        break;
    }
  }

  private takeQuestion(event: Extract<ConversationEvent, { type: "question" }>): void {
    const { taskId, mode, text, suggestions } = event;
    if (taskId !== null && !this.tasks.has(taskId)) return;
    this.endText();
    this.asked = { taskId, suggestions };
    this.paragraph(`**${this.t("{0} asks:", this.t(modeName(mode)))}** ${text}`);
  }

  private takeEnd(event: Extract<ConversationEvent, { type: "sessionEnded" }>): void {
    this.endText();
    const { taskId, mode, end, artifacts, findings, changedFiles = 0 } = event;
    const message = messageWithFindings(event.message, findings, this.t);
    if (end === "Waiting") return;
    if (end === "Stopped") {
      this.sink.plain(this.t("{0} was stopped.", this.t(modeName(mode))));
      this.sink.markdown("\n\n");
    } else {
      this.paragraph(end === "Done" ? message : `**${this.t(endNames[end])}:** ${message}`);
    }
    for (const path of artifacts.slice(0, mostFiles)) this.sink.file(path);
    if (changedFiles === 0) return;
    this.sink.button("rooroo.reviewChanges", this.t("Review Changes"), taskId);
    this.sink.button("rooroo.undoTask", this.t("Undo Task"), taskId);
  }

  private paragraph(text: string): void {
    this.sink.markdown(`${safeMarkdown(text)}\n\n`);
  }

  private write(messageId: string, text: string): void {
    if (this.writing !== messageId) this.endText();
    this.writing = messageId;
    this.sink.markdown(this.text.take(text));
  }

  private endText(): void {
    if (this.writing === undefined) return;
    this.sink.markdown(`${this.text.end()}\n\n`);
    this.writing = undefined;
  }
}

/** A question to the user. `taskId` is `null` if the Navigator itself asks. */
export interface ChatQuestion {
  readonly taskId: TaskId | null;
  readonly suggestions: readonly string[];
}

function line(text: string): string {
  return visibleLine(text, 120);
}
