import type { RowPages } from "./row.js";
import { showNext } from "./rowCollection.js";
import type { WorkRows } from "./workRows.js";
import type { WorkView } from "./workView.js";

/**
 * Shows the next page of a list. The first of the new rows gets the focus, which was on the row for more.
 *
 * @param more the id of that row; what is no such id is ignored
 * @param groups what is shown as groups of the view
 */
export async function showMoreRows(
  more: unknown,
  pages: RowPages,
  view: Pick<WorkView<unknown>, "tree" | "show" | "view">,
  groups: readonly Pick<WorkRows<unknown>, "show">[],
): Promise<void> {
  const [id = "", list] = typeof more === "string" ? (/^more:(.*):\d+$/.exec(more) ?? []) : [];
  if (list === undefined) return;
  const parent = view.tree.getParent(id) ?? "";
  const place = view.tree.getChildren(parent).indexOf(id);
  showNext(list, pages);
  for (const one of [...groups, view]) one.show();
  const first = place < 0 ? undefined : view.tree.getChildren(parent)[place];
  if (first !== undefined && view.view.visible) {
    await view.view.reveal(first, { select: true, focus: true });
  }
}
