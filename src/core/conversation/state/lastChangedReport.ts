import type { Item } from "./items.js";

/**
 * Returns the report of the task that has ended last with changes of files, whether they were undone or not; `undefined`
 * if there is none among the items.
 */
export function lastChangedReport(
  items: readonly Item[],
): Extract<Item, { kind: "report" }> | undefined {
  return items.findLast(
    (item): item is Extract<Item, { kind: "report" }> =>
      item.kind === "report" && item.changedFiles !== undefined && item.work === undefined,
  );
}
