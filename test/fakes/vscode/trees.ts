import type * as real from "vscode";
import { TreeItemCollapsibleState } from "./enums.js";
import { EventEmitter } from "./events.js";
import type { MarkdownString } from "./looks.js";

/** A row as a person sees it. */
export interface SeenRow {
  readonly label: string;
  readonly description: string;
  /** Of a screen reader; where the extension gives none, label and description. */
  readonly spoken: string;
  readonly tooltip: string;
  readonly context: string;
  readonly icon: string;
  readonly depth: number;
  readonly item: real.TreeItem;
  /** What the extension's provider and commands call it by. */
  readonly element: unknown;
}

/**
 * A view with a tree, which is always shown and unfolded. What it has been given once it keeps until the extension says
 * that it is outdated, so that a change of which nobody is told is not seen.
 */
export class TreeView<T> implements real.TreeView<T> {
  title: string | undefined;
  description: string | undefined;
  message: string | undefined;
  badge: real.ViewBadge | undefined;
  visible = true;
  selection: readonly T[] = [];
  readonly activeItem = undefined;
  readonly checkboxState = undefined;
  /** What was revealed, the oldest first. */
  readonly revealed: T[] = [];
  private readonly expanded = new EventEmitter<real.TreeViewExpansionEvent<T>>();
  private readonly collapsed = new EventEmitter<real.TreeViewExpansionEvent<T>>();
  private readonly selected = new EventEmitter<real.TreeViewSelectionChangeEvent<T>>();
  private readonly shown = new EventEmitter<real.TreeViewVisibilityChangeEvent>();
  private readonly checked = new EventEmitter<real.TreeCheckboxChangeEvent<T>>();
  readonly onDidExpandElement = this.expanded.event;
  readonly onDidCollapseElement = this.collapsed.event;
  readonly onDidChangeSelection = this.selected.event;
  readonly onDidChangeVisibility = this.shown.event;
  readonly onDidChangeCheckboxState = this.checked.event;
  private readonly items = new Map<T, real.TreeItem>();
  /** Grows when something is outdated: what was asked for before is not kept. */
  private version = 0;
  private readonly children = new Map<T | undefined, readonly T[]>();
  private readonly following: real.Disposable | undefined;
  private readonly provider: real.TreeDataProvider<T>;
  readonly dragAndDrop: real.TreeDragAndDropController<T> | undefined;

  constructor(
    readonly id: string,
    options: real.TreeViewOptions<T>,
  ) {
    this.provider = options.treeDataProvider;
    this.dragAndDrop = options.dragAndDropController;
    this.following = this.provider.onDidChangeTreeData?.((outdated) => {
      this.forget(outdated);
      void this.rows();
    });
  }

  /** Returns all rows, also those below rows that are folded. */
  async rows(below?: T, depth = 0): Promise<SeenRow[]> {
    const found: SeenRow[] = [];
    for (const element of await this.childrenOf(below)) {
      const { version } = this;
      const item = this.items.get(element) ?? (await this.provider.getTreeItem(element));
      if (version === this.version) this.items.set(element, item);
      found.push(seen(item, element, depth));
      if (item.collapsibleState !== TreeItemCollapsibleState.None) {
        found.push(...(await this.rows(element, depth + 1)));
      }
    }
    return found;
  }

  private async childrenOf(element: T | undefined): Promise<readonly T[]> {
    const known = this.children.get(element);
    if (known !== undefined) return known;
    const { version } = this;
    const found = (await this.provider.getChildren(element)) ?? [];
    if (version === this.version) this.children.set(element, found);
    return found;
  }

  /** Forgets elements and all below them; everything where none is named. */
  private forget(outdated: unknown): void {
    this.version++;
    if (outdated === undefined || outdated === null) {
      this.items.clear();
      this.children.clear();
      return;
    }
    for (const element of (Array.isArray(outdated) ? outdated : [outdated]) as T[]) {
      this.items.delete(element);
      const below = this.children.get(element) ?? [];
      this.children.delete(element);
      if (below.length > 0) this.forget([...below]);
    }
  }

  async reveal(
    element: T,
    { select = true, focus = false }: { select?: boolean; focus?: boolean } = {},
  ): Promise<void> {
    if (this.provider.getParent === undefined) {
      throw new Error(
        `TreeDataProvider of the view ${this.id} has no getParent, which reveal needs.`,
      );
    }
    await this.rows();
    // All above it are unfolded.
    for (let at: T | null | undefined = element; at !== undefined && at !== null;) {
      at = await this.provider.getParent(at);
    }
    this.revealed.push(element);
    this.visible = true;
    void focus;
    if (select) this.select(element);
  }

  /** Selects rows as a click does. */
  select(...elements: readonly T[]): void {
    this.selection = elements;
    this.selected.fire({ selection: elements });
  }

  dispose(): void {
    this.following?.dispose();
  }
}

function seen(item: real.TreeItem, element: unknown, depth: number): SeenRow {
  const label = typeof item.label === "string" ? item.label : (item.label?.label ?? "");
  const description = typeof item.description === "string" ? item.description : "";
  const { tooltip } = item;
  return {
    label,
    description,
    spoken: item.accessibilityInformation?.label ?? [label, description].filter(Boolean).join(" "),
    tooltip:
      typeof tooltip === "string"
        ? tooltip
        : ((tooltip as MarkdownString | undefined)?.value ?? ""),
    context: item.contextValue ?? "",
    icon: (item.iconPath as { id?: string } | undefined)?.id ?? "",
    depth,
    item,
    element,
  };
}

export class DataTransferItem {
  constructor(readonly value: unknown) {}

  asString(): Promise<string> {
    return Promise.resolve(
      typeof this.value === "string" ? this.value : JSON.stringify(this.value),
    );
  }
  asFile(): undefined {
    return undefined;
  }
}

/** What is dragged, by MIME type. */
export class DataTransfer implements Iterable<[string, DataTransferItem]> {
  private readonly items = new Map<string, DataTransferItem>();

  get(type: string): DataTransferItem | undefined {
    return this.items.get(type.toLowerCase());
  }
  set(type: string, item: DataTransferItem): void {
    this.items.set(type.toLowerCase(), item);
  }
  forEach(callback: (item: DataTransferItem, type: string, all: DataTransfer) => void): void {
    for (const [type, item] of this.items) callback(item, type, this);
  }
  [Symbol.iterator](): IterableIterator<[string, DataTransferItem]> {
    return this.items[Symbol.iterator]();
  }
}
