import type { NamedFolders } from "../access/namedFolders.js";
import { interruptedResult } from "../agent/calls/interruptedCall.js";
import { knownWindow } from "../agent/context/knownWindow.js";
import type { AgentEvent } from "../agent/events.js";
import type { AgentEnd } from "../agent/loop.js";
import { Transcript, type TranscriptLine, withImages } from "../agent/transcript.js";
import { activate } from "../experts/activate.js";
import type { Ending } from "../experts/ending.js";
import { environmentText } from "../experts/environment.js";
import type { ExpertServices } from "../experts/expertServices.js";
import type { Mode } from "../experts/mode.js";
import type { TaskId } from "../ids.js";
import type { MessageImage } from "../ports/messages.js";
import { type Drafted, type Said, type Words, words } from "../text/words.js";
import { followupQuestion } from "../tools/askFollowupQuestion.js";

/** Returns the notice that a model cannot call tools; the user sees it once. */
export function noToolCalling(model: string): Words {
  return words(
    "The model {model} has no tool calling, so it is talked to in envelopes (plain JSON) from here on.",
    { model },
  );
}

/** Returns the notice that a model has called no tool in a task, which therefore goes on without them. */
function calledNoTool(model: string): Words {
  return words(
    "The model {model} called no tool, so this goes on in envelopes (plain JSON). The next task tries tools again.",
    { model },
  );
}

const closing = "It is written.";

/** The end of {@link AgentSession.run}: that of the loop, where a question and a plain text are both what the agent asks. */
export type WorkEnd =
  | Exclude<AgentEnd, { type: "asks" | "speaks" }>
  | {
      readonly type: "asks";
      /** The call that the answer is the result of; `null` when the agent just spoke. */
      readonly callId: string | null;
      readonly question: string;
      readonly suggestions: readonly string[];
    };

/** The end of a session whose agent can only submit a result: it can neither ask nor just speak. */
export type SessionEnd =
  /** The caller calls `confirm` when everything that follows from the result is written. */
  | { readonly type: "submitted"; readonly args: unknown; confirm(): Promise<void> }
  /** The session ended through no fault of the work, and can be resumed. */
  | SessionInterrupted;

export interface SessionInterrupted {
  readonly type: "interrupted";
  /**
   * `turns`: the limit of turns was reached; `noProgress`: too many calls or replies in a row came to
   * nothing; `approval`: nobody was there to be asked.
   */
  readonly cause: "stopped" | "turns" | "noProgress" | "model" | "approval";
  /** The reason in one or two sentences for people. */
  readonly reason: Said;
}

/** The work of one agent session, and the callbacks that report on it. */
interface AgentWork {
  /** The session's id; its folder is `.rooroo/tasks/ID`. */
  readonly id: string;
  readonly mode: Mode;
  /** The user's request. An address that it names may be fetched. */
  readonly goal: string;
  /** Rejects if this process may not write any more, because another process has taken over the work. */
  readonly guard: () => Promise<void>;
  readonly onEvent: (event: Drafted<AgentEvent>) => void;
  /** Called with a notice for the user; `once`: all agents of the conversation have the same to say. */
  readonly onNotice: (text: Said, how?: "once") => void;
  /** Called with the reason when a submitted report is rejected. */
  readonly onReportRejected?: (problem: string) => void;
  /** As `Activation` has it. */
  readonly isMate?: (taskId: TaskId) => Promise<boolean>;
  readonly folders?: NamedFolders;
}

/** Facts of the workspace for a system prompt. */
interface PromptFacts {
  /** The shell's description, as in `bash on linux`. */
  readonly shell: string;
  /** The workspace's own rules for the mode; may be empty. */
  readonly instructions: string;
}

/** Creates the first messages of a session. */
interface FirstMessages {
  system(facts: PromptFacts): string | Promise<string>;
  /**
   * Absent: the caller appends the user message.
   *
   * @param environment tells where the session begins: see `environmentText`
   */
  user?(
    environment: () => Promise<string>,
  ): string | Promise<string | { content: string; images: readonly MessageImage[] }>;
}

/**
 * An agent at work for a task, a job, a run or a conversation. All its messages, tool calls and results
 * are in the transcript in its folder. If its process is killed, the session is opened again under the
 * same id and resumes: finished calls do not run again, and a submitted result counts.
 */
export class AgentSession {
  private constructor(
    private readonly work: AgentWork,
    private readonly experts: ExpertServices,
    /** Relative to the workspace. */
    readonly folder: string,
    readonly transcript: Transcript,
  ) {}

  /** Opens the session's transcript, a new one or that of an earlier process. */
  static async open(work: AgentWork, experts: ExpertServices): Promise<AgentSession> {
    const folder = `.rooroo/tasks/${work.id}`;
    const transcript = await Transcript.open({
      files: experts.files,
      signer: experts.signer,
      redactor: experts.redactor,
      taskId: work.id,
      path: `${folder}/transcript.jsonl`,
      guard: work.guard,
    });
    return new AgentSession(work, experts, folder, transcript);
  }

