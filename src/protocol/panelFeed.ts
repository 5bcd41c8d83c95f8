import type { ShownAttachment } from "../core/conversation/input/attachment.js";
import type { Draft } from "../core/conversation/input/draft.js";
import {
  itemById,
  type ConversationState,
  type ItemChange,
} from "../core/conversation/state/conversationState.js";
import type { Item, UsageTotals } from "../core/conversation/state/items.js";
import type { ConversationId } from "../core/ids.js";
import { itemDelta } from "./itemDelta.js";
import type { EarlierItems, ItemDelta, PanelStatus, ToPanel } from "./messages.js";

/** The most items in a snapshot; the page requests earlier ones. */
const snapshotItems = 100;
const earlierItems = 200;

/** Frames between two updates of a tool's live output: people cannot read it faster. */
const liveOutputFrames = 30;

export interface PanelFeedOptions {
  /** The conversation's id. */
  readonly conversation: ConversationId;
  /** The conversation, shared with the code that applies events to it and with other panels' feeds. */
  readonly state: ConversationState;
  readonly status: PanelStatus;
  /** Returns what is typed in the conversation and not sent. */
  readonly draft: () => Draft;
  /** The part of the conversation's file that has not been read. */
  readonly rest: {
    readonly exists: () => boolean;
    /** Reads it into the state, and then calls {@link PanelFeed.snapshot}. */
    readonly read: () => Promise<void>;
  };
  readonly post: (message: ToPanel) => void;
  /** Calls back once, about 33 ms later. */
  readonly schedule: (callback: () => void) => void;
}

type Composed = Omit<Extract<ToPanel, { type: "compose" }>, "type">;

/**
 * Keeps one page in step with the conversation. It knows what the page has of each item that has changed
 * since the last frame, and posts the difference; nothing is posted to a page that has not asked for its
 * snapshot or is not visible.
 */
export class PanelFeed {
  private readonly state: ConversationState;
  private status: PanelStatus;
  private seq = 0;
  private ready = false;
  private visible = true;
  private disposed = false;
  private scheduled = false;
  private frame = 0;
  /** Changed items by id, as the page has them; `undefined` for items that the page does not have. */
  private readonly stale = new Map<string, Item | undefined>();
  /** The frame in which a running tool's output was last posted, by item id. */
  private readonly outputPostedAt = new Map<string, number>();
  private postedUsage: UsageTotals;
  private postedStatus: string;
  private composed: Composed | undefined;
  private menu: "mode" | "approvals" | undefined;
  private revealed: string | undefined;
  /** The number of items that a snapshot has at the end. */
  private shownItems = snapshotItems;

  constructor(private readonly options: PanelFeedOptions) {
    this.state = options.state;
    this.status = options.status;
    this.postedUsage = options.state.usage;
    this.postedStatus = "";
  }

  /** Takes what `applyEvent` or `settle` returned; must be called right after it. */
  changed(changes: readonly ItemChange[]): void {
    if (!this.ready) return;
    for (const { before, after } of changes) {
      if (!this.stale.has(after.id)) this.stale.set(after.id, before);
    }
    this.wakeUp();
  }

  setStatus(status: PanelStatus): void {
    this.status = status;
    this.wakeUp();
  }

  /** Stops or resumes posting. A page that stayed alive while hidden gets what it missed as one increment. */
  setVisible(visible: boolean): void {
    this.visible = visible;
    this.wakeUp();
  }

  /** Posts a snapshot, for a page that has loaded or has missed an increment. */
  snapshot(): void {
    this.ready = true;
    this.stale.clear();
    this.outputPostedAt.clear();
    const first = Math.max(0, this.state.items.length - this.shownItems);
    this.postedUsage = this.state.usage;
    this.postedStatus = JSON.stringify(this.status);
    this.options.post({
      type: "snapshot",
      snapshot: {
        conversation: this.options.conversation,
        draft: this.options.draft(),
        seq: this.seq,
        items: this.state.items.slice(first),
        earlier: first,
        hasMore: this.options.rest.exists(),
        usage: this.state.usage,
        status: this.status,
      },
    });
    if (this.composed !== undefined) this.compose(this.composed.text, this.composed.attachments);
    if (this.menu !== undefined) this.openMenu(this.menu);
    if (this.revealed !== undefined) this.reveal(this.revealed);
  }

