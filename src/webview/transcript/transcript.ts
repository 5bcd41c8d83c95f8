import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { UserAction } from "../../core/conversation/input/userAction.js";
import type { Item } from "../../core/conversation/state/items.js";
import { repeatedAction } from "../../core/conversation/state/repeatedAction.js";
import type { ItemContext, ItemView } from "../items/itemContext.js";
import "./itemElement.js";
import { continuedTask } from "../items/taskItem.js";
import { toolCallGroup } from "../items/toolCallGroup.js";
import { t } from "../text/words.js";
import { foldedTurn } from "./foldedTurn.js";
import type { KeptAnswer } from "./itemElement.js";
import { thinkingLine } from "./thinking.js";
import { offsetsOf, transcriptRows, windowRange, type TranscriptRow } from "./transcriptRows.js";

/** Pixels above and below the visible part in which items are drawn. */
const overscan = 700;
/** Pixels from the end that still count as at the end. */
const endSlack = 32;
/** Milliseconds in which a scroll may follow from what the user has done with wheel, keys or pointer. */
const inputMs = 1_000;
const defaultHeight: Readonly<Record<Item["kind"], number>> = {
  user: 56,
  notice: 60,
  task: 76,
  text: 96,
  tool: 30,
  checklist: 110,
  question: 150,
  proposal: 320,
  plan: 200,
  reasoning: 30,
  report: 110,
};

const groupHeight = 30;

type Entry = { readonly key: string } & (
  | { readonly row: TranscriptRow; readonly index: number }
  | { readonly space: number }
);

/**
 * The conversation's items, of which only those near the visible part have nodes. Stays at the end
 * while the reader is there; otherwise what the reader looks at stays where it is, whatever is
 * added, grows or is measured above and below.
 */
export class Transcript extends LitElement {
  static override properties = {
    items: { attribute: false },
    thinks: { attribute: false },
    busy: { attribute: false },
    earlier: { attribute: false },
    hasMore: { attribute: false },
    loadEarlier: { attribute: false },
    request: { attribute: false },
    released: { attribute: false },
    loadTexts: { attribute: false },
    kept: { attribute: false },
    atEnd: { state: true },
    unseen: { state: true },
    shown: { state: true },
  };
  declare items: readonly Item[];
  /** Whether work goes on of which the items show nothing. */
  declare thinks: boolean;
  /** Whether something runs here, so that nothing can be done once more. */
  declare busy: boolean;
  /** The number of older items that are not loaded. */
  declare earlier: number;
  /** Whether there are still older ones, of which the number is not known. */
  declare hasMore: boolean;
  declare loadEarlier: () => Promise<void>;
  /** The ids of items whose texts the page has released. */
  declare released: ReadonlySet<string>;
  /** Gets the released texts of items that are drawn. */
  declare loadTexts: (ids: readonly string[]) => void;
  declare request: ItemContext["request"];
  /** The answers that were typed here before, and not sent. */
  declare kept: readonly KeptAnswer[];
  declare private atEnd: boolean;
  /** Whether something was added at the end that the user, who is further up, has not seen. */
  declare private unseen: boolean;

  /** The id of the row that is marked, because something outside of the page has led here. */
  declare private shown: string | undefined;

  private readonly heights = new Map<string, number>();
  private readonly views = new Map<string, ItemView>();
  private readonly sizes = new ResizeObserver((entries) => {
    this.measured(entries);
  });
  private readonly observed = new Set<Element>();
  /** The first visible item, and where its top is, in pixels below the visible part's top. */
  private anchor: { id: string; top: number } | undefined;
  private rows: readonly TranscriptRow[] = [];
  private offsets: number[] = [0];
  /** The scroll position at which the list was last brought to its end. */
  private endTop = 0;
  private endBottom = 0;
  /** The heights of the content and of its visible part at that time. */
  private endHeight = 0;
  private endVisible = 0;
  /** The scroll position at which the anchor's place was last right. */
  private placedTop = 0;
  /** When the user last did something here that may scroll, by `performance.now()`. */
  private inputAt = Number.NEGATIVE_INFINITY;
  /** The id of a row that is drawn because it is to be brought into sight. */
  private sought: string | undefined;
  private loading = false;
  /** The last thing that the user asked for. */
  private asked: { readonly item: Item; readonly action: UserAction | undefined } | undefined;

