import type { EventPublisher } from "../../conversation/events/eventPublisher.js";
import { UserError } from "../../errors.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { ConversationId, TaskId } from "../../ids.js";
import type { Outcome } from "./outcome.js";
import type { TaskStore } from "./taskStore.js";

/** What {@link WaitingMessages} use. */
interface MessagePorts {
  readonly store: TaskStore;
  readonly publisher: EventPublisher;
  readonly experts: Pick<ExpertServices, "messages">;
}

/** The messages to experts at work that have not been delivered. */
export class WaitingMessages {
  /** @param request carries out a request, in a conversation */
  constructor(
    private readonly ports: MessagePorts,
    private readonly request: (
      text: string,
      conversation: ConversationId | undefined,
    ) => Promise<Outcome>,
  ) {}

  /** Replaces the text of a message that has not been delivered. Throws a `UserError` if it has. */
  async change(taskId: TaskId, id: string, text: string): Promise<void> {
    const { messages } = this.ports.experts;
    const isChanged = await messages.change(taskId, id, text);
    this.ports.publisher.tasksChanged();
    if (!isChanged) throw alreadyDelivered();
  }

  /** Removes a message that has not been delivered. Throws a `UserError` if it has. */
  async remove(taskId: TaskId, id: string): Promise<void> {
    const { messages } = this.ports.experts;
    const removed = await messages.remove(taskId, id);
    this.ports.publisher.tasksChanged();
    if (removed === undefined) throw alreadyDelivered();
  }

  /**
   * Makes a request of a message that was not delivered. Throws a `UserError` if it was.
   *
   * @param shown the conversation of the request, unless the task has one of its own
   */
  async takeAsRequest(taskId: TaskId, id: string, shown?: ConversationId): Promise<Outcome> {
    const { messages } = this.ports.experts;
    const found = (await messages.list(taskId)).find((message) => message.id === id);
    if (found === undefined) throw alreadyDelivered();
    // Said first, so that a process that ends in between loses nothing.
    const conversation = (await this.ports.store.conversationOf(taskId)) ?? shown;
    const outcome = this.request(found.text, conversation);
    await messages.remove(taskId, id);
    return outcome;
  }
}

function alreadyDelivered(): UserError {
  return new UserError("messageDelivered", "The message has been delivered already.");
}
