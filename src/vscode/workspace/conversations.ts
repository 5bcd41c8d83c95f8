import * as vscode from "vscode";
import type { ConversationEvent } from "../../core/conversation/events/events.js";
import type { ConversationStore } from "../../core/conversation/store/conversationStore.js";
import type { LoadedConversation } from "../../core/conversation/store/journal.js";
import type { WorkConversations } from "../../core/conversation/store/workConversations.js";
import type { LongWork, ConversationId, TaskId } from "../../core/ids.js";
import { KeyedQueue } from "../../core/text/keyedQueue.js";
import { Conversation } from "./conversation.js";

interface Opened {
  readonly conversation: Conversation;
  /** Resolves when the conversation shows what its file has. */
  readonly filled: Promise<void>;
  /** Resolves when it is ready for work, too. */
  readonly ready: Promise<Conversation>;
  /** The events since the file was read, while it is being read. */
  waiting: ConversationEvent[] | undefined;
}

export interface ConversationsOptions {
  readonly store: ConversationStore;
  readonly works: WorkConversations;
  newId(): ConversationId;
  /** What is kept over a reload. */
  readonly kept: {
    /** The conversation that the side bar shows. */
    readonly shown: {
      read(): ConversationId | undefined;
      write(id: ConversationId): void;
    };
    /** What is typed and not sent. */
    readonly drafts: {
      has(id: ConversationId): boolean;
      remove(id: ConversationId): void;
    };
  };
  /** Called when a conversation has been read from its file, before it is shown. */
  prepare(conversation: Conversation, loaded: LoadedConversation): Promise<void>;
}

/**
 * The conversations of a workspace in this window. Those that a panel has shown are kept as the panel shows them; of
 * all others only the file is written.
 */
export class Conversations implements vscode.Disposable {
  private readonly opened = new Map<ConversationId, Opened>();
  /** Reads a conversation's file and shows it, one after the other: what was read before must not be shown afterwards. */
  private readonly reads = new KeyedQueue();
  private shown: Conversation;
  private readonly shownChanged = new vscode.EventEmitter<Conversation>();
  /** Fires when the side bar shows another conversation. */
  readonly onDidChangeCurrent = this.shownChanged.event;

  /** The conversation that the side bar showed in the window before. */
  private readonly before: ConversationId | undefined;

  constructor(private readonly options: ConversationsOptions) {
    const { shown } = options.kept;
    this.before = shown.read();
    this.shown = this.made(this.before ?? options.newId());
    if (this.before === undefined) shown.write(this.shown.id);
  }

  get store(): ConversationStore {
    return this.options.store;
  }

  /** The conversation of the side bar, which also has what belongs to no other. */
  get current(): Conversation {
    return this.shown;
  }

  /** The conversations that are open, which is to say, kept in memory. */
  get open(): readonly Conversation[] {
    return [...this.opened.values()].map(({ conversation }) => conversation);
  }

  /** Returns whether the conversation is open. */
  isOpen(id: ConversationId): boolean {
    return this.opened.has(id);
  }

  /** Opens a conversation, reading its file the first time. Rejects with what the file system throws. */
  get(id: ConversationId): Promise<Conversation> {
    return (this.opened.get(id) ?? this.read(id)).ready;
  }

  /** Has the side bar show a conversation. */
  async show(id: ConversationId): Promise<Conversation> {
    const opened = this.opened.get(id) ?? this.read(id);
    await opened.filled;
    this.setCurrent(opened.conversation);
    return opened.ready;
  }

  /** Has the side bar show a new conversation; it has no file before something happens in it. */
  begin(): Conversation {
    const conversation = this.shown.isEmpty ? this.shown : this.fresh();
    this.setCurrent(conversation);
    return conversation;
  }

  /** Returns a new conversation, which the side bar does not show. */
  fresh(): Conversation {
    return this.made(this.options.newId());
  }

  private made(id: ConversationId): Conversation {
    const conversation = new Conversation(id);
    const [filled, ready] = [Promise.resolve(), Promise.resolve(conversation)];
    this.opened.set(conversation.id, { conversation, filled, ready, waiting: undefined });
    return conversation;
  }

  /** Shows the conversation that was shown last, or the one that has changed last, if there is one. */
  async restore(): Promise<void> {
    const { store, works } = this.options;
    const [entries] = await Promise.all([store.list(), works.load()]);
    const own = entries.filter(({ foreign }) => !foreign);
    // Somebody who has begun to type stays where that is.
    if (this.before === undefined && this.options.kept.drafts.has(this.shown.id)) return;
    const id = this.before ?? own[0]?.id ?? entries[0]?.id;
    // One without a file was new when the window was closed, and is so still.
    if (id === undefined || !entries.some((entry) => entry.id === id)) return;
    if (id === this.shown.id) this.opened.delete(id);
    await this.show(id);
  }

  /**
   * Adds an event to its conversation, and returns the conversation's id.
   *
   * @param id absent: the conversation of the event's job or run, else the one that the side bar shows
   */
  add(event: ConversationEvent, id?: ConversationId): ConversationId {
    const where = id ?? (event.work && this.ofWork(event.work)) ?? this.shown.id;
    this.options.store.append(where, event);
    if (event.work !== undefined) this.startedIn(event.work, where);
    const opened = this.opened.get(where);
    if (opened?.waiting !== undefined) opened.waiting.push(event);
    else if (event.type !== "tasksChanged") opened?.conversation.add(event);
    return where;
  }

