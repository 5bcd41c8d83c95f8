import type { AgentEvent } from "../agent/events.js";
import type { AgentEnd } from "../agent/loop.js";
import { Transcript, type TranscriptLine } from "../agent/transcript.js";
import { activate } from "../experts/activate.js";
import type { Ending } from "../experts/ending.js";
import type { ExpertWorld } from "../experts/expertWorld.js";
import type { Mode } from "../experts/mode.js";

/** What a person is told, once, of a model that cannot call tools. */
export function noToolCalling(model: string): string {
  return `The model ${model} has no tool calling, so it is talked to in envelopes (plain JSON) from here on.`;
}

/** What an agent is to do, and who hears of it. */
interface AgentWork {
  /** Names the session's folder, `.rooroo/tasks/ID`. */
  readonly id: string;
  readonly mode: Mode;
  /** What the person asks for: what they name in it, such as an address, they have asked for. */
  readonly goal: string;
  /** Rejects when this process may not write any more, because another one has taken the work over. */
  readonly guard: () => Promise<void>;
  readonly onEvent: (event: AgentEvent) => void;
  /** Is told, for the person, what they should know of how the work goes on. */
  readonly onNotice: (text: string) => void;
  /** Told what was handed in and does not count, and why. */
  readonly onReportRejected?: (problem: string) => void;
}

/** What a system prompt says of the workspace. */
interface PromptFacts {
  /** As in `bash on linux`. */
  readonly shell: string;
  /** What the workspace's own files ask of the mode; may be empty. */
  readonly instructions: string;
}

/** The first messages of a session. */
interface FirstMessages {
  system(facts: PromptFacts): string | Promise<string>;
  /** Absent: the caller writes it. */
  user?(): string | Promise<string>;
}

/**
 * One agent at work for a task, a job, a run or a conversation. Everything that it is told and does is
 * in the transcript in its folder, so that a session whose process was killed is opened again under
 * the same id and goes on: what it had done is not done again, and what it had handed in counts.
 */
export class AgentSession {
  private constructor(
    private readonly work: AgentWork,
    private readonly experts: ExpertWorld,
    /** Relative to the workspace. */
    readonly folder: string,
    readonly transcript: Transcript,
  ) {}

  /** Opens the session's transcript, a new one or that of an earlier process. */
  static async open(work: AgentWork, experts: ExpertWorld): Promise<AgentSession> {
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

  /** Writes those of the first messages that are not there yet: a crash or a full disk may have come between. */
  async begin(first: FirstMessages): Promise<void> {
    const { mode } = this.work;
    const { clock, shell, instructions } = this.experts;
    const lines: TranscriptLine[] = [];
    if (!this.transcript.has("system")) {
      const system = await first.system({
        shell: shell.description,
        instructions: await instructions.read(mode.slug),
      });
      lines.push({ type: "start", schema: 1, at: clock.now().toISOString(), system });
    }
    if (first.user !== undefined && !this.transcript.has("user")) {
      lines.push({ type: "user", content: await first.user() });
    }
    if (lines.length > 0) await this.transcript.append(...lines);
  }

  /**
   * Lets the agent work until it hands something in, needs a person, is stopped, or cannot go on.
   *
   * @param experts replaces the session's own for this time, as for a smaller limit of turns
   */
  run(ending: Ending, signal: AbortSignal, experts = this.experts): Promise<AgentEnd> {
    const { id, mode, goal, onEvent, onNotice, onReportRejected } = this.work;
    return activate(
      {
        taskId: id,
        folder: this.folder,
        mode,
        goal,
        transcript: this.transcript,
        ending,
        onWithoutTools: (model) => {
          onNotice(noToolCalling(model));
        },
        onReportRejected: onReportRejected ?? (() => undefined),
      },
      experts,
      onEvent,
      signal,
    );
  }

  /**
   * Answers the call by which the agent handed something in. To be called when what follows from it is
   * on disk: a call without an answer is handed in again when the session is opened anew.
   *
   * @param callId as {@link AgentEnd} has it; `null` for a model that made no call
   */
  async confirm(callId: string | null, content: string): Promise<void> {
    if (callId === null) return;
    await this.transcript.append({ type: "result", callId, ok: true, content });
  }
}
