import type { RowPages } from "./row.js";
import { showNext } from "./rowCollection.js";
import type { WorkView } from "./workView.js";

/**
 * Shows the next page of a list. The first of the new rows gets the focus, which was on the row for more.
 *
 * @param more the id of that row; what is no such id is ignored
 */
export async function showMoreRows(
  more: unknown,
  pages: RowPages,
  views: readonly Pick<WorkView<unknown>, "tree" | "show" | "view">[],
): Promise<void> {
  const [, list] = typeof more === "string" ? (/^more:(.*):\d+$/.exec(more) ?? []) : [];
  if (list === undefined) return;
  const places = views.map((view) => {
    const parent = view.tree.getParent(String(more)) ?? "";
    return { view, parent, place: view.tree.getChildren(parent).indexOf(String(more)) };
  });
  showNext(list, pages);
  // The lists that are groups of another view are drawn with it.
  for (const view of views) view.show();
  for (const { view, parent, place } of places) {
    const first = place < 0 ? undefined : view.tree.getChildren(parent)[place];
    if (first !== undefined && view.view.visible) {
      await view.view.reveal(first, { select: true, focus: true });
    }
  }
}
