import { costText } from "../../core/agent/costText.js";
import type { AgentEvent } from "../../core/agent/events.js";
import { addCosts } from "../../core/agent/usageSums.js";
import type { ConversationEvent, TaskEnd } from "../../core/conversation/events/events.js";
import { inLanguage } from "../../core/conversation/events/eventWords.js";
import type { Finding } from "../../core/conversation/events/finding.js";
import { findingPlace } from "../../core/conversation/events/findingsText.js";
import { attachmentDetail } from "../../core/conversation/input/attachmentLabel.js";
import { endNames } from "../../core/conversation/state/endNames.js";
import { partsRefusedText } from "../../core/conversation/state/partsRefusedText.js";
import { replyRemark } from "../../core/conversation/state/replyRemark.js";
import { summarisedText } from "../../core/conversation/state/summarisedText.js";
import { modeName } from "../../core/experts/modeName.js";
import type { TaskId } from "../../core/ids.js";
import type { Usage } from "../../core/ports/messages.js";
import { shortDurationText } from "../../core/text/durationText.js";
import { plainOutput } from "../../core/text/plainOutput.js";
import { translatable } from "../../core/text/translator.js";
import { toolEntry } from "../../core/tools/toolTable.js";
import { t } from "../language/language.js";
import { answeredAs, type FollowUp, type FollowUps } from "./followUps.js";
import { Page } from "./page.js";
import type { Style } from "./style.js";
import type { Terminal } from "./terminal.js";
import { indented, terminalLine, terminalText } from "./terminalText.js";
import type { WorkView } from "./workViews.js";

type EventOf<T extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: T }>;
type AgentEventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

/** Shows the conversation to people as plain text: top to bottom, nothing twice. */
export class HumanView implements WorkView {
  private readonly page: Page;
  private readonly style: Style;
  private readonly calls = new Map<string, { tool: string; title: string }>();
  /** Ids of calls that run in the sandbox. */
  private readonly sandboxed = new Set<string>();
  private readonly usage = new UsageLine();
  /** Whether text was printed last; an empty line then separates the next line about a call from it. */
  private afterText = false;
  private lastText = "";
  /** Ids of running tasks. If there are several, lines name their task, and only complete texts are shown. */
  private readonly atWork = new Set<string>();
  /** The number of characters of a message that were shown while it streamed. */
  private shown = { messageId: "", length: 0 };
  private readonly printed = new Set<string>();

  constructor(
    private readonly terminal: Terminal,
    private readonly followUps: FollowUps,
    private readonly verbose: boolean,
  ) {
    this.page = new Page(terminal);
    this.style = terminal.style;
  }

  show(told: ConversationEvent): void {
    const event = inLanguage(told, t);
    const next = this.followUps.after(event);
    switch (event.type) {
      case "user":
        this.attached(event);
        this.page.pass(t("Thinking"));
        return;
      case "announced":
      case "tasksChanged":
        return;
      case "notice":
        this.notice(event, next);
        return;
      case "sessionStarted":
        this.sessionStarted(event);
        return;
      case "sessionEnded":
        this.sessionEnded(event, next);
        return;
      // On the command line, the run's notices and follow-ups already show its proposal and the answers.
      case "proposal":
      case "proposalAnswered":
      case "plan":
      case "questionClosed":
      case "changesUndone":
      case "restored":
      case "restoreEnded":
      case "restoreUndone":
        return;
      case "question":
        this.question(event, next);
        return;
      case "answered":
        this.page.lines(this.style.dim(`> ${terminalLine(event.text, 300)}`));
        return;
      case "agent":
        this.agent(event.event, event.taskId);
        return;
    }
  }

  end(): void {
    this.page.settle();
    this.next(this.followUps.offered);
    if (this.usage.isEmpty) return;
    this.page.gap();
    this.page.lines(this.style.dim(this.usage.text));
  }

  /** Names the attachments that are not read, and why. */
  private attached({ attachments = [] }: EventOf<"user">): void {
    const { yellow } = this.terminal.errorStyle;
    for (const { attachment, problem } of attachments) {
      if (problem === undefined) continue;
      const name = terminalLine(attachmentDetail(attachment, t), 200);
      this.page.errorLine(
        `${yellow("!")} ${t("Not attached: {0} {1}.", name, terminalLine(problem, 300))}`,
      );
    }
  }

