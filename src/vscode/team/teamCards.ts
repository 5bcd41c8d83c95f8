import type { ProposedAction } from "../../core/agent/tool.js";
import type { Approver } from "../../core/approvals/approver.js";
import { inEnglish } from "../../core/conversation/events/draftedEvents.js";
import type { ConversationEvent } from "../../core/conversation/events/events.js";
import type { ConversationState } from "../../core/conversation/state/conversationState.js";
import { saidBy } from "../../core/errors.js";
import type { ConversationId, TaskId } from "../../core/ids.js";
import type { AwayMachine, AwayPlan, AwayTask } from "../../core/navigator/overview/overview.js";
import type { Clock, Ids } from "../../core/ports/system.js";
import { type Asked, saidIn } from "../../core/team/teamAsk.js";
import { type OpenAsk, sessionEnds, type TeamReply } from "../../core/team/teamLink.js";
import { type Drafted, type Said, words } from "../../core/text/words.js";

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;
type AgentEvent = Extract<ConversationEvent, { type: "agent" }>["event"];

/** A question or an approval, and where it is asked. */
export interface AwayAsk extends OpenAsk, AwayMachine {
  readonly mode: string;
  readonly conversation: ConversationId | undefined;
}

interface Shown {
  readonly id: ConversationId;
  readonly state: Pick<ConversationState, "items" | "positions" | "tasks" | "calls">;
}

export interface TeamCardsOptions {
  readonly conversations: {
    readonly current: Shown;
    readonly open: readonly Shown[];
    get(id: ConversationId): Promise<Shown>;
  };
  readonly approver: Approver;
  readonly clock: Clock;
  readonly ids: Ids;
  emit(event: ConversationEvent, conversation?: ConversationId): void;
  /** Returns `false` if somebody else has answered before. */
  answer(ask: OpenAsk, said: TeamReply): Promise<boolean>;
}

const lateAnswer = words("Somebody else has answered before.");

/**
 * Keeps conversations in line with plans that are away: how far their tasks are, and what these ask, with cards as those
 * of tasks that work here. It compares what is shown with what is known, so that it can be called at any time.
 */
export class TeamCards {
  /** The approvals that wait in this window, by their ids, and what ends the waiting. */
  readonly #waiting = new Map<string, AbortController>();
  /** Questions that were asked in this window, and those that are answered here. */
  readonly #answering = new Set<string>();
  readonly #tasks = new Set<TaskId>();
  #isOver = false;

  constructor(private readonly options: TeamCardsOptions) {}

  /** @param isCurrent whether the team has just said so; if not, cards stay open that it does not know */
  async show(
    plans: readonly AwayPlan[],
    asks: readonly AwayAsk[],
    isCurrent: boolean,
  ): Promise<void> {
    if (this.#isOver) return;
    for (const plan of plans) {
      for (const { taskId } of plan.tasks) this.#tasks.add(taskId);
      const shown = this.options.conversations.open.find(({ id }) => id === plan.conversation);
      if (shown !== undefined) for (const task of plan.tasks) this.#follow(task, plan, shown);
    }
    for (const ask of asks) {
      if (ask.asked.kind === "question") await this.#question(ask);
      else void this.#approval(ask);
    }
    if (isCurrent) this.#close(new Set(asks.map(({ asked }) => asked.id)));
  }

  /** Says what became of an answer that was given here. */
  async answer(ask: AwayAsk, text: string): Promise<void> {
    const { id } = ask.asked;
    const where = await this.#place(ask.conversation);
    this.#answering.add(id);
    try {
      if (await this.options.answer(ask, text)) {
        this.#emit({ type: "answered", questionId: id, text }, where.id);
      } else {
        this.#emit({ type: "questionClosed", questionId: id }, where.id);
        this.#notice("info", lateAnswer, where.id);
      }
    } finally {
      this.#answering.delete(id);
    }
  }

  /** Ends the waiting of all approvals, and says nothing of it: they wait on, and the next window asks them. */
  dispose(): void {
    this.#isOver = true;
    for (const waiting of this.#waiting.values()) waiting.abort();
  }

  /** Shows that a task has begun or has ended. */
  #follow(task: AwayTask, { planId }: AwayPlan, { id, state }: Shown): void {
    const { taskId, mode, goal, machine, attempt } = task;
    if (machine === undefined || task.state === "waiting" || task.state === "unknown") return;
    const counts = state.tasks.get(taskId);
    if (counts === undefined) {
      const plan = planId === taskId ? {} : { planId };
      this.#emit({ type: "sessionStarted", taskId, mode, goal, ...plan }, id);
    }
    if ((task.state !== "done" && task.state !== "failed") || counts?.ended === true) return;
    const end = sessionEnds[task.state];
    const message = words("On {machine}, attempt {attempt}.", { machine, attempt: attempt ?? 1 });
    this.#emit({ type: "sessionEnded", taskId, mode, end, message, artifacts: [] }, id);
  }

  async #question({ asked, taskId, mode, machine, conversation }: AwayAsk): Promise<void> {
    const { id, title: text, suggestions = [] } = asked;
    const where = await this.#place(conversation);
    if (where.state.positions.has(id)) return;
    const question = { questionId: id, taskId, mode, text, suggestions: [...suggestions], machine };
    this.#emit({ type: "question", ...question }, where.id);
  }

