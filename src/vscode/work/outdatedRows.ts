import type { Rows } from "./row.js";

/** Returns the ids of rows that look different or have other children; `""` stands for the roots. */
export function outdatedRows(before: Rows, after: Rows): string[] {
  const outdated = new Set<string>();
  for (const id of new Set([...before.children.keys(), ...after.children.keys()])) {
    const [old, now] = [before.children.get(id) ?? [], after.children.get(id) ?? []];
    if (old.join("\n") !== now.join("\n")) outdated.add(id);
  }
  for (const [id, row] of after.byId) {
    const old = before.byId.get(id);
    if (old !== undefined && JSON.stringify(old) !== JSON.stringify(row)) outdated.add(id);
  }
  // A new or removed row is redrawn with its parent.
  return [...outdated].filter((id) => id === "" || (before.byId.has(id) && after.byId.has(id)));
}