  private notice(event: EventOf<"notice">, next: readonly FollowUp[]): void {
    const text = terminalText(event.text);
    if (event.level === "info") {
      this.page.lines(text);
      this.next(next);
      return;
    }
    const { errorStyle } = this.terminal;
    const mark = event.level === "error" ? errorStyle.red("✗") : errorStyle.yellow("!");
    this.page.errorLine(`${mark} ${text}`);
    this.next(next, true);
  }

  private sessionStarted({ taskId, mode, goal }: EventOf<"sessionStarted">): void {
    const { bold } = this.style;
    this.atWork.add(taskId);
    this.page.gap();
    this.page.lines(`${bold(`── ${terminalText(t(modeName(mode)))}`)}  ${this.id(taskId)}`);
    this.page.lines(`  ${terminalLine(goal, 300)}`);
    this.afterText = true;
    this.page.pass(t("Thinking"));
  }

  private sessionEnded(event: EventOf<"sessionEnded">, next: readonly FollowUp[]): void {
    const { taskId, end, message, artifacts, findings, waitsFor } = event;
    this.atWork.delete(taskId);
    this.page.settle();
    // The question itself has been shown, and says everything.
    if (waitsFor === "answer") return;
    this.page.gap();
    this.page.lines(`${this.mark(end)} ${this.style.bold(t(endNames[end]))}  ${this.id(taskId)}`);
    if (message !== "") this.page.lines(indented(terminalText(message)));
    if (findings !== undefined) this.findings(findings);
    this.page.lines(...artifacts.map((path) => `  ${this.style.cyan(terminalText(path))}`));
    const hasReport = end === "Failed" && event.work === undefined;
    if (hasReport) this.page.lines(`  ${this.id(`.rooroo/tasks/${taskId}/report.json`)}`);
    const wanted = end === "Waiting" ? this.followUps.wantedBy(taskId) : undefined;
    if (wanted !== undefined) {
      this.page.lines(indented(terminalText(wanted.preview.text.trimEnd()), "    "));
      this.page.lines(
        `  ${t("The task is awaiting approval, and nobody can be asked here. To continue:")}`,
      );
    }
    this.next(next);
    this.page.gap();
  }

  /** Prints findings as compilers do, so that a terminal makes links of their places. */
  private findings(findings: readonly Finding[]): void {
    if (findings.length === 0) {
      this.page.lines(`  ${t("No findings.")}`);
      return;
    }
    const { red, yellow, dim } = this.style;
    const colors = { error: red, warning: yellow, information: dim };
    for (const finding of findings) {
      const { severity, message, suggestion } = finding;
      const place = terminalText(findingPlace(finding));
      this.page.lines(
        `${place}: ${colors[severity](t(severities[severity]))}: ${terminalLine(message, 2_000)}`,
      );
      if (suggestion !== null) this.page.lines(dim(indented(terminalText(suggestion), "    ")));
    }
  }

  private question(event: EventOf<"question">, next: readonly FollowUp[]): void {
    const { mode, text, suggestions } = event;
    const asked = answeredAs(event);
    const about = asked === null ? "" : `  ${this.id(asked)}`;
    this.page.gap();
    this.page.lines(
      `${this.style.yellow("?")} ${this.style.bold(t("{0} asks", terminalText(t(modeName(mode)))))}${about}`,
    );
    // The expert's last message may have been this very text.
    if (text.trim() !== this.lastText) this.page.lines(indented(terminalText(text)));
    this.page.lines(
      ...suggestions.map((one, index) => `    ${index + 1}. ${terminalLine(one, 300)}`),
    );
    const byNumber = suggestions.length > 0 ? t("with text or a number") : "";
    this.next(next.map((one) => (one.why === "" ? { ...one, why: byNumber } : one)));
  }

