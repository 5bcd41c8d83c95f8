import { readLabelled } from "./labelled.js";
import type { ListItem } from "./outline.js";
import { readStatus, type TaskStatus } from "./taskStatus.js";

/** A value that stands in a line of its own under a task. */
interface Attribute {
  readonly row: number;
  readonly value: string;
}

interface RoadmapItemBase {
  /** Unique in the roadmap: its number, else its text; of one that is there before, with `(2)`. */
  readonly id: string;
  /** As in `1.2`. */
  readonly number: string | undefined;
  /** Without checkbox and number, nor the word “Task” before it. */
  readonly title: string;
  /** Checkbox aside. */
  readonly text: string;
  readonly row: number;
  /** Exclusive. */
  readonly end: number;
  /** `undefined` where it has no checkbox. */
  readonly isChecked: boolean | undefined;
  /** How it stands in the document. */
  readonly item: ListItem;
}

export interface Task extends RoadmapItemBase {
  readonly kind: "task";
  /** Of one without a status line as its checkbox says; `undefined` where the line has none of ours. */
  readonly status: TaskStatus | undefined;
  /** Who works on it, or did last. */
  readonly runner: string | undefined;
  /** All of them: more than one is a mistake, and the first counts. */
  readonly statusLines: readonly Attribute[];
  readonly runnerLines: readonly Attribute[];
}

export interface Phase extends RoadmapItemBase {
  readonly kind: "phase";
  readonly children: readonly RoadmapItem[];
  readonly statusLines: readonly Attribute[];
}

export type RoadmapItem = Task | Phase;

const attributeNames = { status: ["status"], runner: ["runner", "executor"] };

/** Reads a checklist: tasks and the phases that hold them. What else the lists say is left alone. */
export function readRoadmap(items: readonly ListItem[]): RoadmapItem[] {
  const taken = new Map<string, number>();
  return items.flatMap((item) => readItem(item, taken) ?? []);
}

/** In the roadmap's order, phases left out. */
export function tasksOf(items: readonly RoadmapItem[]): Task[] {
  return everyItem(items).filter((item) => item.kind === "task");
}

/** In the roadmap's order: a phase, then what it holds. */
export function everyItem(items: readonly RoadmapItem[]): RoadmapItem[] {
  return items.flatMap((item) =>
    item.kind === "phase" ? [item, ...everyItem(item.children)] : [item],
  );
}

function readItem(item: ListItem, taken: Map<string, number>): RoadmapItem | undefined {
  const box = /^\[([ xX])\](?=\s|$)/.exec(item.lines[0] ?? "")?.[1];
  const statusLines = attributesOf(item, attributeNames.status);
  if (!isWork(item)) return undefined;
  const text = (item.lines[0] ?? "").slice(box === undefined ? 0 : 3).trim();
  const bare = text.replace(/^(\*\*|__)(.*)\1$/, "$2");
  const found = /^(?:task\s|任务)?\s*(\d+(?:\.\d+)*)(?=[.)、:：]?(?:\s|$)|[.、:：](?!\d))/i.exec(
    bare,
  );
  const number = found?.[1];
  const title = bare.slice(found?.[0].length ?? 0).replace(/^[.)、:：]?\s*/, "");
  const name = number ?? text;
  const count = (taken.get(name) ?? 0) + 1;
  taken.set(name, count);
  const base = {
    id: count === 1 ? name : `${name} (${count})`,
    number,
    title,
    text,
    item,
    row: item.row,
    end: item.end,
    statusLines,
    isChecked: box === undefined ? undefined : box !== " ",
  };
  const isTask = statusLines.length > 0 ? !item.items.some(hasStatus) : !item.items.some(isWork);
  if (!isTask) {
    return {
      ...base,
      kind: "phase",
      children: item.items.flatMap((one) => readItem(one, taken) ?? []),
    };
  }
  const runnerLines = attributesOf(item, attributeNames.runner);
  const implied = box === undefined || box === " " ? "Pending" : "Completed";
  const [given] = statusLines;
  return {
    ...base,
    kind: "task",
    runnerLines,
    runner: runnerLines.find(({ value }) => value !== "")?.value,
    status: given === undefined ? implied : readStatus(given.value),
  };
}

/** Has a checkbox or a status, or holds what has. */
function isWork(item: ListItem): boolean {
  const first = item.lines[0] ?? "";
  return /^\[[ xX]\](\s|$)/.test(first) || hasStatus(item) || item.items.some(isWork);
}

/** It, or what it holds. */
function hasStatus(item: ListItem): boolean {
  return attributesOf(item, attributeNames.status).length > 0 || item.items.some(hasStatus);
}

/** Those of the item's own, as items below it or as further lines of its paragraph. */
function attributesOf(item: ListItem, names: readonly string[]): Attribute[] {
  const own = item.lines.slice(1).map((line, index) => ({ line, row: item.row + 1 + index }));
  const below = item.items.map(({ lines, row }) => ({ line: lines[0] ?? "", row }));
  return [...own, ...below].flatMap(({ line, row }) => {
    const found = readLabelled(line);
    return found && names.includes(found.name) ? [{ row, value: found.value }] : [];
  });
}
