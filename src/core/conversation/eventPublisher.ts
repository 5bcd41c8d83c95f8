import type { AgentEvent } from "../agent/events.js";
import type { ConversationEvent, LongWork, NextStep, TaskEnd } from "./events.js";
import type { Clock, Ids } from "../ports/system.js";
import { Redactor } from "../text/redactor.js";
import type { TaskId } from "../ids.js";

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;

/** Publishes what happens as events of the conversation, with the current time. */
export class EventPublisher {
  #isMuted = false;
  readonly #listeners: ((event: ConversationEvent) => void)[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly emit: (event: ConversationEvent) => void,
    /** Removes from all events what nobody may see. */
    private readonly redactor: Redactor = new Redactor(),
  ) {}

  /** Calls the listener with every event, before the event is emitted. */
  listen(listener: (event: ConversationEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Mutes the events: the process is about to end, and what it interrupts is resumed later. */
  mute(): void {
    this.#isMuted = true;
  }

  /** Returns a publisher for the events of one job or run; they are published here. */
  of(work: LongWork): EventPublisher {
    return new EventPublisher(this.clock, this.ids, (event) => {
      this.publish({ ...event, work });
    });
  }

  publish(event: WithoutTime<ConversationEvent>): void {
    if (this.#isMuted) return;
    const at = this.clock.now().toISOString();
    const published = { at, ...this.redactor.each(event) };
    for (const listener of this.#listeners) listener(published);
    this.emit(published);
  }

  user(text: string): void {
    this.publish({ type: "user", id: `u-${this.ids.hex(12)}`, text });
  }

  /** @param topic what the notice is about, if a notice about the same is not to be told again */
  notice(
    level: "info" | "warning" | "error",
    text: string,
    steps: readonly NextStep[] = [],
    topic?: string,
  ): void {
    const id = `n-${this.ids.hex(12)}`;
    const about = topic === undefined ? {} : { topic };
    this.publish({ type: "notice", id, level, text, steps, ...about });
  }

  agent(taskId: TaskId, event: AgentEvent): void {
    this.publish({ type: "agent", taskId, event });
  }

  ended(
    { taskId, mode, changedFiles = 0 }: { taskId: TaskId; mode: string; changedFiles?: number },
    end: Exclude<TaskEnd, "Waiting">,
    message: string,
    artifacts: readonly string[] = [],
  ): void {
    const changed = changedFiles === 0 ? {} : { changedFiles };
    this.publish({ type: "taskEnded", taskId, mode, end, message, artifacts, ...changed });
  }

  /** Publishes that a task waits for the user. */
  waits(
    { taskId, mode }: { taskId: TaskId; mode: string },
    waitsFor: "answer" | "approval",
    message = "",
  ): void {
    const artifacts: string[] = [];
    this.publish({ type: "taskEnded", taskId, mode, end: "Waiting", message, artifacts, waitsFor });
  }

  tasksChanged(): void {
    this.publish({ type: "tasksChanged" });
  }
}
