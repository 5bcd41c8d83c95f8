import { type Item, noUsage, type UsageTotals } from "../core/conversation/items.js";
import { patchItem } from "./itemDelta.js";
import type { EarlierItems, Increment, Snapshot } from "./messages.js";

/** The page's copy of the newest part of the conversation. */
export class PanelState {
  /** Oldest first; a new array after each change, so that a view sees that it changed. */
  items: readonly Item[] = [];
  /** The number of older items that the host has. */
  earlier = 0;
  /** Whether there are still older ones, which the host has not read. */
  hasMore = false;
  usage: UsageTotals = noUsage;
  private seq: number | undefined;
  private readonly positions = new Map<string, number>();

  show(snapshot: Snapshot): void {
    this.seq = snapshot.seq;
    this.usage = snapshot.usage;
    this.earlier = snapshot.earlier;
    this.hasMore = snapshot.hasMore;
    // What has not changed stays the same object, so that a view sees that.
    const before = new Map(this.items.map((item) => [item.id, item]));
    this.replaceItems(
      snapshot.items.map((item) => {
        const known = before.get(item.id);
        return known !== undefined && JSON.stringify(known) === JSON.stringify(item) ? known : item;
      }),
    );
  }

  /**
   * Applies an increment. Returns `false` if an earlier increment is missing, so that a snapshot must be
   * requested. An increment that the snapshot already includes changes nothing.
   */
  apply(increment: Increment): boolean {
    if (this.seq === undefined || increment.seq > this.seq + 1) return false;
    if (increment.seq <= this.seq) return true;
    this.seq = increment.seq;
    if (increment.usage) this.usage = increment.usage;
    if (increment.changes.length === 0) return true;
    const items = [...this.items];
    for (const change of increment.changes) {
      const id = change.type === "put" ? change.item.id : change.id;
      const position = this.positions.get(id);
      if (change.type === "put") {
        if (position !== undefined) items[position] = change.item;
        else this.positions.set(id, items.push(change.item) - 1);
      } else if (position !== undefined && items[position]) {
        // Items that this page has not loaded change too; when they are loaded, they are up to date.
        items[position] = patchItem(items[position], change);
      }
    }
    this.items = items;
    return true;
  }

  /** Prepends the older items that were requested with `before`, if that is still the first item. */
  prepend(before: string, { items, earlier, hasMore }: EarlierItems): void {
    if (this.items[0]?.id !== before) return;
    this.earlier = earlier;
    this.hasMore = hasMore;
    this.replaceItems([...items, ...this.items]);
  }

  private replaceItems(items: readonly Item[]): void {
    this.items = items;
    this.positions.clear();
    items.forEach((item, position) => this.positions.set(item.id, position));
  }
}