  /** Asks for an approval, as a task does that works here, and tells the team what was decided. */
  async #approval(ask: AwayAsk): Promise<void> {
    const { asked, taskId, machine, attempt, conversation } = ask;
    if (this.#waiting.has(asked.id)) return;
    const ending = new AbortController();
    this.#waiting.set(asked.id, ending);
    const where = await this.#place(conversation);
    const callId = `team ${asked.id}`;
    // The id of one that an earlier window has shown is not shown again.
    const approvalId = `${asked.id} ${this.options.ids.hex(8)}`;
    const action = actionOf(asked);
    const title = saidIn(asked, "title");
    const why = words("{machine} asks, attempt {attempt}: {why}", {
      machine,
      attempt,
      why: saidIn(asked, "why"),
    });
    const tell = (event: Drafted<AgentEvent>) => {
      this.#emit({ type: "agent", taskId, event }, where.id);
    };
    tell({ type: "toolStarted", callId, tool: toolOf(action), title });
    tell({ type: "approvalRequested", approvalId, callId, why, action, machine });
    const end = (ok: boolean, output: Said) => {
      tell({ type: "toolEnded", callId, ok, output, durationMs: 0 });
    };
    try {
      const request = { approvalId, taskId, callId, action, why, options: [] };
      const decision = await this.options.approver.request(request, ending.signal);
      const allowed = decision.type === "allowed";
      const reason = decision.type === "denied" ? decision.reason?.trim() : undefined;
      const isFirst = await this.options.answer(ask, reason ? { deniedBecause: reason } : allowed);
      if (isFirst) {
        tell({ type: "approvalResolved", approvalId, allowed, ...(reason ? { reason } : {}) });
      }
      end(allowed && isFirst, isFirst ? "" : lateAnswer);
    } catch (error) {
      end(false, ending.signal.aborted ? lateAnswer : saidBy(error));
      // It is asked again as long as the team asks it.
      if (!ending.signal.aborted) this.#waiting.delete(asked.id);
    }
  }

  /** Closes the cards of what is not asked any more. */
  #close(asked: ReadonlySet<string>): void {
    for (const [id, ending] of this.#waiting) {
      if (asked.has(id)) continue;
      ending.abort();
      this.#waiting.delete(id);
    }
    for (const { id: conversation, state } of this.options.conversations.open) {
      for (const item of state.items) {
        if (item.kind !== "question" || item.taskId === null || item.machine === undefined)
          continue;
        if (item.answer !== undefined || item.closed === true) continue;
        if (asked.has(item.id) || this.#answering.has(item.id)) continue;
        if (!this.#tasks.has(item.taskId)) continue;
        this.#emit({ type: "questionClosed", questionId: item.id }, conversation);
        this.#notice("info", lateAnswer, conversation);
      }
    }
  }

  async #place(conversation: ConversationId | undefined): Promise<Shown> {
    const { conversations } = this.options;
    return conversation === undefined ? conversations.current : conversations.get(conversation);
  }

  #notice(level: "info" | "warning", text: Said, conversation: ConversationId): void {
    const id = `n-${this.options.ids.hex(12)}`;
    this.#emit({ type: "notice", id, level, text, steps: [] }, conversation);
  }

  #emit(draft: Drafted<WithoutTime<ConversationEvent>>, conversation: ConversationId): void {
    if (this.#isOver) return;
    const event = inEnglish<WithoutTime<ConversationEvent>>(draft);
    this.options.emit({ at: this.options.clock.now().toISOString(), ...event }, conversation);
  }
}

/** Returns the action as it is shown. What it would do beside that, the worker has told the team in its hash. */
function actionOf(asked: Asked): ProposedAction {
  const { access = "tool", kind = "text" } = asked.action ?? {};
  const { preview: text = "" } = asked;
  const shown = {
    title: saidIn(asked, "title"),
    preview: { kind, text: saidIn(asked, "preview") },
  };
  switch (access) {
    case "read":
    case "write":
      return { access, ...shown, path: "", inside: true };
    case "command":
      return { access, ...shown, command: text, path: "", inside: true };
    case "web":
      return { access, ...shown, address: text };
    case "tool":
      return { access, ...shown, tool: "", bound: "" };
    case "spend":
      return { access, ...shown };
  }
}

/** Returns the name of a tool that does such things, by which the card has its icon. */
function toolOf({ access }: ProposedAction): string {
  const tools: Partial<Record<typeof access, string>> = {
    read: "read_file",
    write: "write_to_file",
    command: "execute_command",
    web: "web_fetch",
  };
  return tools[access] ?? access;
}
