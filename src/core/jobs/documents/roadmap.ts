import type { ListItem } from "./block.js";
import { readLabelled } from "./outline.js";
import { readStatus, type TaskStatus } from "./taskStatus.js";

/** A value in a line of its own under a task. */
interface Attribute {
  readonly row: number;
  readonly value: string;
}

/**
 * The fields that an item may have on lines below it, besides status and runner. `after`: the items that must be over
 * before this one begins. `files`, `done when`, `details`: for whoever does the task. `attempts`: how often it
 * was tried without success. `waits for`: the id of the question without whose answer it is not tried again.
 * `asked`: the id of the question about it, while work goes on by a default plan.
 */
export const itemFields = [
  "after",
  "files",
  "done when",
  "details",
  "attempts",
  "waits for",
  "asked",
] as const;
export type ItemField = (typeof itemFields)[number];

interface RoadmapItemBase {
  /** Unique in the roadmap: the item's number, or else its text; a repeated one gets ` (2)`. */
  readonly id: string;
  /** The number, as in `1.2`. */
  readonly number: string | undefined;
  /** The text without number, nor the word “Task” before it. */
  readonly title: string;
  /** The text without checkbox. */
  readonly text: string;
  readonly row: number;
  /** The row after the item's last. */
  readonly end: number;
  /** `undefined` if the item has no checkbox. */
  readonly isChecked: boolean | undefined;
  /** The list item in the document. */
  readonly item: ListItem;
  /** The lines that say more of it; the first of each name counts, and an empty one says nothing. */
  readonly fields: ReadonlyMap<ItemField, Attribute>;
}

export interface Task extends RoadmapItemBase {
  readonly kind: "task";
  /** The status line, or without one what the checkbox says. `undefined` if neither is known. */
  readonly status: TaskStatus | undefined;
  /** The runner that works on the task, or did last. */
  readonly runner: string | undefined;
  /** The status lines: more than one is a mistake, and the first counts. */
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

/** Other names that people give to a field. */
const otherNames: ReadonlyMap<string, ItemField> = new Map(
  ["depends on", "depends", "needs", "requires", "blocked by", "依赖"].map((name) => [
    name,
    "after",
  ]),
);

/** Reads a checklist: tasks and the phases that contain them. Other list items are ignored. */
export function readRoadmap(items: readonly ListItem[]): RoadmapItem[] {
  const taken = new Map<string, number>();
  return items.flatMap((item) => readItem(item, taken) ?? []);
}

/** Returns the tasks in the roadmap's order, without phases. */
export function tasksOf(items: readonly RoadmapItem[]): Task[] {
  return everyItem(items).filter((item) => item.kind === "task");
}

/** Returns all items in the roadmap's order: each phase, then what it contains. */
export function everyItem(items: readonly RoadmapItem[]): RoadmapItem[] {
  const all: RoadmapItem[] = [];
  const add = (item: RoadmapItem): void => {
    all.push(item);
    if (item.kind === "phase") item.children.forEach(add);
  };
  items.forEach(add);
  return all;
}

function readItem(item: ListItem, taken: Map<string, number>): RoadmapItem | undefined {
  const first = item.lines[0] ?? "";
  const box = /^\[([ xX])\](?=\s|$)/.exec(first)?.[1];
  const odd = box === undefined ? oddBoxOf(first) : undefined;
  const labels = labelsOf(item);
  const statusLines = attributesOf(labels, attributeNames.status);
  const hasBox = box !== undefined || odd !== undefined;
  if (!hasBox && statusLines.length === 0 && !item.items.some(isWork)) return undefined;
  const text = first.slice(box === undefined ? 0 : 3).trim();
  const named = odd === undefined ? text : text.slice(odd.length).trimStart();
  const bare = /^(?:\*\*|__)/.test(named) ? named.replace(/^(\*\*|__)(.*)\1$/, "$2") : named;
  const found = /^(?:task\s|任务)?\s*(\d+(?:\.\d+)*)(?=[.)、:：]?(?:\s|$)|[.、:：](?!\d))/i.exec(
    bare,
  );
  const number = found?.[1];
  const title = bare.slice(found?.[0].length ?? 0).replace(/^[.)、:：]?\s*/, "");
  const name = number ?? named;
  const count = (taken.get(name) ?? 0) + 1;
  taken.set(name, count);
  const id = count === 1 ? name : `${name} (${count})`;
  const { row, end } = item;
  const isChecked = box === undefined ? undefined : box !== " ";
  const isTask = statusLines.length > 0 ? !item.items.some(hasStatus) : !item.items.some(isWork);
  if (!isTask) {
    const children = item.items.flatMap((one) => readItem(one, taken) ?? []);
    return {
      kind: "phase",
      id,
      number,
      title,
      text,
      item,
      row,
      end,
      statusLines,
      fields: fieldsOf(labels),
      isChecked,
      children,
    };
  }
  const runnerLines = attributesOf(labels, attributeNames.runner);
  const implied =
    odd !== undefined ? undefined : box === undefined || box === " " ? "Pending" : "Completed";
  const [given] = statusLines;
  const runner = runnerLines.find(({ value }) => value !== "")?.value;
  const status = given === undefined ? implied : readStatus(given.value);
  // One literal: with ten thousand tasks, copying a part of it into each takes more time than all else here.
  return {
    kind: "task",
    id,
    number,
    title,
    text,
    item,
    row,
    end,
    isChecked,
    status,
    runner,
    statusLines,
    fields: fieldsOf(labels),
    runnerLines,
  };
}

