import type { JobLog } from "./jobLog.js";
import type { NewEntry } from "./logEdit.js";
import { oneLine } from "./planItem.js";
import type { Change } from "../../documents/textLines.js";

/** Puts an entry before all others, and makes the section where there is none. */
export function entryChange(log: JobLog, entry: NewEntry): Change {
  const { lines, sections, entries } = log;
  const { workLogHeading: heading, workLog, roadmapHeading } = sections;
  const level = workLog.find((block) => block.kind === "heading")?.level;
  const marks = "#".repeat(Math.min(6, level ?? (heading?.level ?? 2) + 1));
  const numbers = entries.map((one) => one.heading?.number ?? 0);
  const number = numbers.reduce((most, one) => Math.max(most, one), entries.length) + 1;
  const own = [
    `${marks} Log ${number} @${oneLine(entry.jobName)} (${oneLine(entry.time)})`,
    "",
    ...field("Role", entry.role),
    ...field("Objective", entry.objective),
    ...field("Result", entry.result),
    ...field("Summary", entry.summary),
  ];
  const section = roadmapHeading?.isChinese === true ? "## 工作日志" : "## Work Log";
  const first = workLog[0];
  if (first !== undefined) {
    const begin = heading === undefined && first.kind !== "heading" ? [section, ""] : [];
    return lines.insert(first.row, [...begin, ...own, ""]);
  }
  if (heading !== undefined) {
    const row = heading.row + 1;
    const isEnd = row >= lines.count || lines.isBlank(row);
    return lines.insert(row, ["", ...own, ...(isEnd ? [] : [""])]);
  }
  const gap = lines.count > 0 && !lines.isBlank(lines.count - 1) ? [""] : [];
  return lines.insert(lines.count, [...gap, section, "", ...own]);
}

/** Returns a text of a {@link NewEntry} as it will be read back: trimmed, with one kind of line end. */
export function fieldText(value: string): string {
  return value
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => (line.trim() === "" ? "" : line))
    .join("\n");
}

/** Indents further lines, so that none of them can end the list item. */
function field(name: string, value: string): string[] {
  const [first = "", ...more] = fieldText(value).split("\n");
  return [
    `- **${name}**:${first === "" ? "" : ` ${first}`}`,
    ...more.map((line) => (line === "" ? "" : `  ${line}`)),
  ];
}
