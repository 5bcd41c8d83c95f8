import { DependencyReader } from "./dependencies.js";
import type { JobLog } from "./jobLog.js";
import { type RoadmapItem, type Task, tasksOf } from "./roadmap.js";
import { phasesAround } from "./roadmapEdits.js";
import { isOver, taskStatuses } from "./taskStatus.js";
import { type Entry, type FieldName, newestEntries } from "./workLog.js";

/** Longest log, in characters, that is shown whole; about 6,000 tokens. */
const whole = 24_000;
const mostTasks = 60;
const mostEntries = 20;
const longestEntry = 1_000;

/**
 * Returns what a planner, or who judges a plan, is shown of a log: all of a short one; of a long one the open tasks
 * and the newest entries, with a count of what was left out. The size does not grow with the job's age.
 */
export function logExcerpt(log: JobLog, path: string): string {
  if (log.lines.text.length <= whole) return log.lines.text;
  const matter = rowsOf(log, 0, log.matter.rows);
  const shown = log.entries.slice(0, mostEntries);
  const entries = shown.map((entry) => entryText(entry, log));
  const left = log.entries.length - shown.length;
  const more = left === 0 ? "" : `\n\n(${left} older entries are left out)`;
  return `(This log is long, and shortened here. All of it is in ${path}.)

${matter}
## Roadmap

${roadmapText(log)}

## Work Log

${entries.join("\n\n")}${more}`;
}

/** Longest log, in characters, that a runner is shown whole; about 750 tokens. */
const wholeForTask = 3_000;
/** The most neighboring tasks, entries of earlier tasks that its own depends on, and newest entries for a runner. */
const [mostBeside, mostBefore, mostRecent] = [4, 6, 3];
const [longestBefore, longestRecent] = [600, 250];

/**
 * Returns what a runner is shown of a log: all of a short one; of others its task with its phases and the tasks beside
 * it, the newest entries of its task and of what it comes after, and the newest of all. The size grows neither with the
 * job's age nor with the number of its tasks.
 */
export function taskExcerpt(log: JobLog, path: string, task: Task): string {
  if (log.lines.text.length <= wholeForTask) return log.lines.text;
  const around = phasesAround(log.roadmap, task.id);
  const siblings = (around.at(-1)?.children ?? log.roadmap).filter(
    (item) => item.kind === "task" || around.length === 0,
  );
  const at = siblings.findIndex(({ id }) => id === task.id);
  const from = Math.max(0, Math.min(at - mostBeside / 2, siblings.length - mostBeside - 1));
  const beside = siblings.slice(from, from + mostBeside + 1);
  const roadmap = [
    ...around.map(({ row }) => log.lines.row(row)),
    ...beside.map((item) =>
      item.id === task.id ? rowsOf(log, item.row, item.end).trimEnd() : log.lines.row(item.row),
    ),
  ];
  const left = siblings.length - beside.length;
  if (left > 0) roadmap.push(`(and ${left} more beside them)`);
  const reader = new DependencyReader(log);
  const before = tasksOf([task, ...around].flatMap((item) => reader.of(item).on));
  const newest = newestEntries([task, ...before], log);
  const entriesOf = (tasks: readonly Task[]) =>
    tasks.flatMap((one) => newest.get(one)?.entry ?? []);
  const known = [...entriesOf([task]), ...entriesOf(before).slice(-mostBefore)];
  const recent = log.entries.filter((entry) => !known.includes(entry)).slice(0, mostRecent);
  const entries = [
    ...known.map((entry) => entryItem(entry, longestBefore)),
    ...recent.map((entry) => entryItem(entry, longestRecent)),
  ];
  return `(An excerpt; all of it is in ${path}. The roadmap has ${countsText(log)}. Shown are your task and those beside it, and what was done of it, of what it comes after, and last.)

## Roadmap

${roadmap.join("\n")}

## Work Log

${entries.join("\n")}`;
}

/** Returns an entry as one list item, as in `- Task 1. Go: Succeeded. 1 file (+1 −0): a.txt. Went.` */
function entryItem({ fields }: Entry, longest: number): string {
  const value = (name: FieldName) => fields.get(name)?.value ?? "";
  const end = [value("result"), value("reason")].filter((part) => part !== "").join(", ");
  const changes = value("changes") === "" ? "" : ` ${cut(value("changes"), longest)}.`;
  const said = value("said") === "" ? "" : ` The user said: ${cut(value("said"), longest)}`;
  const rest = `${said} ${cut(value("summary"), longest)}`.replaceAll("\n", "\n  ");
  return `- ${cut(value("objective"), longest)}: ${end}.${changes}${rest}`;
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Returns how many tasks there are of each status, as in `41 tasks: 12 Completed, 29 Pending`. */
function countsText({ tasks }: JobLog): string {
  const counts = taskStatuses.flatMap((status) => {
    const count = tasks.filter((task) => task.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return `${tasks.length} tasks: ${counts.join(", ")}`;
}

/** Returns the first open tasks with their phases. */
function roadmapText(log: JobLog): string {
  const open = log.tasks.filter(({ status }) => !isOver(status));
  const shown = new Set(open.slice(0, mostTasks));
  const parts: string[] = [];
  const counts = { over: 0, open: 0 };
  const count = () => {
    const over = counts.over === 0 ? [] : [`${counts.over} that are Completed or Cancelled`];
    const rest = counts.open === 0 ? [] : [`${counts.open} open ones`];
    if (over.length + rest.length > 0) parts.push(`(left out: ${[...over, ...rest].join(", ")})`);
    [counts.over, counts.open] = [0, 0];
  };
  const walk = (items: readonly RoadmapItem[]): void => {
    for (const item of items) {
      if (item.kind === "phase") {
        if (!holds(item, shown)) {
          tally(item);
          continue;
        }
        count();
        parts.push(log.lines.row(item.row));
        walk(item.children);
      } else if (shown.has(item)) {
        count();
        parts.push(rowsOf(log, item.row, item.end).trimEnd());
      } else tally(item);
    }
  };
  const tally = (item: RoadmapItem): void => {
    if (item.kind === "phase") item.children.forEach(tally);
    else if (isOver(item.status)) counts.over++;
    else counts.open++;
  };
  walk(log.roadmap);
  count();
  return parts.join("\n");
}

function holds(item: RoadmapItem, tasks: ReadonlySet<Task>): boolean {
  return item.kind === "task" ? tasks.has(item) : item.children.some((one) => holds(one, tasks));
}

function entryText({ heading, row, fields }: Entry, { lines }: JobLog): string {
  const fieldLines = [...fields].flatMap(([name, { value }]) => {
    // These two are for people.
    if (name === "usage" || name === "session") return [];
    return `- **${name.charAt(0).toUpperCase()}${name.slice(1)}**: ${cut(value, longestEntry)}`;
  });
  return [...(heading === undefined ? [] : [lines.row(row), ""]), ...fieldLines].join("\n");
}

function rowsOf({ lines }: JobLog, from: number, to: number): string {
  return lines.text.slice(lines.offset(from), lines.offset(to));
}
