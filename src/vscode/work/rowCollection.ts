import type { Translate } from "../../core/text/translator.js";
import type { Row, RowPages, Rows } from "./row.js";

/** The rows of a list that are shown at first. */
const firstPage = 100;

/** Returns how many rows of a list are shown; `undefined` if all are. */
function shownOf(list: string, pages: RowPages | undefined): number | undefined {
  return pages === undefined ? undefined : (pages.get(list) ?? firstPage);
}

/** Shows the next page of a list, which doubles what is shown. */
export function showNext(list: string, pages: RowPages): void {
  pages.set(list, 2 * (pages.get(list) ?? firstPage));
}

/** Collects the rows of a tree. */
export class RowCollection implements Rows {
  readonly byId = new Map<string, Row>();
  readonly children = new Map<string, string[]>();

  /** @param paging absent: of each list, all rows are shown */
  constructor(
    private readonly t: Translate,
    private readonly paging?: RowPages,
  ) {}

  /** Adds a row as the last child of `parent`, and returns the row's id. */
  add(parent: string, row: Row): string {
    this.byId.set(row.id, row);
    const siblings = this.children.get(parent);
    if (siblings) siblings.push(row.id);
    else this.children.set(parent, [row.id]);
    return row.id;
  }

  /**
   * Calls `add` with each of the items that are shown below `parent`, and adds a row for the rest. Of what is not shown
   * no rows are made, so that a long list costs no more than a short one.
   *
   * @param list the list's name, which stays the same; default: the parent's id
   */
  addPage<T>(
    parent: string,
    items: readonly T[],
    add: (item: T, index: number) => void,
    list = parent,
  ): void {
    const shown = shownOf(list, this.paging) ?? items.length;
    for (const [index, item] of items.slice(0, shown).entries()) add(item, index);
    const left = items.length - shown;
    if (left > 0) this.add(parent, this.moreRow(list, shown, left));
  }

  /** Returns the row that shows more of a list. */
  private moreRow(list: string, shown: number, left: number): Row {
    const { t } = this;
    return {
      // Each page has a row of its own, because VS Code mixes up rows that move.
      id: `more:${list}:${shown}`,
      hides: left,
      label: t("Show {0, number} More", Math.min(left, shown)),
      description: t("{0, number} not shown", left),
      icon: { name: "ellipsis" },
      context: "more",
      command: "rooroo.showMoreRows",
    };
  }
}
