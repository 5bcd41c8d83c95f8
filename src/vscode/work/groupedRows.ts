import type { LongWork } from "../../core/ids.js";
import type { Translate } from "../../core/text/translator.js";
import { type Icon, joined, type Row, type Rows, spoken } from "./row.js";
import { RowCollection } from "./rowCollection.js";
import { apartFrom, stateLook } from "./rowLooks.js";
import { groupId, groupName, workKinds } from "./workKinds.js";

/** The rows of one kind of work, and what is said of them in one line. */
export interface WorkGroup {
  readonly kind: "task" | LongWork["kind"];
  readonly rows: Rows;
  /** How many things of the group need the user, and how many run. */
  readonly needsYou: number;
  readonly running: number;
}

/** The group of the tasks that need the user. */
const tasksThatWait = "group:needsYou";
/** The group of all that needs the user. */
const needsYou = "list:needsYou";

/**
 * Returns the rows of a view that has all kinds of work: first what needs the user, of whichever kind, then one group
 * for each kind that has more rows. Tasks alone need no group.
 */
export function groupedRows(groups: readonly WorkGroup[], t: Translate): Rows {
  const shown = groups.filter(({ rows }) => rows.byId.size > 0);
  const [only] = shown;
  if (only === undefined) return new RowCollection(t);
  if (shown.length === 1 && only.kind === "task") return only.rows;
  const all = new RowCollection(t);
  const waiting = shown.reduce((sum, group) => sum + group.needsYou, 0);
  if (waiting > 0) {
    all.add("", needsYouRow(waiting, t));
    for (const { rows } of shown) addWaiting(all, rows);
  }
  for (const group of shown) {
    const { byId, children } = group.rows;
    const roots = (children.get("") ?? []).filter((id) => id !== tasksThatWait);
    if (roots.length === 0) continue;
    const count = roots.reduce((sum, root) => sum + (byId.get(root)?.hides ?? 1), 0);
    const id = all.add("", groupRow(group, count, t));
    for (const root of roots) addTree(all, id, root, byId, children);
  }
  return all;
}

/** Adds what waits for the user: the tasks themselves, and what waits in jobs and runs beside its place there. */
function addWaiting(all: RowCollection, { byId, children }: Rows): void {
  for (const id of children.get(tasksThatWait) ?? []) addTree(all, needsYou, id, byId, children);
  for (const row of byId.values()) {
    if (row.needsYou) all.add(needsYou, apartFrom(row, row.needsYou));
  }
}

/** Adds a row with all that is below it. */
function addTree(
  all: RowCollection,
  parent: string,
  id: string,
  byId: Rows["byId"],
  children: Rows["children"],
): void {
  const row = byId.get(id);
  if (row === undefined) return;
  all.add(parent, row);
  for (const child of children.get(id) ?? []) addTree(all, id, child, byId, children);
}

function needsYouRow(count: number, t: Translate): Row {
  const { text, icon } = stateLook("needsYou", t);
  const shown = t("{0, number}", count);
  return {
    id: needsYou,
    label: text,
    description: shown,
    icon,
    spoken: spoken(text, shown),
    context: "list needsYou",
    folding: "open",
  };
}

function groupRow({ kind, running }: WorkGroup, roots: number, t: Translate): Row {
  const [label, icon] = groupLook(kind, t);
  const atWork = running === 0 ? "" : t("{0} running", running);
  const rest = kind === "task" || atWork !== "" ? "" : String(roots);
  return {
    id: groupId(kind),
    label,
    description: joined(atWork, rest),
    icon,
    spoken: spoken(label, atWork, rest),
    context: `list ${groupName(kind)}`,
    folding: "open",
  };
}

function groupLook(kind: WorkGroup["kind"], t: Translate): readonly [label: string, icon: Icon] {
  if (kind === "task") return [t("Tasks"), { name: "checklist" }];
  const { many, icon } = workKinds[kind];
  return [many(t), { name: icon }];
}
