import type { ToldAction } from "../../core/agent/tool.js";
import { decide } from "../../core/approvals/policy.js";
import type {
  ConversationEvent,
  HostCommand,
  NextStep,
} from "../../core/conversation/events/events.js";
import type { Attachment } from "../../core/conversation/input/attachment.js";
import { inputText } from "../../core/conversation/input/parseInput.js";
import type { TaskId } from "../../core/ids.js";
import { placeholder, shellWord } from "../../core/text/shellWord.js";
import type { Options } from "../arguments/options.js";
import { t } from "../language/language.js";

/** A command with which the user can continue. */
export interface FollowUp {
  readonly command: string;
  /** The purpose of the command; empty if that is obvious. */
  readonly why: string;
}

/** Follows a conversation and suggests the commands with which the user can continue. */
export class FollowUps {
  /** Proposed actions that nobody has decided on, by task id. */
  private readonly wanted = new Map<string, ToldAction>();
  private readonly open = new Map<string, readonly FollowUp[]>();

  /** The follow-ups of the last {@link offer}. */
  offered: readonly FollowUp[] = [];

  constructor(private readonly options: Options) {}

  /** Returns the proposed action for which the task waits for an approval, if any. */
  wantedBy(taskId: TaskId): ToldAction | undefined {
    return this.wanted.get(taskId);
  }

  /** Offers follow-ups that result from no event, each as the words of a command. Replaces the last offer. */
  offer(...ways: readonly (readonly string[])[]): void {
    this.offered = ways.map((words) => this.followUp(words));
    this.open.set("", this.offered);
  }

  /** Returns the commands of all open follow-ups, each once. */
  all(): string[] {
    const commands = [...this.open.values()].flat().map(({ command }) => command);
    return [...new Set(commands)];
  }

  /** Takes in an event and returns its follow-ups. */
  after(event: ConversationEvent): FollowUp[] {
    const found = this.find(event);
    const about = aboutWhat(event);
    if (about !== undefined) {
      this.open.delete(about);
      if (found.length > 0) this.open.set(about, found);
    }
    return found;
  }

  private find(event: ConversationEvent): FollowUp[] {
    switch (event.type) {
      case "question":
        return [this.followUp([...answering(event), placeholder])];
      case "notice":
        return event.steps.flatMap((step) => this.step(step));
      case "sessionStarted":
        this.wanted.delete(event.taskId);
        return [];
      case "agent":
        if (event.event.type === "approvalRequested") {
          this.wanted.set(event.taskId, event.event.action);
        } else if (event.event.type === "approvalResolved") this.wanted.delete(event.taskId);
        return [];
      case "sessionEnded": {
        // Its job or run resumes it.
        if (event.work !== undefined) return [];
        const resume = ["resume", event.taskId];
        if (event.end === "Stopped") return [this.followUp(resume)];
        const action = this.wanted.get(event.taskId);
        if (event.end !== "Waiting" || action === undefined) return [];
        // Below `.rooroo/`, only writes to the expert's own places ever reach an approval.
        const isOwn = action.access === "write" && action.path.startsWith(".rooroo/");
        const unasked = decide(action, { preset: "all" }, isOwn).type === "allow";
        return [
          ...(unasked
            ? [
                this.followUp(
                  [...resume, "--approve", "all"],
                  t("allows it and everything else in the workspace"),
                ),
              ]
            : []),
          this.followUp(resume, t("asks you, if run in a terminal")),
        ];
      }
      case "user":
      case "answered":
      case "proposal":
      case "proposalAnswered":
      case "plan":
      case "questionClosed":
      case "changesUndone":
      case "restored":
      case "restoreEnded":
      case "restoreUndone":
      case "announced":
      case "tasksChanged":
        return [];
    }
  }

  private step(step: NextStep): FollowUp[] {
    if (step.type === "command") {
      const words = commandOf(step);
      return words === undefined ? [] : [this.followUp(words)];
    }
    const { action, label } = step;
    if (action.action === "proceed") {
      const one = action.one ? ["--one"] : [];
      const done = action.done === undefined ? [] : ["--done", action.done];
      return [this.followUp(["proceed", ...one, ...done])];
    }
    if (action.action === "resume") return [this.followUp(["resume", action.taskId])];
    const attached = "attachments" in action ? (action.attachments ?? []) : [];
    const isPiped = attached.some(({ kind }) => kind === "input");
    const why = isPiped ? t("{0}; pipe in again what was piped in", label) : label;
    const flags = attached.flatMap(attachedAs).flatMap((name) => ["--attach", name]);
    return [this.followUp(["ask", ...flags, inputText(action)], why)];
  }