  private agent(event: AgentEvent, taskId: TaskId): void {
    switch (event.type) {
      case "textDelta":
        this.textDelta(event);
        return;
      case "text":
        this.text(event, taskId);
        return;
      case "reasoningStarted":
        this.page.pass(t("Thinking"));
        return;
      case "reasoningDelta":
      case "reasoning":
        return;
      case "retrying":
        this.shown = { messageId: "", length: 0 };
        this.page.lines(this.style.dim(`  ${replyRemark({ retry: event }, t)}`));
        return;
      case "repaired":
        this.page.lines(this.style.dim(`  ${replyRemark(event, t)}`));
        return;
      case "replyRejected":
        this.page.lines(this.style.dim(`  ${replyRemark({ rejected: event.why }, t)}`));
        return;
      case "toolStarted":
        this.calls.set(event.callId, event);
        this.page.pass(toolLine(event));
        return;
      case "toolOutput":
        if (this.verbose) {
          this.page.output(terminalText(plainOutput(event.text)), this.style.dim);
        }
        return;
      case "commandRunsOn":
        return;
      case "commandEnded": {
        const [end = ""] = event.output.split("\n", 1);
        this.page.lines(this.style.dim(`    ${terminalLine(end, 300)}`));
        return;
      }
      case "toolEnded":
        this.toolEnded(event, taskId);
        return;
      case "approvalRequested":
        this.page.settle();
        return;
      case "approvalResolved":
        for (const call of this.calls.values()) if (event.allowed) this.page.pass(toolLine(call));
        return;
      case "messageDelivered":
        this.page.lines(this.style.dim(`> ${terminalLine(event.text, 300)}`));
        return;
      case "checklist":
        this.checklist(event);
        return;
      case "callAllowed":
        if (event.sandboxed === true) this.sandboxed.add(event.callId);
        if (this.verbose) this.page.lines(this.style.dim(`    ${terminalLine(event.why, 300)}`));
        return;
      case "callEdited":
        this.callEdited(event);
        return;
      case "context":
        return;
      case "partsRefused":
        this.page.lines(this.style.dim(`  (${partsRefusedText(event, t)})`));
        return;
      case "summarised":
        this.page.lines(this.style.dim(`  (${summarisedText(event, t)})`));
        return;
      case "usage":
        this.usage.add(event.usage);
        return;
    }
  }

  private textDelta({ messageId, text }: AgentEventOf<"textDelta">): void {
    const isOn = this.page.streams(messageId);
    if (!isOn && (this.atWork.size > 1 || this.shown.messageId === messageId)) return;
    this.page.stream(messageId, text);
    this.shown = { messageId, length: (isOn ? this.shown.length : 0) + text.length };
    this.afterText = true;
  }

  private text({ messageId, text }: AgentEventOf<"text">, taskId: TaskId): void {
    this.lastText = text.trim();
    const isOn = this.page.streams(messageId);
    const rest = this.shown.messageId === messageId ? text.slice(this.shown.length) : text;
    this.shown = { messageId: "", length: 0 };
    this.page.settle();
    if (isOn || rest.trim() === "") return;
    this.page.gap();
    const whose = this.whose(taskId);
    this.page.lines(...(whose === "" ? [] : [whose.trim()]), terminalText(rest.trimEnd()));
    this.afterText = true;
  }

  /** Returns the last four characters of a line's task id as a tag; empty while only one task runs. */
  private whose(taskId: TaskId): string {
    return this.atWork.size > 1 ? ` ${this.style.dim(`[${terminalText(taskId.slice(-4))}]`)}` : "";
  }

  private checklist({ steps }: AgentEventOf<"checklist">): void {
    const marks = { open: "☐", doing: "▸", done: "☑" } as const;
    this.page.lines(
      ...steps.map(({ text, state, depth = 0 }) => {
        const indent = "  ".repeat(2 + Math.min(depth, 4));
        const line = `${indent}${marks[state]} ${terminalLine(text, 200)}`;
        return state === "doing" ? this.style.bold(line) : this.style.dim(line);
      }),
    );
  }

  /** Shows the call as the user edited it from now on. */
  private callEdited({ callId, action }: AgentEventOf<"callEdited">): void {
    const call = this.calls.get(callId);
    if (call === undefined) return;
    const title = action.access === "command" ? action.command : call.title;
    const edited = { ...call, title: t("{0} (edited by you)", title) };
    this.calls.set(callId, edited);
    this.page.pass(toolLine(edited));
  }

