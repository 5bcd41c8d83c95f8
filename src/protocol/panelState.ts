import { type Item, noUsage, type UsageTotals } from "../core/conversation/state/items.js";
import { patchItem } from "./itemDelta.js";
import type { EarlierItems, Increment, ItemDelta, Snapshot } from "./messages.js";

/** Limits in characters, after which texts are released. */
interface TextLimits {
  /** The newest texts that the page keeps; older ones are released when there is no need for them. */
  readonly kept: number;
  /** What arrives until texts are released again. */
  readonly arriving: number;
}

/** An item whose text may be released. */
type Releasable = Extract<Item, { kind: "text" | "reasoning" }>;

function isReleasable(item: Item): item is Releasable {
  return item.kind === "text" || item.kind === "reasoning";
}

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
  private readonly withoutText = new Set<string>();
  /** Characters that have arrived since texts were last released. */
  private arrived = 0;

  constructor(private readonly limits: TextLimits = { kept: 400_000, arriving: 100_000 }) {}

  /** The ids of the items whose texts have been released: they are empty here, and not at the host. */
  get released(): ReadonlySet<string> {
    return this.withoutText;
  }

  show(snapshot: Snapshot): void {
    this.seq = snapshot.seq;
    this.usage = snapshot.usage;
    this.earlier = snapshot.earlier;
    this.hasMore = snapshot.hasMore;
    // What has not changed stays the same object, so that a view sees that.
    const before = new Map(this.items.map((item) => [item.id, item]));
    this.withoutText.clear();
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
    for (const change of increment.changes) this.arrived += textLength(change);
    if (increment.usage) this.usage = increment.usage;
    if (increment.changes.length === 0) return true;
    const items = [...this.items];
    for (const change of increment.changes) {
      const id = change.type === "put" ? change.item.id : change.id;
      const position = this.positions.get(id);
      if (change.type === "put" || change.set?.["text"] !== undefined) this.withoutText.delete(id);
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

  /**
   * Releases the texts of items far above the end, so that the page does not grow with what has been written.
   *
   * @param drawn ids of items that keep their texts
   */
  release(drawn: ReadonlySet<string>): void {
    if (this.arrived < this.limits.arriving) return;
    this.arrived = 0;
    let kept = 0;
    const items = [...this.items];
    for (const [index, item] of [...items.entries()].reverse()) {
      if (!isReleasable(item) || item.text === "") continue;
      kept += item.text.length;
      if (kept <= this.limits.kept || item.streaming || drawn.has(item.id)) continue;
      items[index] = { ...item, text: "" };
      this.withoutText.add(item.id);
    }
    this.items = items;
  }

  /**
   * Puts released texts back into their items.
   *
   * @param ids of the items whose texts were requested
   * @param texts by id; none for items that the host does not have any more
   */
  restore(ids: readonly string[], texts: Readonly<Record<string, string>>): void {
    const items = [...this.items];
    for (const id of ids) {
      const position = this.positions.get(id);
      const item = position === undefined ? undefined : items[position];
      if (position === undefined || item === undefined || !isReleasable(item)) continue;
      const text = texts[id] ?? "";
      if (this.withoutText.delete(id)) items[position] = { ...item, text };
      this.arrived += text.length;
    }
    this.items = items;
  }

  /** Prepends the older items that were requested with `before`, if that is still the first item. */
  prepend(before: string, { items, earlier, hasMore }: EarlierItems): void {
    if (this.items[0]?.id !== before) return;
    this.earlier = earlier;
    this.hasMore = hasMore;
    this.replaceItems([...items, ...this.items]);
  }

  private replaceItems(items: readonly Item[]): void {
    this.arrived = this.limits.arriving;
    this.items = items;
    this.positions.clear();
    items.forEach((item, position) => this.positions.set(item.id, position));
  }
}

function textLength(change: ItemDelta): number {
  if (change.type === "patch") return change.text?.length ?? 0;
  return isReleasable(change.item) ? change.item.text.length : 0;
}
