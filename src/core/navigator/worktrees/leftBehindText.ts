import type { LeftBehind, Report } from "../../experts/report.js";
import type { TaskId } from "../../ids.js";
import type { FileLeft } from "../../ports/worktrees.js";
import { formatSize } from "../../text/textFile.js";
import type { Translate } from "../../text/translator.js";
import { visibleLine } from "../../text/visibleText.js";
import { notCarriedText } from "./notCarriedText.js";

/** The most files that are named. */
const mostNamed = 20;

/**
 * Returns a report that says, in its message too, which files stayed where its task worked, besides those that it names by
 * now.
 *
 * @param machine the worker's name; absent: the task worked in a worktree here
 */
export function withLeft(report: Report, more: readonly FileLeft[], machine?: string): Report {
  if (more.length === 0) return report;
  const { message, left: before } = report;
  const left = {
    ...(machine === undefined ? {} : { machine }),
    files: [...(before?.files ?? []), ...more].slice(0, mostNamed),
    count: (before?.count ?? 0) + more.length,
  };
  const said =
    before && message.endsWith(leftBehindText(before))
      ? message.slice(0, -leftBehindText(before).length).trimEnd()
      : message;
  return { ...report, message: `${said}\n\n${leftBehindText(left)}`, left };
}

/** Returns what a task's report says of files that stayed where its task worked, so that nobody misses them unknowingly. */
function leftBehindText({ machine, files, count }: LeftBehind): string {
  const where =
    machine === undefined
      ? "Left in the worktree, so not in your folder, and gone with it:"
      : `Left on ${machine}, so not in what lands, and gone with its checkout:`;
  const lines = files.map((file) => `- ${fileLeftText(file)}`);
  const rest = count > files.length ? [`- and ${count - files.length} more`] : [];
  return [where, ...lines, ...rest].join("\n");
}

/**
 * Returns the lines that tell a person which files of a plan's tasks do not land because they stayed where the tasks worked.
 *
 * @param left by the tasks' ids; no line if it is empty
 */
export function leftLines(left: ReadonlyMap<TaskId, LeftBehind>, t: Translate): string[] {
  const all = [...left];
  const total = all.reduce((sum, [, { count }]) => sum + count, 0);
  const lines = all.flatMap(([taskId, { machine, files }]) => {
    const where = machine === undefined ? taskId : `${taskId}, ${visibleLine(machine, 100)}`;
    return files.map((file) => `${where}: ${fileLeftText(file, t)}`);
  });
  if (total === 0) return [];
  return [
    t(
      "{0, plural, one {# file} other {# files}} stayed where the tasks worked, and will not land:",
      total,
    ),
    ...lines,
    ...(total > lines.length ? [t("… and {0, number} more", total - lines.length)] : []),
  ];
}

/** Returns a file, why it stayed and its size, as in `a.bin: it is too big to be kept in the repository (60.0 MB)`. */
function fileLeftText(file: FileLeft, t?: Translate): string {
  return `${notCarriedText(file, t)} (${formatSize(file.bytes)})`;
}
