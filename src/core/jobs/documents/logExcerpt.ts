import type { JobLog } from "./jobLog.js";
import type { RoadmapItem, Task } from "./roadmap.js";
import { isOver } from "./taskStatus.js";
import { type Entry, newestEntries } from "./workLog.js";

/** Longest log, in characters, that is shown whole; about 6,000 tokens. */
const whole = 24_000;
const mostTasks = 60;
const mostEntries = 20;
const longestEntry = 1_000;

/**
 * Returns what a lifecycle's model is shown of a log: all of a short one; of a long one the open tasks and
 * the newest entries, with a count of what was left out. The size does not grow with the job's age.
 *
 * @param focus a task whose newest entry is always shown
 */
export function logExcerpt(log: JobLog, path: string, focus?: Task): string {
  if (log.lines.text.length <= whole) return log.lines.text;
  const matter = rowsOf(log, 0, log.matter.rows);
  const last = focus && newestEntries([focus], log.entries).get(focus)?.entry;
  const shown = log.entries.filter((entry, index) => index < mostEntries || entry === last);
  const entries = shown.map((entry) => entryText(entry, log));
  const left = log.entries.length - shown.length;
  const more = left === 0 ? "" : `\n\n(${left} older entries are left out)`;
  return `(This log is long, and shortened here. All of it is in ${path}.)

${matter}
## Roadmap

${roadmapText(log, focus)}

## Work Log

${entries.join("\n\n")}${more}`;
}

/** Returns the open tasks with their phases, beginning shortly before the focus. */
function roadmapText(log: JobLog, focus: Task | undefined): string {
  const open = log.tasks.filter(({ status }) => !isOver(status));
  const from = focus === undefined ? 0 : Math.max(0, open.indexOf(focus) - mostTasks / 4);
  const shown = new Set(open.slice(from, from + mostTasks));
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
  const said = [...fields].map(([name, { value }]) => {
    const text = value.length > longestEntry ? `${value.slice(0, longestEntry)}…` : value;
    return `- **${name.charAt(0).toUpperCase()}${name.slice(1)}**: ${text}`;
  });
  return [...(heading === undefined ? [] : [lines.row(row), ""]), ...said].join("\n");
}

function rowsOf({ lines }: JobLog, from: number, to: number): string {
  return lines.text.slice(lines.offset(from), lines.offset(to));
}
