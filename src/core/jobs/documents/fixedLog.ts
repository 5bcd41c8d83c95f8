import { UserError } from "../../errors.js";
import { editJobLog, saysTheSame } from "./editJobLog.js";
import { type JobLog, readJobLog } from "./jobLog.js";
import type { Fix } from "./logProblem.js";
import { box } from "./taskChanges.js";

/**
 * Returns the log's text with one problem fixed and every other byte as it was, or `undefined` if the fix
 * would change the meaning of anything else in the log.
 */
export function fixedLog(log: JobLog, fix: Fix): string | undefined {
  const { lines } = log;
  switch (fix.type) {
    case "progress":
      return edited(log, { type: "updateProgress" });
    case "free":
      return edited(log, { type: "setStatus", task: fix.task, status: "Pending" });
    case "box": {
      const item = log.items.find(({ row }) => row === fix.row);
      if (item === undefined) return undefined;
      const isDone = item.kind === "task" && item.status === "Completed";
      return ifSameWork(log, lines.with(box(item, isDone, lines)));
    }
    case "drop":
      return ifSameWork(log, lines.with(fix.rows.map((row) => lines.replace(row, row + 1, []))));
  }
}

function edited(log: JobLog, edit: Parameters<typeof editJobLog>[1][number]): string | undefined {
  try {
    // These edits are legal in both versions.
    return editJobLog(log, [edit], 2).lines.text;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function ifSameWork(log: JobLog, text: string): string | undefined {
  return saysTheSame(readJobLog(text), log) ? text : undefined;
}