  private toolEnded(event: AgentEventOf<"toolEnded">, taskId: TaskId): void {
    const { callId, ok, output, diff, notes = [], durationMs } = event;
    const call = this.calls.get(callId) ?? { tool: "", title: "" };
    this.calls.delete(callId);
    const mark = ok ? this.style.green("✓") : this.style.red("✗");
    const took = this.style.dim(`(${shortDurationText(durationMs)})`);
    if (this.afterText) this.page.gap();
    this.afterText = false;
    const place = this.sandboxed.delete(callId) ? this.style.dim(` ${t("in the sandbox")}`) : "";
    this.page.lines(`  ${mark} ${toolLine(call, diff)}${place} ${took}${this.whose(taskId)}`);
    if (!ok) {
      this.page.lines(this.style.dim(`    ${terminalLine(reasonIn(output), 300)}`));
    }
    for (const note of notes) this.page.lines(`    ${terminalLine(note, 600)}`);
    if (this.verbose && diff !== undefined) {
      this.page.lines(this.style.dim(indented(terminalText(diff.trimEnd()), "    ")));
    }
    if (this.calls.size === 0) this.page.pass(t("Thinking"));
  }

  /** Prints follow-ups, each command only once: the end of a task and its notice may offer the same. */
  private next(followUps: readonly FollowUp[], onError = false): void {
    for (const { command, why } of followUps) {
      if (this.printed.has(command)) continue;
      this.printed.add(command);
      const { cyan, dim } = onError ? this.terminal.errorStyle : this.style;
      const reason = why === "" ? "" : `   ${dim(`# ${why}`)}`;
      const line = `  → ${cyan(terminalText(command))}${reason}`;
      if (onError) this.page.errorLine(line);
      else this.page.lines(line);
    }
  }

  private id(taskId: TaskId): string {
    return this.style.dim(terminalText(taskId));
  }

  private mark(end: TaskEnd): string {
    switch (end) {
      case "Done":
        return this.style.green("✓");
      case "Failed":
        return this.style.red("✗");
      case "Stopped":
        return this.style.yellow("■");
      case "NeedsClarification":
      case "Advice":
      case "Waiting":
        return this.style.yellow("…");
    }
  }
}

const severities: Readonly<Record<Finding["severity"], string>> = {
  error: translatable("error"),
  warning: translatable("warning"),
  information: translatable("information"),
};

/** Returns why a call failed: its first line, with that of another program's words where it only leads to them. */
function reasonIn(output: string): string {
  const [, lead, said] = /^(.*:)\n<data from="[^"\n]*">\n(.*)/.exec(output) ?? [];
  const [first = ""] = output.split("\n", 1);
  return lead === undefined ? first : `${lead} ${said}`;
}

/** Returns a tool call as one line, as in `Edit src/cart.js +2 −1`. */
function toolLine({ tool, title }: { tool: string; title: string }, diff?: string): string {
  const counts = diff === undefined ? "" : ` ${changeCounts(diff)}`;
  return (
    `${terminalLine(t(toolEntry(tool).verb), 60)} ${terminalLine(title, 200)}`.trimEnd() + counts
  );
}

function changeCounts(diff: string): string {
  const lines = diff.split("\n").filter((line) => !/^(---|\+\+\+) /.test(line));
  const added = lines.filter((line) => line.startsWith("+")).length;
  const removed = lines.filter((line) => line.startsWith("-")).length;
  return `+${added} −${removed}`;
}

/** Sums up model calls, tokens and costs on one line. */
class UsageLine {
  private calls = 0;
  private input = 0;
  private output = 0;
  private cached = 0;
  private uncounted = 0;
  private cost: number | undefined = 0;

  get isEmpty(): boolean {
    return this.calls === 0;
  }

  /**
   * Adds one model call.
   *
   * @param usage `null` if the server did not report it
   */
  add(usage: Usage | null): void {
    this.calls++;
    this.cost = addCosts(this.cost, usage?.costUsd);
    if (usage === null) this.uncounted++;
    this.input += usage?.inputTokens ?? 0;
    this.output += usage?.outputTokens ?? 0;
    this.cached += usage?.cachedTokens ?? 0;
  }

  get text(): string {
    const calls = t("{0, plural, one {# model call} other {# model calls}}", this.calls);
    if (this.uncounted === this.calls) return t("{0}, tokens unknown", calls);
    const unknown = this.uncounted === 0 ? "" : ` ${t("(of {0, number} unknown)", this.uncounted)}`;
    const cost = costText(this.cost);
    const tokens =
      this.cached === 0
        ? t("{0, number} tokens in, {1, number} out", this.input, this.output)
        : t(
            "{0, number} tokens in ({2, number} cached), {1, number} out",
            this.input,
            this.output,
            this.cached,
          );
    return `${calls}${unknown}, ${tokens}${cost === "" ? "" : `, ${cost}`}`;
  }
}
