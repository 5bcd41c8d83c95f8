import {
  type Icon,
  joined,
  needsYouText,
  type Row,
  RowCollection,
  type Rows,
  spoken,
  type Translate,
} from "./row.js";

/** The rows of one kind of work, and what is said of them in one line. */
export interface WorkGroup {
  readonly kind: "tasks" | "jobs" | "runs";
  readonly rows: Rows;
  /** How many things of the group need the user, and how many run. */
  readonly needsYou: number;
  readonly running: number;
}

/**
 * Returns the rows of a view that has all kinds of work: one group for each kind that has rows. Tasks alone
 * need no group.
 */
export function groupedRows(groups: readonly WorkGroup[], t: Translate): Rows {
  const shown = groups.filter(({ rows }) => rows.byId.size > 0);
  const [only] = shown;
  if (only === undefined) return new RowCollection();
  if (shown.length === 1 && only.kind === "tasks") return only.rows;
  const all = new RowCollection();
  for (const group of shown) {
    const id = all.add("", groupRow(group, t));
    const { byId, children } = group.rows;
    for (const [parent, ids] of children) {
      for (const child of ids) {
        const row = byId.get(child);
        if (row !== undefined) all.add(parent === "" ? id : parent, row);
      }
    }
  }
  return all;
}

/** Returns the id of the group of a kind of work. */
export function groupId(kind: WorkGroup["kind"]): string {
  return `list:${kind}`;
}

function groupRow({ kind, rows, needsYou, running }: WorkGroup, t: Translate): Row {
  const [label, icon] = groupLooks(t)[kind];
  const asks = needsYouText(needsYou, t);
  const atWork = running === 0 ? "" : t("{0} running", running);
  const count = kind === "tasks" ? 0 : (rows.children.get("")?.length ?? 0);
  const rest = asks === "" && atWork === "" && count > 0 ? String(count) : "";
  return {
    id: groupId(kind),
    label,
    description: joined(asks, atWork, rest),
    icon: needsYou > 0 ? { ...icon, color: "list.warningForeground" } : icon,
    spoken: spoken(label, asks, atWork, rest),
    context: `list ${kind}`,
    folding: "open",
  };
}

function groupLooks(t: Translate): Record<WorkGroup["kind"], readonly [label: string, icon: Icon]> {
  return {
    tasks: [t("Tasks"), { name: "checklist" }],
    jobs: [t("Jobs"), { name: "rocket" }],
    runs: [t("Runs"), { name: "book" }],
  };
}
