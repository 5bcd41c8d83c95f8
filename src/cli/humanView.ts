import type { AgentEvent } from "../core/agent/events.js";
import type { ConversationEvent, TaskEnd } from "../core/conversation/events.js";
import type { UsageTotals } from "../core/conversation/items.js";
import { plainOutput } from "../core/tools/plainOutput.js";
import { duration } from "./duration.js";
import { expertName } from "./expertName.js";
import type { FollowUp, FollowUps } from "./followUps.js";
import { indented } from "./indented.js";
import { StreamedText } from "./streamedText.js";
import type { Style } from "./style.js";
import type { Terminal } from "./terminal.js";
import { terminalLine, terminalText } from "./terminalText.js";
import { toolLine } from "./toolLine.js";
import type { WorkView } from "./workView.js";

type EventOf<T extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: T }>;

/** The conversation as plain text, for people: top to bottom, nothing shown twice. */
export class HumanView implements WorkView {
  private readonly calls = new Map<string, { tool: string; title: string }>();
  private readonly usage = { calls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  private streamed: StreamedText | undefined;
  /** A line about a running call that its end will overwrite. */
  private passing = false;
  /** What a call printed ended in the middle of a line. */
  private midLine = false;
  /** The last that was said are words, which a line about a call stands apart from. */
  private paragraph = false;
  private lastText = "";
  private readonly told = new Set<string>();

  constructor(
    private readonly terminal: Terminal,
    private readonly followUps: FollowUps,
    private readonly verbose: boolean,
  ) {}

  private get style(): Style {
    return this.terminal.style;
  }

  show(event: ConversationEvent): void {
    const next = this.followUps.after(event);
    switch (event.type) {
      case "user":
        this.pass("Thinking");
        return;
      case "tasksChanged":
        return;
      case "notice":
        this.notice(event, next);
        return;
      case "taskStarted":
        this.lines("", this.header(event), `  ${terminalLine(event.goal, 300)}`);
        this.paragraph = true;
        this.pass("Thinking");
        return;
      case "taskEnded":
        this.taskEnded(event, next);
        return;
      case "question":
        this.question(event, next);
        return;
      case "answered":
        this.lines(this.style.dim(`> ${terminalLine(event.text, 300)}`));
        return;
      case "agent":
        this.agent(event.event);
        return;
    }
  }

  end(): void {
    this.settle();
    if (this.usage.calls > 0) this.lines("", this.style.dim(usageLine(this.usage)));
  }

  private notice(event: EventOf<"notice">, next: readonly FollowUp[]): void {
    const text = terminalText(event.text);
    if (event.level === "info") {
      this.lines(text);
      this.next(next);
      return;
    }
    const { errorStyle } = this.terminal;
    const mark = event.level === "error" ? errorStyle.red("✗") : errorStyle.yellow("!");
    this.settle();
    this.terminal.printError(`${mark} ${text}\n`);
    this.next(next, true);
  }

  private header({ taskId, mode }: EventOf<"taskStarted">): string {
    return `${this.style.bold(`── ${expertName(mode)}`)}  ${this.style.dim(terminalText(taskId))}`;
  }

  private taskEnded(event: EventOf<"taskEnded">, next: readonly FollowUp[]): void {
    const { taskId, end, message, artifacts } = event;
    this.settle();
    // The question itself follows, and says all.
    if (end === "Waiting" && message === "") return;
    const lines = [
      "",
      `${this.mark(end)} ${this.style.bold(endNames[end])}  ${this.style.dim(terminalText(taskId))}`,
      indented(terminalText(message)),
      ...artifacts.map((path) => `  ${this.style.cyan(terminalText(path))}`),
    ];
    if (end === "Failed") lines.push(this.style.dim(`  .rooroo/tasks/${taskId}/report.json`));
    this.lines(...lines);
    const wanted = end === "Waiting" ? this.followUps.wantedBy(taskId) : undefined;
    if (wanted !== undefined) {
      this.lines(indented(terminalText(wanted.preview.text), "    "));
      this.lines("  Nobody can be asked here, so the task waits. To go on:");
    }
    this.next(next);
  }

  private question(event: EventOf<"question">, next: readonly FollowUp[]): void {
    const { mode, taskId, text, suggestions } = event;
    const about = taskId === null ? "" : `  ${this.style.dim(terminalText(taskId))}`;
    this.lines(
      "",
      `${this.style.yellow("?")} ${this.style.bold(`${expertName(mode)} asks`)}${about}`,
      // An expert that just spoke has been heard.
      ...(text.trim() === this.lastText ? [] : [indented(terminalText(text))]),
      ...suggestions.map((one, index) => `    ${index + 1}. ${terminalLine(one, 300)}`),
    );
    const byNumber = suggestions.length > 0 ? "in your own words, or with a number" : "";
    this.next(next.map((one) => (one.why === "" ? { ...one, why: byNumber } : one)));
  }

  private agent(event: AgentEvent): void {
    switch (event.type) {
      case "textDelta":
        if (this.streamed?.messageId !== event.messageId) {
          this.startParagraph();
          this.streamed = new StreamedText(event.messageId);
        }
        this.terminal.print(terminalText(this.streamed.add(event.text)));
        return;
      case "text":
        this.lastText = event.text.trim();
        if (this.streamed?.messageId !== event.messageId) {
          this.startParagraph();
          this.lines(terminalText(event.text));
        } else this.settle();
        return;
      case "toolStarted":
        this.calls.set(event.callId, event);
        this.pass(toolLine(event));
        return;
      case "toolOutput":
        if (this.verbose) this.output(event.text);
        return;
      case "toolEnded":
        this.toolEnded(event);
        return;
      case "approvalRequested":
        this.settle();
        return;
      case "approvalResolved":
        return;
      case "usage":
        this.usage.calls++;
        this.usage.inputTokens += event.usage.inputTokens;
        this.usage.outputTokens += event.usage.outputTokens;
        this.usage.cachedTokens += event.usage.cachedTokens;
        return;
    }
  }

  private toolEnded(event: Extract<AgentEvent, { type: "toolEnded" }>): void {
    const call = this.calls.get(event.callId) ?? { tool: "", title: "" };
    this.calls.delete(event.callId);
    const mark = event.ok ? this.style.green("✓") : this.style.red("✗");
    const took = this.style.dim(`(${duration(event.durationMs)})`);
    if (this.paragraph) this.lines("");
    this.lines(`  ${mark} ${toolLine(call, event.diff)} ${took}`);
    this.paragraph = false;
    if (!event.ok) {
      const [reason = ""] = event.output.split("\n", 1);
      this.lines(this.style.dim(`    ${terminalLine(reason, 300)}`));
    }
    if (this.verbose && event.diff !== undefined) {
      this.lines(this.style.dim(indented(terminalText(event.diff.trimEnd()), "    ")));
    }
    if (this.calls.size === 0) this.pass("Thinking");
  }

  private output(text: string): void {
    if (!this.midLine) this.settle();
    const shown = terminalText(plainOutput(text));
    this.terminal.print(this.style.dim(shown));
    this.midLine = !shown.endsWith("\n");
  }

  /** Each command is told once; what the same end and its notice both offer is one. */
  private next(followUps: readonly FollowUp[], onError = false): void {
    for (const { command, why } of followUps) {
      if (this.told.has(command)) continue;
      this.told.add(command);
      const { style, errorStyle } = this.terminal;
      const { cyan, dim } = onError ? errorStyle : style;
      const reason = why === "" ? "" : `   ${dim(`# ${why}`)}`;
      const line = `  → ${cyan(terminalText(command))}${reason}`;
      if (onError) this.terminal.printError(`${line}\n`);
      else this.lines(line);
    }
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

  /** Says what goes on, until there is something to say. */
  private pass(what: string): void {
    if (!this.terminal.canOverwrite) return;
    this.settle();
    const line = terminalLine(what, this.terminal.columns - 5);
    this.terminal.print(this.style.dim(`  ⋯ ${line}`));
    this.passing = true;
  }

  private startParagraph(): void {
    this.lines("");
    this.paragraph = true;
  }

  private lines(...lines: readonly string[]): void {
    this.settle();
    this.terminal.print(lines.map((line) => `${line}\n`).join(""));
  }

  /** Ends, or takes back, what stands on the current line. */
  private settle(): void {
    if (this.passing) this.terminal.print("\r\u001b[K");
    this.passing = false;
    if (this.streamed !== undefined) {
      this.terminal.print(`${terminalText(this.streamed.rest())}${this.streamed.missingEnd}`);
    }
    this.streamed = undefined;
    if (this.midLine) this.terminal.print("\n");
    this.midLine = false;
  }
}

const endNames: Readonly<Record<TaskEnd, string>> = {
  Done: "Done",
  Failed: "Failed",
  NeedsClarification: "Needs clarification",
  Advice: "Advice",
  Stopped: "Stopped",
  Waiting: "Waiting",
};

function usageLine({ calls, inputTokens, outputTokens, cachedTokens }: UsageTotals): string {
  const number = (value: number) => value.toLocaleString("en");
  const cached = cachedTokens === 0 ? "" : ` (${number(cachedTokens)} cached)`;
  return `${calls} model ${calls === 1 ? "call" : "calls"}, ${number(inputTokens)} tokens in${cached}, ${number(outputTokens)} out`;
}