  constructor() {
    super();
    this.items = [];
    this.thinks = false;
    this.busy = false;
    this.earlier = 0;
    this.hasMore = false;
    this.kept = [];
    this.released = new Set();
    this.atEnd = true;
    this.unseen = false;
  }

  /** Whether the end is in view, and stays so. */
  get isAtEnd(): boolean {
    return this.atEnd;
  }

  /** The ids of the rows that have nodes. */
  get drawnIds(): ReadonlySet<string> {
    return new Set(this.drawn.map(({ dataset }) => dataset["id"] ?? ""));
  }

  /** Goes to the end, and stays there. */
  readonly toEnd = (): void => {
    this.atEnd = true;
    this.unseen = false;
    this.requestUpdate();
    void this.updateComplete.then(() => {
      this.keepPlace();
    });
  };

  /** Brings an item into sight and puts the focus on it. */
  async reveal(id: string): Promise<void> {
    const element = await this.drawnElement(id);
    element?.focus({ preventScroll: true });
    this.bringIntoSight(element, "nearest");
  }

  /** Brings an item into sight and marks it, unfolding what hides it; the focus stays where it is. */
  async show(itemId: string): Promise<void> {
    await this.updateComplete;
    const row = this.unfoldedRow(itemId);
    if (row === undefined) return;
    // Marks it anew if it was marked before.
    this.shown = undefined;
    const element = await this.drawnElement(row.id);
    const isTall = (element?.offsetHeight ?? 0) > (this.scroller?.clientHeight ?? 0);
    this.bringIntoSight(element, isTall ? "start" : "nearest");
    this.shown = row.id;
  }

  /** Returns the row of an item, having opened the folded turn and the group of calls that it is in. */
  private unfoldedRow(itemId: string): TranscriptRow | undefined {
    for (;;) {
      const row = this.rows.find(({ id }) => id === itemId);
      const folded = this.rows.find(
        (one) => !("item" in one) && !one.open && stepsOf(one).some(({ id }) => id === itemId),
      );
      if (row !== undefined || folded === undefined) return row;
      this.viewOf(folded.id).open = true;
      this.arrange();
    }
  }

  /** Returns the element of a row, which is drawn for that, wherever the list is scrolled; `undefined` without such a row. */
  private async drawnElement(id: string): Promise<HTMLElement | undefined> {
    this.sought = id;
    this.requestUpdate();
    await this.updateComplete;
    const element = this.elementOf(id);
    if (element instanceof LitElement) await element.updateComplete;
    return element;
  }

