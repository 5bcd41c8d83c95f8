import type { Translate } from "../../core/text/translator.js";
import { type Row, RowCollection, type RowPaging } from "./row.js";

/** Rows of lists that may be long. */
export class PagedRows extends RowCollection {
  /** @param paging absent: of each list, all rows are shown */
  constructor(
    private readonly t: Translate,
    private readonly paging: RowPaging | undefined,
  ) {
    super();
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
    const shown = this.paging?.shown(list) ?? items.length;
    for (const [index, item] of items.slice(0, shown).entries()) add(item, index);
    const left = items.length - shown;
    if (left > 0) this.add(parent, moreRow(list, { shown, left }, this.t));
  }
}

/** Returns the row that shows more of a list of which so many are left. */
function moreRow(
  list: string,
  { shown, left }: { readonly shown: number; readonly left: number },
  t: Translate,
): Row {
  const next = Math.min(left, shown);
  const label = t("Show {0, number} More", next);
  return {
    // Each page has a row of its own, because VS Code mixes up rows that move.
    id: `more:${list}:${shown}`,
    hides: left,
    label,
    description: t("{0, number} not shown", left),
    icon: { name: "ellipsis" },
    context: "more",
    command: "rooroo.showMoreRows",
  };
}
