import type { AgentEvent } from "../../agent/events.js";
import type { ConversationId, TaskId, LongWork } from "../../ids.js";
import type { Clock, Ids } from "../../ports/system.js";
import { Redactor } from "../../text/redactor.js";
import { type Drafted, type Said, spoken } from "../../text/words.js";
import type { ShownAttachment } from "../input/attachment.js";
import { inEnglish } from "./draftedEvents.js";
import type { ConversationEvent, NextStep, TaskEnd } from "./events.js";
import type { Finding } from "./finding.js";

/** An event before its time is known. */
export type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;

/**
 * Receives an event and the conversation that it belongs to; `undefined` if that is not known: it then belongs to
 * the one that is shown.
 */
export type Emit = (event: ConversationEvent, conversation: ConversationId | undefined) => void;

/** A button under a notice, whose label may be words. */
export type DraftedStep = Drafted<NextStep>;

/** Publishes what happens as events of conversations, with the current time. */
export class EventPublisher {
  #isMuted = false;
  readonly #listeners: Emit[] = [];
  /** The conversation of each task; shared with the publishers that this one returns. */
  #conversations = new Map<TaskId, ConversationId>();
  /** What is told once of each conversation, job or run; shared as well. */
  #told = new Set<string>();

  constructor(
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly emit: Emit,
    /** Removes from all events what nobody may see. */
    private readonly redactor: Redactor = new Redactor(),
    /** The conversation, job or run that it publishes for; empty for none. */
    private readonly scope = "",
  ) {}

  /** Calls the listener with every event, before the event is emitted. */
  listen(listener: Emit): void {
    this.#listeners.push(listener);
  }

  /** Mutes the events: the process is about to end, and what it interrupts is resumed later. */
  mute(): void {
    this.#isMuted = true;
  }

  /** Returns a publisher for the events of one job or run; they are published here. */
  of(work: LongWork): EventPublisher {
    return this.#derived(`${work.kind} ${work.name}`, (event, conversation) => {
      this.publish({ ...event, work }, conversation);
    });
  }

  /** Returns a publisher for events of one conversation; they are published here. */
  in(conversation: ConversationId | undefined): EventPublisher {
    return this.#derived(conversation ?? this.scope, (event, own) => {
      this.publish(event, own ?? conversation);
    });
  }

  #derived(scope: string, emit: Emit): EventPublisher {
    const derived = new EventPublisher(this.clock, this.ids, emit, undefined, scope);
    derived.#conversations = this.#conversations;
    derived.#told = this.#told;
    return derived;
  }

  /** Returns a publisher for what concerns a task, in the conversation that the task {@link belongs} to. */
  about(taskId: TaskId): EventPublisher {
    return this.in(this.#conversations.get(taskId));
  }

  /** Has all events of a task go to the conversation in which it was started, whoever publishes them. */
  belongs(taskId: TaskId, conversation: ConversationId | undefined): void {
    if (conversation !== undefined) this.#conversations.set(taskId, conversation);
  }

  /** @param conversation where it happens, unless it is an event of a task, which has one of its own */
  publish(draft: Drafted<WithoutTime<ConversationEvent>>, conversation?: ConversationId): void {
    if (this.#isMuted) return;
    const at = this.clock.now().toISOString();
    const event = inEnglish<WithoutTime<ConversationEvent>>(draft);
    const published = { at, ...this.redactor.each(event) };
    const own = "taskId" in event ? this.#conversations.get(event.taskId ?? "") : undefined;
    for (const listener of this.#listeners) listener(published, own ?? conversation);
    this.emit(published, own ?? conversation);
  }

  /** @param expert the slug of the expert that the user has chosen for the request */
  user(text: string, attachments: readonly Drafted<ShownAttachment>[] = [], expert?: string): void {
    const attached = attachments.length === 0 ? {} : { attachments: [...attachments] };
    const chosen = expert === undefined ? {} : { expert };
    this.publish({ type: "user", id: `u-${this.ids.hex(12)}`, text, ...attached, ...chosen });
  }

  /** @param topic what the notice is about, if a notice about the same is not to be told again */
  notice(
    level: "info" | "warning" | "error",
    text: Said,
    steps: readonly DraftedStep[] = [],
    topic?: string,
  ): void {
    const id = `n-${this.ids.hex(12)}`;
    const about = topic === undefined ? {} : { topic };
    this.publish({ type: "notice", id, level, text, steps, ...about });
  }

  /** Publishes what an agent's session tells; `once`: as a warning, and not again in this conversation, job or run. */
  ofSession(text: Said, how?: "once"): void {
    const key = JSON.stringify([this.scope, spoken(text)]);
    if (how === "once" && this.#told.has(key)) return;
    if (how === "once") this.#told.add(key);
    this.notice(how === "once" ? "warning" : "info", text);
  }

  /** Publishes a notice about what a card shows, too; only the command line prints it. */
  told(text: Said, steps: readonly DraftedStep[] = []): void {
    const id = `n-${this.ids.hex(12)}`;
    this.publish({ type: "notice", id, level: "info", text, steps, hasCard: true });
  }

  agent(taskId: TaskId, event: Drafted<AgentEvent>): void {
    this.publish({ type: "agent", taskId, event });
  }

  ended(
    { taskId, mode, changedFiles = 0 }: { taskId: TaskId; mode: string; changedFiles?: number },
    end: Exclude<TaskEnd, "Waiting">,
    message: Said,
    artifacts: readonly string[] = [],
    findings?: readonly Finding[],
  ): void {
    const changed = {
      ...(changedFiles === 0 ? {} : { changedFiles }),
      ...(findings && { findings }),
    };
    this.publish({ type: "sessionEnded", taskId, mode, end, message, artifacts, ...changed });
  }

  /** Publishes that a task waits for the user. */
  waits(
    { taskId, mode }: { taskId: TaskId; mode: string },
    waitsFor: "answer" | "approval",
    message: Said = "",
  ): void {
    const artifacts: string[] = [];
    this.publish({
      type: "sessionEnded",
      taskId,
      mode,
      end: "Waiting",
      message,
      artifacts,
      waitsFor,
    });
  }

  tasksChanged(): void {
    this.publish({ type: "tasksChanged" });
  }
}
