import type * as real from "vscode";
import { ViewColumn } from "./enums.js";
import { EventEmitter } from "./events.js";

export class TabInputText {
  constructor(readonly uri: real.Uri) {}
}
export class TabInputTextDiff {
  constructor(
    readonly original: real.Uri,
    readonly modified: real.Uri,
  ) {}
}
export class TabInputCustom {
  constructor(
    readonly uri: real.Uri,
    readonly viewType: string,
  ) {}
}
export class TabInputWebview {
  constructor(readonly viewType: string) {}
}
export class TabInputTerminal {
  readonly kind = "terminal";
}

export interface Tab extends real.Tab {
  label: string;
  isDirty: boolean;
  isPreview: boolean;
  /** The addresses of the documents that it shows. */
  readonly documents: readonly real.Uri[];
  /** Called when it is closed. */
  readonly onClose: () => void;
}

class Group {
  readonly all: Tab[] = [];
  active: Tab | undefined;

  readonly viewColumn: real.ViewColumn;

  constructor(number: number) {
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- there may be more than have names
    this.viewColumn = number;
  }
}

/** The groups of tabs of a window, and which tab is in front of each. */
export class Tabs {
  private readonly groups = [new Group(ViewColumn.One)];
  private front = 0;
  private readonly changedTabs = new EventEmitter<real.TabChangeEvent>();
  private readonly changedGroups = new EventEmitter<real.TabGroupChangeEvent>();
  private readonly looked = new EventEmitter<void>();
  /** Fires when another tab may be in front. */
  readonly onDidLook = this.looked.event;

  /**
   * Opens a tab in front of its group, unless one shows the same.
   *
   * @param preview whether it gives way to the next one, as a tab with a slanted name does
   */
  open(
    one: { label: string; input: unknown; documents?: readonly real.Uri[]; onClose?: () => void },
    { column = ViewColumn.Active, preserveFocus = false, preview = false } = {},
  ): Tab {
    const index =
      column === ViewColumn.Beside
        ? this.front + 1
        : column === ViewColumn.Active
          ? this.front
          : column - 1;
    while (this.groups.length <= index) this.groups.push(new Group(this.groups.length + 1));
    const group = this.groups[index]!;
    const same = group.all.find(({ input }) => isSame(input, one.input));
    if (same !== undefined) {
      if (!preview) same.isPreview = false;
      this.show(same, preserveFocus);
      return same;
    }
    const of = this.groupOf(group);
    const tab: Tab = {
      label: one.label,
      input: one.input,
      documents: one.documents ?? [],
      onClose: one.onClose ?? (() => undefined),
      get group() {
        return of;
      },
      get isActive() {
        return group.active === tab;
      },
      isDirty: false,
      isPinned: false,
      isPreview: preview,
    };
    const before = preview ? group.all.find(({ isPreview }) => isPreview) : undefined;
    group.all.push(tab);
    group.active = tab;
    if (!preserveFocus) this.front = index;
    this.changedTabs.fire({ opened: [tab], closed: [], changed: [] });
    this.changedGroups.fire({ opened: [], closed: [], changed: [of] });
    this.looked.fire();
    if (before !== undefined) this.close([before]);
    return tab;
  }

  show(tab: Tab, preserveFocus = false): void {
    const index = this.groups.findIndex(({ all }) => all.includes(tab));
    const group = this.groups[index];
    if (group === undefined) return;
    group.active = tab;
    if (!preserveFocus) this.front = index;
    this.changedTabs.fire({ opened: [], closed: [], changed: [tab] });
    this.changedGroups.fire({ opened: [], closed: [], changed: [this.groupOf(group)] });
    this.looked.fire();
  }

  /** A document that somebody has typed into keeps its tab. */
  keep(uri: real.Uri, isDirty: boolean): void {
    for (const tab of this.all) {
      if (!tab.documents.some((one) => one.toString() === uri.toString())) continue;
      tab.isDirty = isDirty;
      if (isDirty) tab.isPreview = false;
    }
  }

  /** Closes tabs; those in front are followed by the ones that were opened before them. */
  close(which: readonly real.Tab[]): boolean {
    const closed = which.filter((one) => this.groups.some(({ all }) => all.includes(one as Tab)));
    for (const one of closed as Tab[]) {
      const group = this.groups.find(({ all }) => all.includes(one))!;
      group.all.splice(group.all.indexOf(one), 1);
      if (group.active === one) group.active = group.all.at(-1);
    }
    while (this.groups.length > 1 && this.groups.at(-1)?.all.length === 0) this.groups.pop();
    this.front = Math.min(this.front, this.groups.length - 1);
    if (closed.length === 0) return false;
    for (const one of closed as Tab[]) one.onClose();
    this.changedTabs.fire({ opened: [], closed, changed: [] });
    this.changedGroups.fire({ opened: [], closed: [], changed: this.groups.map(this.groupOf) });
    this.looked.fire();
    return true;
  }

  /** The tab that the person looks at. */
  get active(): Tab | undefined {
    return this.groups[this.front]?.active;
  }

  get all(): Tab[] {
    return this.groups.flatMap(({ all }) => all);
  }

  /** Those in front of their groups, the one that the person looks at first. */
  get visible(): Tab[] {
    const inFront = this.groups.flatMap(({ active }) => (active === undefined ? [] : [active]));
    return [...new Set([this.active, ...inFront])].filter((one) => one !== undefined);
  }

  columnOf(tab: Tab): real.ViewColumn | undefined {
    return this.groups.find(({ all }) => all.includes(tab))?.viewColumn;
  }

  get api(): real.TabGroups {
    const groups = () => this.groups.map(this.groupOf);
    const front = () => this.groupOf(this.groups[this.front]!);
    return {
      get all() {
        return groups();
      },
      get activeTabGroup() {
        return front();
      },
      onDidChangeTabs: this.changedTabs.event,
      onDidChangeTabGroups: this.changedGroups.event,
      close: (which: real.Tab | real.TabGroup | readonly (real.Tab | real.TabGroup)[]) => {
        const list = "length" in which ? which : [which];
        const tabs = list.flatMap((one) => ("tabs" in one ? one.tabs : [one]));
        return Promise.resolve(this.close(tabs));
      },
    };
  }

  private readonly known = new WeakMap<Group, real.TabGroup>();
  private readonly groupOf = (group: Group): real.TabGroup => {
    const front = () => this.groups[this.front];
    const made: real.TabGroup = this.known.get(group) ?? {
      get isActive() {
        return front() === group;
      },
      get activeTab() {
        return group.active;
      },
      get tabs() {
        return [...group.all];
      },
      viewColumn: group.viewColumn,
    };
    this.known.set(group, made);
    return made;
  };
}

function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof TabInputText && other instanceof TabInputText) {
    return one.uri.toString() === other.uri.toString();
  }
  if (one instanceof TabInputTextDiff && other instanceof TabInputTextDiff) {
    return (
      one.original.toString() === other.original.toString() &&
      one.modified.toString() === other.modified.toString()
    );
  }
  return false;
}