  private bringIntoSight(element: HTMLElement | undefined, block: ScrollLogicalPosition): void {
    element?.scrollIntoView({ block });
    this.sought = undefined;
    this.stayHere();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("items")) return;
    this.arrange();
    const asked = this.items.findLast((item) => item.kind === "user" && item.to === undefined);
    if (asked?.kind !== "user") this.asked = undefined;
    else if (asked !== this.asked?.item) {
      this.asked = { item: asked, action: repeatedAction(asked) };
    }
    const before = changed.get("items");
    if (!this.atEnd && before?.at(-1) !== this.items.at(-1)) this.unseen = true;
  }

  protected override render(): TemplateResult {
    return html`
      <div
        class="scroller"
        role="log"
        aria-live="off"
        aria-label=${t("Conversation")}
        tabindex="0"
        @scroll=${this.scrolled}
        @wheel=${this.input}
        @touchmove=${this.input}
        @pointerdown=${this.input}
        @keydown=${this.walk}
      >
        ${
          this.earlier > 0 || this.hasMore
            ? html`<div class="earlier">
                <button type="button" class="link-button" @click=${this.loadMore}>
                  ${this.hasMore ? t("Show earlier") : t("{0, plural, one {# earlier item} other {# earlier items}}", this.earlier)}
                </button>
              </div>`
            : nothing
        }
        <div class="items">
          ${repeat(
            this.entries(),
            ({ key }) => key,
            (entry) =>
              "space" in entry
                ? html`<div class="space" .style=${`height:${entry.space}px`}></div>`
                : this.rowTemplate(entry.row, entry.index),
          )}
          ${this.thinks ? thinkingLine() : nothing}
        </div>
      </div>
      ${
        this.atEnd
          ? nothing
          : html`<button
              type="button"
              class="to-end ${this.unseen ? "unseen" : ""}"
              @click=${this.toEnd}
            >
              <span class="codicon codicon-arrow-down" aria-hidden="true"></span>
              <span>${this.unseen ? t("New messages") : t("Jump to latest")}</span>
            </button>`
      }
    `;
  }

  protected override firstUpdated(): void {
    if (this.scroller) this.sizes.observe(this.scroller);
    if (this.list) this.sizes.observe(this.list);
  }

  protected override updated(): void {
    const drawn = new Set<Element>(this.drawn);
    for (const element of this.observed) {
      if (drawn.has(element)) continue;
      this.observed.delete(element);
      this.sizes.unobserve(element);
    }
    for (const element of drawn) {
      if (this.observed.has(element)) continue;
      this.observed.add(element);
      this.sizes.observe(element);
    }
    if (this.released.size === 0) return;
    const ids = [...this.drawnIds].filter((id) => this.released.has(id));
    if (ids.length > 0) this.loadTexts(ids);
  }

  private rowTemplate(row: TranscriptRow, index: number): TemplateResult {
    if ("steps" in row) {
      return html`<div
        class="item"
        tabindex="-1"
        data-id=${row.id}
        data-index=${index}
        data-kind="group"
      >
        ${foldedTurn(row, () => {
          this.toggle(row);
        })}
      </div>`;
    }
    if ("calls" in row) {
      return html`<div
        class="item"
        tabindex="-1"
        data-id=${row.id}
        data-index=${index}
        data-kind="group"
      >
        ${continuedTask(row.task)}
        ${toolCallGroup(row, () => {
          this.toggle(row);
        })}
      </div>`;
    }
    return html`<rooroo-item
      class="item ${row.isInGroup ? "in-group" : ""} ${this.shown === row.id ? "shown" : ""}"
      tabindex="-1"
      data-id=${row.id}
      data-index=${index}
      data-kind=${row.item.kind}
      .style=${this.released.has(row.id) ? `box-sizing:border-box;min-height:${this.heightOf(row)}px` : ""}
      .item=${row.item}
      .task=${row.task}
      .view=${this.viewOf(row.id)}
      .request=${this.request}
      .repeat=${this.repeatFrom(row.item)}
    ></rooroo-item>`;
  }

  /** Returns what can be done once more from an item: from the user's last message, and from what follows it last. */
  private repeatFrom(item: Item): UserAction | undefined {
    const isThere = item === this.asked?.item || item === this.items.at(-1);
    return isThere && !this.busy ? this.asked?.action : undefined;
  }

  private arrange(): void {
    const focused = this.focused?.dataset["id"];
    this.rows = transcriptRows(this.items, {
      isOpen: (id) => this.views.get(id)?.open ?? false,
      staysVisible: (id) => id === focused || this.views.get(id)?.open !== undefined,
    });
    this.offsets = offsetsOf(this.rows.map((row) => this.heightOf(row)));
  }

  private toggle(row: Exclude<TranscriptRow, { item: unknown }>): void {
    this.viewOf(row.id).open = !row.open;
    if (row.open) for (const { id } of stepsOf(row)) this.views.delete(id);
    this.arrange();
    this.requestUpdate();
  }

  /** Returns the rows to draw with spaces for the others between them. */
  private entries(): Entry[] {
    const entries: Entry[] = [];
    let done = 0;
    const space = (end: number): void => {
      const height = (this.offsets[end] ?? 0) - (this.offsets[done] ?? 0);
      if (height > 0) entries.push({ key: `space before ${end}`, space: height });
      done = end;
    };
    for (const index of this.drawnIndexes()) {
      const row = this.rows[index];
      if (!row) continue;
      space(index);
      entries.push({ key: row.id, row, index });
      done = index + 1;
    }
    space(this.rows.length);
    return entries;
  }

  private drawnIndexes(): number[] {
    const height = this.scroller?.clientHeight ?? window.innerHeight;
    const top = this.visibleTop(height);
    const { start, end } = windowRange(this.offsets, top - overscan, top + height + overscan);
    const indexes = Array.from({ length: end - start }, (_, offset) => start + offset);
    // The focused item stays drawn, so that it keeps the focus however far away the user scrolls.
    const pinned = [this.focused?.dataset["id"], this.sought]
      .map((id) => this.rows.findIndex((row) => row.id === id))
      .filter((index) => index >= 0);
    return [...new Set([...indexes, ...pinned])].sort((one, other) => one - other);
  }

  /** Returns where the visible part begins, in pixels from the first item's top. */
  private visibleTop(height: number): number {
    if (this.atEnd) return (this.offsets.at(-1) ?? 0) - height;
    // The anchor stays where it is; how far the list is scrolled follows from that.
    const { anchor } = this;
    const index = anchor ? this.rows.findIndex((row) => row.id === anchor.id) : -1;
    if (anchor && index >= 0) return (this.offsets[index] ?? 0) - anchor.top;
    return (this.scroller?.scrollTop ?? 0) - (this.list?.offsetTop ?? 0);
  }

  private measured(entries: readonly ResizeObserverEntry[]): void {
    let changed = false;
    for (const { target, borderBoxSize } of entries) {
      const id = (target as HTMLElement).dataset["id"];
      const height = borderBoxSize[0]?.blockSize ?? 0;
      if (id === undefined || height === 0 || this.heights.get(id) === height) continue;
      this.heights.set(id, height);
      changed = true;
    }
    if (changed) {
      this.offsets = offsetsOf(this.rows.map((row) => this.heightOf(row)));
      this.requestUpdate();
    }
    this.keepPlace();
  }

  private keepPlace(): void {
    const { scroller } = this;
    if (!scroller) return;
    if (this.atEnd) {
      scroller.scrollTop = scroller.scrollHeight;
      this.endTop = scroller.scrollTop;
      this.endBottom = scroller.scrollTop + scroller.clientHeight;
      this.endHeight = scroller.scrollHeight;
      this.endVisible = scroller.clientHeight;
      return;
    }
    const element = this.anchor && this.elementOf(this.anchor.id);
    if (!element || !this.anchor) {
      this.findAnchor(scroller);
      return;
    }
    const moved = this.topOf(element) - this.anchor.top;
    if (Math.abs(moved) >= 1) scroller.scrollTop += moved;
    this.placedTop = scroller.scrollTop;
  }

  /** Makes the first visible item the anchor; there is none while nothing is drawn there, as after a jump. */
  private findAnchor(scroller: HTMLElement): void {
    const visible = this.drawn.find((element) => {
      const top = this.topOf(element);
      return top + element.offsetHeight > 0 && top < scroller.clientHeight;
    });
    const id = visible?.dataset["id"];
    this.anchor = visible && id !== undefined ? { id, top: this.topOf(visible) } : undefined;
  }

  private readonly scrolled = (): void => {
    const { scroller } = this;
    if (!scroller) return;
    const rest = restOf(scroller);
    // The event of a programmatic scroll may come when the list has grown again, and a line that is removed
    // below the list moves the top but not the bottom: only a user who scrolls up leaves the end. The browser
    // itself scrolls up when the list shrinks, as a turn that is folded does, perhaps before it grows again, and when
    // something below the list goes, perhaps before something else comes there.
    const bottom = scroller.scrollTop + scroller.clientHeight;
    const isUp = scroller.scrollTop < this.endTop - 1 && bottom < this.endBottom - 1;
    const isAsBefore =
      scroller.scrollHeight === this.endHeight && scroller.clientHeight === this.endVisible;
    const isByUser = isAsBefore || performance.now() - this.inputAt < inputMs;
    const atEnd = rest <= endSlack || (this.atEnd && !(isUp && isByUser));
    // The event of our own scroll may come when items above have other heights than were assumed: the anchor stays.
    const isOwn = !atEnd && !this.atEnd && scroller.scrollTop === this.placedTop;
    if (isOwn) this.keepPlace();
    else this.place(scroller, atEnd);
    if (scroller.scrollTop < 300 && !this.atEnd) void this.loadMore();
  };

  /** Keeps the list where it is scrolled now, whatever comes: at the end only if that is in view. */
  private stayHere(): void {
    const { scroller } = this;
    if (scroller) this.place(scroller, restOf(scroller) <= endSlack);
  }

  private place(scroller: HTMLElement, atEnd: boolean): void {
    this.atEnd = atEnd;
    if (atEnd) this.unseen = false;
    this.findAnchor(scroller);
    this.placedTop = scroller.scrollTop;
    this.requestUpdate();
  }

  private readonly input = (): void => {
    this.inputAt = performance.now();
  };

  private readonly loadMore = async (): Promise<void> => {
    if (this.loading || (this.earlier === 0 && !this.hasMore)) return;
    this.loading = true;
    try {
      await this.loadEarlier();
      await this.updateComplete;
    } finally {
      this.loading = false;
    }
  };

  /** Alt+Up and Alt+Down go from item to item. */
  private readonly walk = (event: KeyboardEvent): void => {
    this.input();
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    const step = event.key === "ArrowUp" ? -1 : 1;
    const from = Number(this.focused?.dataset["index"] ?? this.rows.length);
    const next = this.rows[Math.min(this.rows.length - 1, Math.max(0, from + step))];
    if (next) void this.reveal(next.id);
  };

  private viewOf(id: string): ItemView {
    const view = this.views.get(id) ?? this.keptView(id);
    this.views.set(id, view);
    return view;
  }

  private keptView(id: string): ItemView {
    const kept = this.kept.find((one) => one.id === id);
    return kept === undefined ? {} : { draft: kept.text, editing: true };
  }

  private heightOf(row: TranscriptRow): number {
    return this.heights.get(row.id) ?? ("item" in row ? defaultHeight[row.item.kind] : groupHeight);
  }

  private topOf(element: Element): number {
    const top = this.scroller?.getBoundingClientRect().top ?? 0;
    return element.getBoundingClientRect().top - top;
  }

  private elementOf(id: string): HTMLElement | undefined {
    return this.drawn.find((element) => element.dataset["id"] === id);
  }

  /** The items that have nodes, from top to bottom. */
  private get drawn(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>(".items > .item")];
  }

  private get focused(): HTMLElement | null {
    return this.querySelector(".items > .item:focus-within");
  }

  private get scroller(): HTMLElement | null {
    return this.querySelector(".scroller");
  }

  private get list(): HTMLElement | null {
    return this.querySelector(".items");
  }
}
customElements.define("rooroo-transcript", Transcript);

/** Returns how much of the list is below what is in view, in pixels. */
function restOf({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}

/** Returns the items that a row stands for: collapsed calls, or the steps of a folded turn. */
function stepsOf(row: TranscriptRow): readonly Item[] {
  if ("steps" in row) return row.steps;
  return "calls" in row ? row.calls : [];
}
