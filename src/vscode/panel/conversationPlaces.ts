import type { LongWork, ConversationId, TaskId } from "../../core/ids.js";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { Conversation } from "../workspace/conversation.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { ChatView } from "./chatView.js";
import type { ConversationEditors } from "./conversationEditors.js";

/**
 * Leads the user to what a conversation says about a task, a job or a run. Another conversation than the one that is
 * shown is opened for that; the focus stays where it is, such as in a list.
 */
export class ConversationPlaces {
  constructor(
    private readonly workspace: CurrentWorkspace,
    private readonly chat: ChatView,
    private readonly editors: ConversationEditors,
  ) {}

  /**
   * Shows what is said about a task.
   *
   * @param id the conversation that it belongs to, if that is known
   * @returns `false` if no conversation says anything about it
   */
  showTask(taskId: TaskId, id?: ConversationId): Promise<boolean> {
    return this.show(id, (conversation) => conversation.placeOf(taskId));
  }

  /** Shows what is said about an agent session of a job or run; returns the same as {@link showTask}. */
  async showSession(sessionId: TaskId, work: LongWork): Promise<boolean> {
    return this.show(await this.whereIs(work), (one) => one.placeOf(sessionId));
  }

  /** Shows a question of a job; returns the same as {@link showTask}. */
  async showQuestion(questionId: string, work: LongWork): Promise<boolean> {
    return this.show(await this.whereIs(work), ({ state }) =>
      state.positions.has(questionId) ? questionId : undefined,
    );
  }

  /** Shows what is said about a job or run; returns the same as {@link showTask}. */
  async showWork(work: LongWork): Promise<boolean> {
    return this.show(await this.whereIs(work), (one) => one.placeOfWork(work));
  }

  /** Returns the conversation of a job or run. */
  private async whereIs(work: LongWork): Promise<ConversationId> {
    const session = this.workspace.require();
    await session.start();
    return session.conversations.ofWork(work);
  }

  /** Shows the first of the tasks, jobs or runs that wait for the user, and puts the focus into the panel. */
  async showFirst(tasks: readonly TaskView[], works: readonly LongWork[]): Promise<void> {
    const [task] = tasks;
    const [work] = works;
    if (task !== undefined) await this.showTask(task.taskId, task.conversation);
    else if (work !== undefined) await this.showWork(work);
    await this.chat.focus();
  }

  private async show(
    id: ConversationId | undefined,
    place: (conversation: Conversation) => string | undefined,
  ): Promise<boolean> {
    const session = this.workspace.require();
    await session.start();
    const { conversations } = session;
    const named = id === undefined ? [] : [await conversations.get(id)];
    const found = [...named, conversations.current, ...conversations.open]
      .map((conversation) => ({ conversation, item: place(conversation) }))
      .find(({ item }) => item !== undefined);
    if (found?.item === undefined) return false;
    const { conversation, item } = found;
    if (this.editors.reveal(conversation.id, item)) return true;
    await conversations.show(conversation.id);
    await this.chat.reveal(item);
    return true;
  }
}
