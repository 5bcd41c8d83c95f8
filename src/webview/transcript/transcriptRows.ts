import type { Item } from "../../core/conversation/state/items.js";
import type { TaskId } from "../../core/ids.js";
import { isCollapsible, type ToolCallGroup, type ToolItem } from "../items/toolCallGroup.js";
import { foldableTurns, type FoldedTurn } from "./foldedTurn.js";

type TaskItem = Extract<Item, { kind: "task" }>;

/** A row of the transcript. `id` stays the same as long as the row is about the same thing. */
export type TranscriptRow = {
  readonly id: string;
  /** The task that this row continues, if the row above belongs to another task. */
  readonly task?: TaskItem;
} & ({ readonly item: Item; readonly isInGroup?: boolean } | ToolCallGroup | FoldedTurn);

/** The fewest tool calls that are worth collapsing. */
const leastCalls = 3;

export interface RowOptions {
  /** Whether the user has opened this row of collapsed tool calls. */
  readonly isOpen: (rowId: string) => boolean;
  /** Whether the user has opened or closed this item, or it has the focus: it must not be collapsed. */
  readonly staysVisible: (itemId: string) => boolean;
}

/** Returns the rows that show the items, from top to bottom. */
export function transcriptRows(all: readonly Item[], options: RowOptions): TranscriptRow[] {
  const rows: TranscriptRow[] = [];
  const tasks = new Map<string, TaskItem>();
  const items = withoutPlanners(all);
  const turns = foldableTurns(all);
  const folded = new Set<string>();
  let current: string | null = null;
  for (let index = 0; index < items.length;) {
    const item = items[index];
    if (!item) break;
    if (item.kind === "task") tasks.set(item.taskId, item);
    if (folded.has(item.id)) {
      index++;
      continue;
    }
    const taskId: TaskId | null = "taskId" in item ? item.taskId : null;
    const continuesTask = taskId !== null && taskId !== current && item.kind !== "task";
    const task = continuesTask && current !== null ? tasks.get(taskId) : undefined;
    let continued = task ? { task } : {};
    current = taskId ?? current;
    const turn = turns.get(item.id);
    if (turn !== undefined) {
      const turnId = `turn ${item.id}`;
      const isOpen =
        options.isOpen(turnId) || turn.steps.some(({ id }) => options.staysVisible(id));
      rows.push({ id: turnId, ...turn, open: isOpen, ...continued });
      continued = {};
      if (!isOpen) {
        for (const { id } of turn.steps) folded.add(id);
        continue;
      }
    }
    const calls = callsFrom(items, index);
    const id = `group ${item.id}`;
    const open = options.isOpen(id);
    const plain =
      calls.length < leastCalls || (!open && calls.some((one) => options.staysVisible(one.id)));
    if (plain) {
      rows.push({ id: item.id, item, ...continued });
      for (const call of calls.slice(1)) rows.push({ id: call.id, item: call });
    } else {
      rows.push({ id, calls, open, ...continued });
      if (open) for (const call of calls) rows.push({ id: call.id, item: call, isInGroup: true });
    }
    index += Math.max(1, calls.length);
  }
  return rows;
}

/** Leaves out the beginnings and reports of planners whose plans have cards, which say the same. */
function withoutPlanners(items: readonly Item[]): readonly Item[] {
  const plans = items.flatMap((item) => (item.kind === "plan" ? [item.taskId] : []));
  if (plans.length === 0) return items;
  return items.filter((item) => {
    const isShownByPlan = item.kind === "task" || (item.kind === "report" && item.end === "Done");
    return !isShownByPlan || !plans.includes(item.taskId);
  });
}

function callsFrom(items: readonly Item[], start: number): ToolItem[] {
  const calls: ToolItem[] = [];
  for (let index = start; index < items.length; index++) {
    const item = items[index];
    if (!item || !isCollapsible(item) || (calls[0] && calls[0].taskId !== item.taskId)) break;
    calls.push(item);
  }
  return calls;
}

export interface WindowRange {
  /** Index of the first item to draw. */
  readonly start: number;
  /** Index after the last item to draw. */
  readonly end: number;
}

/** Returns where each item begins, in pixels; one more entry at the end is the whole height. */
export function offsetsOf(heights: Iterable<number>): number[] {
  const offsets = [0];
  let offset = 0;
  for (const height of heights) offsets.push((offset += height));
  return offsets;
}

/** Returns the range of the items that touch the stretch from `top` to `bottom`, in pixels. */
export function windowRange(offsets: readonly number[], top: number, bottom: number): WindowRange {
  const count = offsets.length - 1;
  const start = Math.min(count, Math.max(0, firstAbove(offsets, top) - 1));
  const end = Math.min(count, Math.max(start, firstAbove(offsets, bottom - 1)));
  return { start, end };
}

/** Index of the first offset greater than `position`. */
function firstAbove(offsets: readonly number[], position: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? Infinity) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