/** Returns whether an item has a checkbox or a status, or contains an item that has. */
function isWork(item: ListItem): boolean {
  const first = item.lines[0] ?? "";
  const hasBox = /^\[[ xX]\](\s|$)/.test(first) || oddBoxOf(first) !== undefined;
  return hasBox || hasStatus(item) || item.items.some(isWork);
}

/**
 * Returns the box at the beginning of an item's text that is none in Markdown, as in `[-] a`, `[] a` or `[ ]a`. Nobody but
 * its author knows what it says, so a task that has no status line beside it has no known status.
 */
export function oddBoxOf(text: string): string | undefined {
  return /^\[(?:[xX ]?|[^\p{L}\p{N}\s[\]])\](?![([:])/u.exec(text)?.[0];
}

/** Returns whether an item has a status, or contains an item that has. */
function hasStatus(item: ListItem): boolean {
  const statusLines = attributesOf(labelsOf(item), attributeNames.status);
  return statusLines.length > 0 || item.items.some(hasStatus);
}

interface Label extends Attribute {
  readonly name: string;
}

/** Returns the item's own labelled lines: items below it, and further lines of its paragraph. */
function labelsOf(item: ListItem): Label[] {
  const labels: Label[] = [];
  const add = (line: string, row: number): void => {
    const found = readLabelled(line);
    if (found) labels.push({ row, name: found.name, value: found.value });
  };
  for (let at = 1; at < item.lines.length; at++) add(item.lines[at] ?? "", item.row + at);
  for (const { lines, row } of item.items) add(lines[0] ?? "", row);
  return labels;
}

function attributesOf(labels: readonly Label[], names: readonly string[]): Attribute[] {
  return labels.filter(({ name }) => names.includes(name));
}

const noFields: ReadonlyMap<ItemField, Attribute> = new Map();

function fieldsOf(labels: readonly Label[]): ReadonlyMap<ItemField, Attribute> {
  let fields: Map<ItemField, Attribute> | undefined;
  for (const { name, value, row } of labels) {
    const field = itemFields.find((one) => one === name) ?? otherNames.get(name);
    if (field === undefined || value === "" || fields?.has(field) === true) continue;
    fields ??= new Map();
    fields.set(field, { row, value });
  }
  return fields ?? noFields;
}