  /** Appends the first messages that are missing: all of them, or those that a crash left out. */
  async begin(first: FirstMessages): Promise<void> {
    const { mode, goal, onNotice } = this.work;
    const { clock, host, instructions, windows } = this.experts;
    const lines: TranscriptLine[] = [];
    if (!this.transcript.has("system")) {
      const system = await first.system({
        shell: host.shell.description,
        instructions: await instructions.read(mode, {
          goal,
          window: knownWindow(
            this.experts.modelFor?.(mode.slug) ?? this.experts.model,
            this.experts.settings().contextTokensFor?.(mode.slug),
            windows,
          ),
          onLeftOut: (problem) => {
            onNotice(problem, "once");
          },
        }),
      });
      lines.push({ type: "start", schema: 1, at: clock.now().toISOString(), system });
    }
    if (first.user !== undefined && !this.transcript.has("user")) {
      const given = await first.user(() => this.environment());
      const { content, images } =
        typeof given === "string" ? { content: given, images: [] } : given;
      lines.push({ type: "user", content, ...withImages(images) });
    }
    if (lines.length > 0) await this.transcript.append(...lines);
  }

  /** Returns where the session is at this moment, for its first message: see `environmentText`. */
  environment(): Promise<string> {
    return environmentText(this.experts.host, this.experts.clock);
  }

  /**
   * Runs the agent until it submits a result, needs the user, is stopped, or cannot continue.
   *
   * @param experts replaces the session's own for this call, for example with a smaller limit of turns
   */
  async run(ending: Ending, signal: AbortSignal, experts = this.experts): Promise<WorkEnd> {
    const { id, mode, goal, onEvent, onNotice, onReportRejected, isMate, folders } = this.work;
    const end = await activate(
      {
        ...(isMate === undefined ? {} : { isMate }),
        ...(folders === undefined ? {} : { folders }),
        taskId: id,
        folder: this.folder,
        mode,
        goal,
        transcript: this.transcript,
        ending,
        onWithoutTools: (model, why) => {
          onNotice(why === "refused" ? noToolCalling(model) : calledNoTool(model));
        },
        onProblem: onNotice,
        onReportRejected: onReportRejected ?? (() => undefined),
      },
      experts,
      onEvent,
      signal,
    );
    if (end.type === "speaks") {
      return { type: "asks", callId: null, question: end.text, suggestions: [] };
    }
    if (end.type !== "asks") return end;
    const { question, suggestions } = followupQuestion.parse(end.args);
    return { type: "asks", callId: end.callId, question, suggestions: suggestions ?? [] };
  }

  /**
   * Converts how {@link run} ended for an agent that can only submit.
   *
   * @throws {Error} if the agent asked: its mode is not one that can only submit
   */
  ended(end: WorkEnd): SessionEnd {
    const interrupted = (cause: SessionInterrupted["cause"], reason: Said): SessionEnd => {
      return { type: "interrupted", cause, reason };
    };
    switch (end.type) {
      case "completed":
        return { type: "submitted", args: end.args, confirm: () => this.close(end.callId) };
      case "stopped":
        return interrupted("stopped", words("Stopped."));
      case "exhausted":
        return interrupted(end.limit, end.message);
      case "modelFailed":
        return interrupted("model", end.message);
      case "waitsForApproval":
        return interrupted(
          "approval",
          words("Nobody was there to allow this: {title}", { title: end.action.title }),
        );
      case "asks":
        throw new Error(`${this.work.mode.slug} has no way to end with ${end.type}`);
    }
  }

  /**
   * Tells the agent something before it is resumed. Calls that an earlier process left without a result are
   * not carried out; but if one of them submits a result, that counts, and nothing is appended.
   */
  async tell(content: string): Promise<void> {
    const pending = this.transcript.pendingCalls;
    if (pending.some(({ call }) => call.name === "attempt_completion")) return;
    const results = pending.map(({ call, interrupted }): TranscriptLine => {
      const reason = interrupted
        ? interruptedResult
        : "This was not done: something has changed meanwhile.";
      return { type: "result", callId: call.id, ok: false, content: reason };
    });
    await this.transcript.append(...results, { type: "user", content });
  }

  /** Whether what became of the work is written, so that nothing is left to be resumed. */
  get isClosed(): boolean {
    return this.transcript.messages.at(-1)?.content === closing;
  }

  /**
   * Closes the session, because what the agent submitted is written.
   *
   * @param callId the id of the submitting call; `null` if the model made no call
   */
  async close(callId: string | null): Promise<void> {
    if (callId === null) await this.transcript.append({ type: "user", content: closing });
    else await this.confirm(callId, closing);
  }

  /**
   * Closes the session without a result, because its end is written and other sessions continue the work. Calls
   * without a result are recorded as not done.
   */
  async abandon(): Promise<void> {
    const results = this.transcript.pendingCalls.map(({ call, interrupted }): TranscriptLine => {
      const content = interrupted ? interruptedResult : "This was not done: the session has ended.";
      return { type: "result", callId: call.id, ok: false, content };
    });
    await this.transcript.append(...results, { type: "user", content: closing });
  }

  /**
   * Appends the result of the call by which the agent submitted something. Call it only after the
   * consequences are on disk: a submission without a result is submitted again when the session resumes.
   *
   * @param callId the call's id in the {@link AgentEnd}; `null` if the model made no call
   */
  async confirm(callId: string | null, content: string): Promise<void> {
    if (callId === null) return;
    await this.transcript.append({ type: "result", callId, ok: true, content });
  }
}