  /** Has the rest of the conversation read if this is its first item here; a snapshot then has the items before it. */
  async readBefore(before: string): Promise<void> {
    const { rest } = this.options;
    if (this.state.positions.get(before) !== 0 || !rest.exists()) return;
    this.shownItems = this.state.items.length + earlierItems;
    try {
      await rest.read();
    } finally {
      this.shownItems = snapshotItems;
    }
  }

  /** Returns the items before the named one, for the request `earlier`; none if there is no such item. */
  earlier(before: string): EarlierItems {
    // The items are returned in their current state, so pending changes of them must be posted first.
    this.postIncrement(true);
    const end = this.state.positions.get(before) ?? 0;
    const first = Math.max(0, end - earlierItems);
    const hasMore = this.options.rest.exists();
    return { items: this.state.items.slice(first, end), earlier: first, hasMore };
  }

  /** Returns the texts of items, for the request `texts`. */
  texts(ids: readonly string[]): Readonly<Record<string, string>> {
    const entries = ids.flatMap((id) => {
      const item = itemById(this.state, id);
      return item?.kind === "text" || item?.kind === "reasoning" ? [[id, item.text] as const] : [];
    });
    return Object.fromEntries(entries);
  }

  /** Puts text and attachments into the page's input, at once or when the page has loaded. */
  compose(text: string, attachments: readonly ShownAttachment[] = []): void {
    const composed = { text, ...(attachments.length === 0 ? {} : { attachments }) };
    this.composed = this.ready ? undefined : composed;
    if (this.ready) this.options.post({ type: "compose", ...composed });
  }

  /** Opens a menu of the page, at once or when the page has loaded. */
  openMenu(menu: "mode" | "approvals"): void {
    this.menu = this.ready ? undefined : menu;
    if (this.ready) this.options.post({ type: "openMenu", menu });
  }

  /** Has the page scroll to an item, at once or when the page has loaded. */
  reveal(itemId: string): void {
    this.revealed = this.ready ? undefined : itemId;
    // What has just happened must be there before it can be scrolled to.
    this.postIncrement(true);
    if (this.ready) this.options.post({ type: "reveal", itemId });
  }

  /** Stops posting because the page is gone, until a new page asks for its snapshot. */
  pageGone(): void {
    this.ready = false;
    this.stale.clear();
  }

  dispose(): void {
    this.disposed = true;
    this.pageGone();
  }

  private wakeUp(): void {
    if (this.scheduled || !this.ready || !this.visible || !this.hasNews()) return;
    this.scheduled = true;
    this.options.schedule(() => {
      this.scheduled = false;
      this.frame++;
      if (this.disposed || !this.ready || !this.visible) return;
      this.postIncrement(false);
      this.postStatus();
      this.wakeUp();
    });
  }

  private hasNews(): boolean {
    return (
      this.stale.size > 0 ||
      this.postedUsage !== this.state.usage ||
      this.postedStatus !== JSON.stringify(this.status)
    );
  }

  private postStatus(): void {
    const status = JSON.stringify(this.status);
    if (status === this.postedStatus) return;
    this.postedStatus = status;
    this.options.post({ type: "status", status: this.status });
  }

  private postIncrement(whole: boolean): void {
    const changes: ItemDelta[] = [];
    for (const [id, before] of this.stale) {
      const after = itemById(this.state, id);
      const delta = after && itemDelta(before, after);
      if (after && delta && !whole && this.mustWait(after, delta)) continue;
      this.stale.delete(id);
      if (delta) changes.push(delta);
    }
    const { usage } = this.state;
    const usageChanged = usage !== this.postedUsage;
    if (!this.ready || (changes.length === 0 && !usageChanged)) return;
    this.postedUsage = usage;
    this.seq++;
    this.options.post({
      type: "increment",
      increment: { seq: this.seq, changes, ...(usageChanged ? { usage } : {}) },
    });
  }

  /** Returns whether the item is a running tool of which only the output has changed, and was posted just before. */
  private mustWait(item: Item, delta: ItemDelta): boolean {
    if (item.kind !== "tool" || item.state !== "running") {
      this.outputPostedAt.delete(item.id);
      return false;
    }
    if (delta.type === "put") return false;
    const fields = Object.keys(delta.set ?? {});
    if (!fields.every((field) => field === "omitted" || field === "output")) return false;
    const postedAt = this.outputPostedAt.get(item.id);
    if (postedAt !== undefined && this.frame - postedAt < liveOutputFrames) return true;
    this.outputPostedAt.set(item.id, this.frame);
    return false;
  }
}
