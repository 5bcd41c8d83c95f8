import { itemById } from "../core/conversation/conversationState.js";
import type { ConversationState, ItemChange } from "../core/conversation/conversationState.js";
import type { Item, UsageTotals } from "../core/conversation/items.js";
import { itemDelta } from "./itemDelta.js";
import type { EarlierItems, ItemDelta, PanelStatus, ToPanel } from "./messages.js";

/** Items that a snapshot has; the page asks for those before them. */
const snapshotItems = 100;
const earlierItems = 200;

/** A tool's live output crosses at most once in so many frames: people cannot read it faster. */
const liveOutputFrames = 30;

export interface PanelFeedOptions {
  /** Shared with whoever applies the events to it, and with other panels' feeds. */
  readonly state: ConversationState;
  readonly status: PanelStatus;
  readonly post: (message: ToPanel) => void;
  /** Calls back once, about 33 ms later. */
  readonly schedule: (callback: () => void) => void;
}

/**
 * Keeps one page in step with the conversation. It knows what the page has of each item that has
 * changed since the last frame, and posts the difference; nothing goes to a page that has not asked
 * for its snapshot or that nobody sees.
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
  /** Changed items as the page has them, `undefined` for those that it has not. */
  private readonly stale = new Map<string, Item | undefined>();
  /** When a running tool's output last crossed. */
  private readonly outputPostedAt = new Map<string, number>();
  private postedUsage: UsageTotals;
  private postedStatus: string;
  private composed: string | undefined;

  constructor(private readonly options: PanelFeedOptions) {
    this.state = options.state;
    this.status = options.status;
    this.postedUsage = options.state.usage;
    this.postedStatus = "";
  }

  /** To be told what `applyEvent` or `settle` returned, right after it did. */
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

  /** A page that was hidden, and lived on, gets what it missed as one increment. */
  setVisible(visible: boolean): void {
    this.visible = visible;
    this.wakeUp();
  }

  /** The page has loaded, or lost count: it gets a snapshot. */
  snapshot(): void {
    this.ready = true;
    this.stale.clear();
    this.outputPostedAt.clear();
    const first = Math.max(0, this.state.items.length - snapshotItems);
    this.postedUsage = this.state.usage;
    this.postedStatus = JSON.stringify(this.status);
    this.options.post({
      type: "snapshot",
      snapshot: {
        seq: this.seq,
        items: this.state.items.slice(first),
        earlier: first,
        usage: this.state.usage,
        status: this.status,
      },
    });
    if (this.composed !== undefined) this.compose(this.composed);
  }

  /** The items before the one named, for the request `earlier`; none if there is no such item. */
  earlier(before: string): EarlierItems {
    // What is returned is as it is now: no increment may still be on its way to it.
    this.postIncrement(true);
    const end = this.state.positions.get(before) ?? 0;
    const first = Math.max(0, end - earlierItems);
    return { items: this.state.items.slice(first, end), earlier: first };
  }

  /** Puts text into the page's input, at once or when the page has loaded. */
  compose(text: string): void {
    this.composed = this.ready ? undefined : text;
    if (this.ready) this.options.post({ type: "compose", text });
  }

  /** The page is gone; a new one says so by asking for its snapshot. */
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

  /** True when the item is a running tool whose output alone has changed, and was sent just now. */
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
