import type * as real from "vscode";
import { QuickPickItemKind } from "./enums.js";
import { EventEmitter } from "./events.js";

/** A list from which a person chooses, as `createQuickPick` makes it. */
export class QuickPick<T extends real.QuickPickItem> implements real.QuickPick<T> {
  title: string | undefined;
  placeholder: string | undefined;
  prompt: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  enabled = true;
  busy = false;
  ignoreFocusOut = false;
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  keepScrollPosition = false;
  buttons: readonly real.QuickInputButton[] = [];
  selectedItems: readonly T[] = [];
  private typed = "";
  private active: readonly T[] = [];
  private rows: readonly T[] = [];
  private isOpen = false;
  private readonly accepted = new EventEmitter<void>();
  private readonly hidden = new EventEmitter<{ readonly reason: number }>();
  private readonly changedValue = new EventEmitter<string>();
  private readonly changedActive = new EventEmitter<readonly T[]>();
  private readonly changedSelection = new EventEmitter<readonly T[]>();
  private readonly triggeredButton = new EventEmitter<real.QuickInputButton>();
  private readonly triggeredItem = new EventEmitter<real.QuickPickItemButtonEvent<T>>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event as unknown as real.Event<void>;
  readonly onDidChangeValue = this.changedValue.event;
  readonly onDidChangeActive = this.changedActive.event;
  readonly onDidChangeSelection = this.changedSelection.event;
  readonly onDidTriggerButton = this.triggeredButton.event;
  readonly onDidTriggerItemButton = this.triggeredItem.event;

  constructor(private readonly onShow: (list: QuickPick<T>) => void) {}

  get items(): readonly T[] {
    return this.rows;
  }
  /** The first row is active when rows arrive. */
  set items(rows: readonly T[]) {
    this.rows = rows;
    const first = rows.find((row) => row.kind !== QuickPickItemKind.Separator);
    this.active = first === undefined ? [] : [first];
  }

  get activeItems(): readonly T[] {
    return this.active;
  }
  set activeItems(rows: readonly T[]) {
    this.active = rows;
    this.changedActive.fire(rows);
  }

  get value(): string {
    return this.typed;
  }
  set value(text: string) {
    if (text === this.typed) return;
    this.typed = text;
    this.changedValue.fire(text);
  }

  show(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.onShow(this);
  }

  get isShown(): boolean {
    return this.isOpen;
  }

  hide(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.hidden.fire({ reason: 1 });
  }

  dispose(): void {
    this.hide();
  }

  /** Chooses as a person does who clicks on a row, or on the box of each row and on "OK". */
  choose(which: string | RegExp | number | readonly string[] | real.QuickPickItem): void {
    const list = typeof which === "object" && "length" in which ? which : [which];
    this.selectedItems = list.map((one) => this.row(one));
    this.changedSelection.fire(this.selectedItems);
    this.accepted.fire();
  }

  /** Takes the active row, or all that are picked, as Enter does. */
  accept(): void {
    const picked = this.rows.filter((row) => row.picked === true);
    this.selectedItems = this.canSelectMany ? picked : this.active;
    this.accepted.fire();
  }

  /** Presses one of the buttons of a row, by its tooltip. */
  press(row: string | RegExp | number, tooltip: string): void {
    const item = this.row(row);
    const button = item.buttons?.find((one) => one.tooltip === tooltip);
    if (button === undefined) throw new Error(`${item.label} has no button "${tooltip}".`);
    this.triggeredItem.fire({ item, button });
  }

  private row(which: string | RegExp | number | real.QuickPickItem): T {
    const rows = this.rows.filter((row) => row.kind !== QuickPickItemKind.Separator);
    const found =
      typeof which === "number"
        ? rows[which]
        : rows.find((row) => {
            if (typeof which === "object" && !(which instanceof RegExp)) return row === which;
            const plain = row.label.replaceAll(/\$\([^)]*\)/g, "").trim();
            if (which instanceof RegExp) return which.test(row.label);
            return row.label === which || plain === which;
          });
    if (found !== undefined) return found;
    const labels = rows.map(({ label }) => label).join(" | ");
    const wanted = typeof which === "object" && "label" in which ? which.label : String(which);
    throw new Error(`The list has no ${wanted}: ${labels}`);
  }
}