  /** Records that a job or run was started in a conversation: its events go there. */
  startedIn(work: LongWork, id: ConversationId): void {
    if (this.options.works.of(work) === id) return;
    // If it cannot be written, its events go here until the window is closed.
    this.options.works.put(work, id).catch(() => undefined);
  }

  /**
   * Returns whether a conversation may show what a job or run asks: it was started there, or in no conversation.
   *
   * @param id absent: the one that the side bar shows
   */
  mayShow(work: LongWork, id: ConversationId | undefined): boolean {
    const own = this.options.works.of(work);
    return own === undefined || own === (id ?? this.shown.id);
  }

  /** Returns the conversation in which a job or run is shown. */
  ofWork(work: LongWork): ConversationId {
    return this.options.works.of(work) ?? this.shown.id;
  }

  /**
   * Reads the open conversations again from their files; see {@link Conversation.replace}.
   *
   * @param onRead gets what was read of each
   */
  async reload(
    mayReplace: () => boolean,
    onRead: (id: ConversationId, loaded: LoadedConversation) => void,
  ): Promise<boolean> {
    for (const { id } of this.open) {
      const isShown = await this.reads.run(id, async () => {
        const journal = this.store.journal(id);
        await journal.flush();
        const loaded = await journal.load();
        // Work that began here while the file was read is shown as it happens, and would be removed.
        if (!mayReplace()) return false;
        this.opened.get(id)?.conversation.replace(loaded);
        onRead(id, loaded);
        return true;
      });
      if (!isShown) return false;
    }
    return true;
  }

  /** Has an open conversation show all that its file has now. */
  async readAgain(id: ConversationId): Promise<void> {
    const opened = this.opened.get(id);
    if (opened === undefined) return;
    await opened.ready;
    await this.options.prepare(opened.conversation, await this.readWhole(opened));
  }

  /** Reads the part of a conversation's file that was not read when it was opened. */
  async readRest(id: ConversationId): Promise<void> {
    const opened = this.opened.get(id);
    if (opened?.conversation.isPartial !== true || opened.waiting !== undefined) return;
    await this.readWhole(opened);
  }

  private readWhole(opened: Opened): Promise<LoadedConversation> {
    return this.reads.run(opened.conversation.id, () => this.readNow(opened));
  }

  private async readNow(opened: Opened): Promise<LoadedConversation> {
    const { conversation } = opened;
    try {
      const loaded = await this.store.journal(conversation.id).read(() => {
        opened.waiting = [];
      }, Number.MAX_SAFE_INTEGER);
      conversation.makeWhole(loaded.events);
      return loaded;
    } finally {
      this.addWaiting(opened);
    }
  }

  /** Returns the job or run to which an agent session belongs, as far as an open conversation shows it. */
  workOf(taskId: TaskId): LongWork | undefined {
    return this.open.map((one) => one.workOf(taskId)).find((one) => one !== undefined);
  }

  /** Returns the goal that a task was last started with, as far as an open conversation shows it. */
  goalOf(taskId: TaskId): string | undefined {
    return this.open.map((one) => one.goalOf(taskId)).find((one) => one !== undefined);
  }

  /** Gives a conversation a title. */
  async rename(id: ConversationId, title: string): Promise<void> {
    await this.store.rename(id, title);
    const { conversation } = this.opened.get(id) ?? {};
    if (conversation) conversation.title = (await this.store.find(id))?.title ?? "";
  }

  /** Removes a conversation; the side bar shows a new one in its place. */
  async remove(id: ConversationId): Promise<void> {
    await this.store.remove(id);
    this.options.kept.drafts.remove(id);
    const { conversation } = this.opened.get(id) ?? {};
    this.opened.delete(id);
    if (this.shown.id === id) this.setCurrent(this.fresh());
    conversation?.dispose();
  }

  dispose(): void {
    this.shownChanged.dispose();
    for (const one of this.open) one.dispose();
  }

  private setCurrent(conversation: Conversation): void {
    this.options.kept.shown.write(conversation.id);
    if (conversation === this.shown) return;
    const before = this.shown;
    this.shown = conversation;
    // A new conversation in which nothing has happened has left no trace.
    if (before.isEmpty && before.id !== conversation.id) this.opened.delete(before.id);
    this.shownChanged.fire(conversation);
  }

  private read(id: ConversationId): Opened {
    const conversation = new Conversation(id);
    const opened: Opened = { conversation, ...this.filling(conversation), waiting: [] };
    this.opened.set(id, opened);
    opened.ready.catch(() => this.opened.delete(id));
    return opened;
  }

  private filling(conversation: Conversation): Pick<Opened, "filled" | "ready"> {
    const { id } = conversation;
    const reading = this.store.journal(id).read(() => {
      const opened = this.opened.get(id);
      if (opened !== undefined) opened.waiting = [];
    });
    const filled = reading.then((loaded) => {
      conversation.replace(loaded);
    });
    const ready = filled.then(async () => {
      conversation.title = (await this.store.find(id))?.title ?? "";
      await this.options.prepare(conversation, await reading);
      const opened = this.opened.get(id);
      if (opened !== undefined) this.addWaiting(opened);
      return conversation;
    });
    return { filled, ready };
  }

  /** Adds what has happened while the file was read. */
  private addWaiting(opened: Opened): void {
    const waiting = opened.waiting ?? [];
    opened.waiting = undefined;
    opened.conversation.add(...waiting.filter(({ type }) => type !== "tasksChanged"));
  }
}