  private followUp(words: readonly string[], why = ""): FollowUp {
    return { command: commandWords(this.options, words), why };
  }
}

/** Returns the words of the command that does the same here as a button in the editor; `undefined`: there is none. */
export function commandOf({
  command,
  about,
}: Extract<NextStep, { type: "command" }>): readonly string[] | undefined {
  const found = ownCommands[command];
  return found === undefined || about === undefined ? undefined : [...found, about];
}

const ownCommands: Partial<Record<HostCommand, readonly string[]>> = {
  showPlanChanges: ["plan", "diff"],
  landPlan: ["plan", "land"],
  discardPlan: ["plan", "discard"],
  cancelRun: ["run", "cancel"],
};

/** Returns the value of `--attach` that attaches the same again; none if there is none. */
function attachedAs(attachment: Attachment): string[] {
  switch (attachment.kind) {
    case "file":
    case "symbol":
    case "selection": {
      const { path, from, to } = attachment;
      return [from === undefined ? path : `${path}:${from}-${to ?? from}`];
    }
    case "folder":
    case "image":
      return [attachment.path];
    case "problems":
    case "terminal":
    case "input":
    case "gitChanges":
    case "commit":
    case "url":
    case "task":
    case "resource":
    case "prompt":
      return [];
  }
}

function answering(event: Extract<ConversationEvent, { type: "question" }>): string[] {
  const asked = answeredAs(event);
  return asked === null ? ["ask", "--continue"] : ["answer", asked];
}

/**
 * Returns what the event is about. A task has one state at a time, so the follow-ups of an earlier event
 * about it are out of date.
 */
function aboutWhat(event: ConversationEvent): string | undefined {
  switch (event.type) {
    case "question":
      return event.taskId ?? event.questionId;
    case "notice":
      return event.id;
    case "sessionStarted":
      return event.taskId;
    case "sessionEnded":
      // The question itself came just before, and its follow-ups stay open.
      return event.waitsFor === "answer" ? undefined : event.taskId;
    case "user":
    case "answered":
    case "proposal":
    case "proposalAnswered":
    case "plan":
    case "questionClosed":
    case "changesUndone":
    case "restored":
    case "restoreEnded":
    case "restoreUndone":
    case "agent":
    case "announced":
    case "tasksChanged":
      return undefined;
  }
}

/**
 * Returns the id to give to `rooroo answer`: a task's id or, for a job's question, its id in the job file.
 * Returns `null` if the Navigator itself asks.
 */
export function answeredAs({
  taskId,
  questionId,
  work,
}: Extract<ConversationEvent, { type: "question" }>): string | null {
  return work?.kind === "job" ? questionId : taskId;
}

/** Returns a follow-up command line, ready to be copied: with the same workspace, model and rules. */
export function commandWords(options: Options, words: readonly string[]): string {
  const flags: [string, string | undefined][] = [
    ["--workspace", options.workspace],
    ["--model", options.model],
    ["--profile", options.profile],
    ["--base-url", options.baseUrl],
    ["--api", options.api],
    ["--dialect", options.dialect === "auto" ? undefined : options.dialect],
    ...options.allowCommand.map((rule): [string, string] => ["--allow-command", rule]),
    ...options.denyCommand.map((rule): [string, string] => ["--deny-command", rule]),
    ["--sandbox", options.sandbox],
    ...options.allowHost.map((host): [string, string] => ["--allow-host", host]),
    ["--approve", words.includes("--approve") ? undefined : nonDefault(options.approve.text)],
  ];
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  const typed = [...words, ...given].map((word) => shellWord(word, process.platform === "win32"));
  return ["rooroo", ...typed].join(" ");
}

function nonDefault(approve: string): string | undefined {
  return approve === "safe" ? undefined : approve;
}
