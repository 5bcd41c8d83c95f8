import type { Item } from "../core/conversation/items.js";
import { isLook } from "./looks.js";
import type { ToolItem } from "./looks.js";

type TaskItem = Extract<Item, { kind: "task" }>;

/** One row of the transcript. `id` stays the same as long as the row is about the same thing. */
export type TranscriptRow = {
  readonly id: string;
  /** The task that this row continues, if the row above belongs to another task. */
  readonly task?: TaskItem;
} & (
  | { readonly item: Item; readonly inLooks?: boolean }
  /** Collapsed tool calls on one line; if the user opens it, they follow as rows of their own. */
  | { readonly looks: readonly ToolItem[]; readonly open: boolean }
);

/** The fewest tool calls that are worth collapsing. */
const leastLooks = 3;

export interface RowOptions {
  /** Whether the user has opened this row of collapsed tool calls. */
  readonly isOpen: (rowId: string) => boolean;
  /** Whether the user has opened or closed this item, or it has the focus: it must not be collapsed. */
  readonly isHeld: (itemId: string) => boolean;
}

/** Returns the rows that show the items, from top to bottom. */
export function transcriptRows(items: readonly Item[], options: RowOptions): TranscriptRow[] {
  const rows: TranscriptRow[] = [];
  const tasks = new Map<string, TaskItem>();
  let current: string | null = null;
  for (let index = 0; index < items.length;) {
    const item = items[index];
    if (!item) break;
    if (item.kind === "task") tasks.set(item.taskId, item);
    const taskId: string | null = "taskId" in item ? item.taskId : null;
    const goesOn = taskId !== null && taskId !== current && item.kind !== "task";
    const task = goesOn && current !== null ? tasks.get(taskId) : undefined;
    const continued = task ? { task } : {};
    current = taskId ?? current;
    const looks = looksFrom(items, index);
    const id = `looks ${item.id}`;
    const open = options.isOpen(id);
    const plain =
      looks.length < leastLooks || (!open && looks.some((one) => options.isHeld(one.id)));
    if (plain) {
      rows.push({ id: item.id, item, ...continued });
      for (const look of looks.slice(1)) rows.push({ id: look.id, item: look });
    } else {
      rows.push({ id, looks, open, ...continued });
      if (open) for (const look of looks) rows.push({ id: look.id, item: look, inLooks: true });
    }
    index += Math.max(1, looks.length);
  }
  return rows;
}

function looksFrom(items: readonly Item[], start: number): ToolItem[] {
  const looks: ToolItem[] = [];
  for (let index = start; index < items.length; index++) {
    const item = items[index];
    if (!item || !isLook(item) || (looks[0] && looks[0].taskId !== item.taskId)) break;
    looks.push(item);
  }
  return looks;
}
