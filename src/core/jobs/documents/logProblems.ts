import type { DocumentProblem } from "../../documents/documentProblem.js";
import { UserError } from "../../errors.js";
import { perObject } from "../../perObject.js";
import { type Words, words } from "../../text/words.js";
import { circleIn, DependencyReader } from "./dependencies.js";
import { changedLog, editJobLog } from "./editJobLog.js";
import { type JobLog, progressOf } from "./jobLog.js";
import { oddBoxOf, type RoadmapItem, type Task, tasksOf } from "./roadmap.js";
import { box } from "./roadmapEdits.js";
import { isOver, type TaskStatus, taskStatuses } from "./taskStatus.js";
import { type Entry, newestEntries, type Result, results, roles } from "./workLog.js";

/** A place in a log that breaks a rule. */
export interface LogProblem extends DocumentProblem {
  /** A fix that is certainly right. Absent: a person has to decide. */
  readonly fix?: Fix;
}

/** `row`: the row of a roadmap item; `rows`: the rows to remove; `task`: a task's id. */
export type Fix =
  | { readonly type: "progress" }
  | { readonly type: "box"; readonly row: number }
  | { readonly type: "drop"; readonly rows: readonly number[] }
  | { readonly type: "free"; readonly task: string };

/** The statuses that a task may have after its newest entry; a Locked task began from one of them. */
const statusesAfter: Readonly<Record<Result, readonly TaskStatus[]>> = {
  Succeeded: ["Completed"],
  Failed: ["Failed", "Pending", "Locked", "Cancelled"],
  Pending: ["Pending", "Locked", "Cancelled"],
  // The runner lost its task to another runner or a person, so its entry does not determine the status.
  Cancelled: taskStatuses,
};

/**
 * Returns the problems of a log, in the order of its lines. Deviations that are accepted in users' files
 * (R-JIXO-32) are no problems.
 */
export const logProblems = perObject(problemsOf);

/**
 * Returns the log's text with one problem fixed and every other byte as it was, or `undefined` if the fix
 * would change the meaning of anything else in the log.
 */
export function fixedLog(log: JobLog, fix: Fix): string | undefined {
  try {
    return fixed(log, fix).lines.text;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function fixed(log: JobLog, fix: Fix): JobLog {
  const { lines } = log;
  switch (fix.type) {
    // These edits are legal in both versions.
    case "progress":
      return editJobLog(log, [{ type: "updateProgress" }], 2);
    case "free":
      return editJobLog(log, [{ type: "setStatus", task: fix.task, status: "Pending" }], 2);
    case "box": {
      const item = log.items.find(({ row }) => row === fix.row);
      if (item === undefined)
        throw new UserError(
          "itemUnknown",
          "The log has no such item any more. Open the log again.",
        );
      const isDone = item.kind === "task" && item.status === "Completed";
      return changedLog(log, box(item, isDone, lines), log);
    }
    case "drop": {
      const changes = fix.rows.map((row) => lines.replace(row, row + 1, []));
      return changedLog(log, changes, log);
    }
  }
}

function problemsOf(log: JobLog): readonly LogProblem[] {
  const problems = [
    ...log.matter.problems.map((one) => ({ ...one, rule: "R-JIXO-28" })),
    ...progressProblems(log),
    ...log.items.flatMap((item) => itemProblems(item)),
    ...numberProblems(log.tasks),
    ...orderProblems(log),
    ...log.entries.flatMap((entry) => entryProblems(entry)),
    ...entryOrderProblems(log.entries),
    ...historyProblems(log),
  ];
  return problems.sort((a, b) => a.row - b.row);
}

function progressProblems({ matter, givenProgress, tasks }: JobLog): LogProblem[] {
  const given = matter.get("progress");
  if (given === undefined) return [];
  const row = matter.rowOf("progress");
  if (givenProgress === undefined) {
    const message = words(
      'progress is neither a percentage, as in "15%", nor a share, as in 0.15.',
    );
    return [{ row, rule: "R-JIXO-28", message, fix: { type: "progress" } }];
  }
  const computed = progressOf(tasks);
  // The progress may have been rounded either way.
  if (Math.abs(givenProgress - computed) <= 1) return [];
  const message = words("progress says {given}%, the tasks say {computed}%.", {
    given: givenProgress,
    computed,
  });
  return [{ row, rule: "R-JIXO-28", message, fix: { type: "progress" } }];
}

function itemProblems(item: RoadmapItem): LogProblem[] {
  const found: LogProblem[] = [];
  const add = (row: number, rule: string, message: Words, fix?: Fix) =>
    found.push({ row, rule, message, ...(fix && { fix }) });
  const drop = (lines: readonly { readonly row: number }[]): Fix => {
    return { type: "drop", rows: lines.map(({ row }) => row) };
  };
  const box: Fix = { type: "box", row: item.row };
  const [first, second] = item.statusLines;
  if (item.kind === "phase") {
    const none = words("A phase has no status of its own; its tasks have.");
    if (first) add(first.row, "R-JIXO-28", none, drop(item.statusLines));
    const open = tasksOf(item.children).find(({ status }) => !isOver(status));
    if (item.isChecked === true && open) {
      const message = words("The phase is checked, but its task {task} is not done.", {
        task: open.id,
      });
      add(item.row, "R-JIXO-28", message, box);
    }
    return found;
  }
  const { id, status } = item;
  if (second) {
    const message = words("Task {id} has a second status; the first counts.", { id });
    add(second.row, "R-JIXO-28", message, drop(item.statusLines.slice(1)));
  }
  const [, ...others] = item.runnerLines;
  if (others[0]) {
    const message = words("Task {id} has a second runner; the first counts.", { id });
    add(others[0].row, "R-JIXO-28", message, drop(others));
  }
  if (status === undefined) {
    const value = JSON.stringify(first?.value ?? oddBoxOf(item.text) ?? "");
    const message = words("{value} is no status of a task.", { value });
    add(first?.row ?? item.row, "R-JIXO-26", message);
  } else if (item.isChecked !== undefined && item.isChecked !== (status === "Completed")) {
    const message = item.isChecked
      ? words("Task {id} is checked, but its status is {status}.", { id, status })
      : words("Task {id} is not checked, but its status is {status}.", { id, status });
    add(item.row, "R-JIXO-28", message, box);
  }
  if (status === "Locked" && item.runner === undefined) {
    const message = words("Task {id} is Locked, but nobody is named as runner.", { id });
    add(first?.row ?? item.row, "R-JIXO-26", message, { type: "free", task: id });
  }
  return found;
}

function numberProblems(tasks: readonly Task[]): LogProblem[] {
  const seen = new Map<string, number>();
  return tasks.flatMap(({ number, row }) => {
    if (number === undefined) return [];
    const before = seen.get(number);
    seen.set(number, before ?? row);
    if (before === undefined) return [];
    const message = words("Line {line} has a task {number}, too.", { line: before + 1, number });
    return [{ row, rule: "R-JIXO-28", message }];
  });
}

function entryProblems({ row, heading, role, result, fields }: Entry): LogProblem[] {
  const needed = ["role", "objective", "result", "summary"] as const;
  const missing = needed.filter((name) => (fields.get(name)?.value ?? "") === "");
  const found: LogProblem[] = [];
  if (missing.length > 0) {
    const names = missing.map(capital).join(", ");
    const message = words("The entry does not say: {names}.", { names });
    found.push({ row, rule: "R-JIXO-28", message });
  }
  const oneOf = (name: "role" | "result", rule: string, known: readonly string[]) => {
    const { value = "", row: at = row } = fields.get(name) ?? {};
    if (value === "") return;
    const message = words("{value} is none of {known}.", {
      value: JSON.stringify(value),
      known: known.join(", "),
    });
    found.push({ row: at, rule, message });
  };
  if (role === undefined) oneOf("role", "R-JIXO-28", roles);
  if (result === undefined) oneOf("result", "R-JIXO-27", results);
  if (heading === undefined && fields.get("role")?.row !== row) {
    const message = words("The entry's heading is not of the form Log N @Job (time).");
    found.push({ row, rule: "R-JIXO-28", message });
  }
  return found;
}

/** Returns what is wrong with the order of the tasks: what they are said to wait for. */
function orderProblems(log: JobLog): LogProblem[] {
  const reader = new DependencyReader(log);
  const unknown = log.items.flatMap((item) =>
    reader.of(item).unknown.map((name) => {
      const row = item.fields.get("after")?.row ?? item.row;
      const message = words(
        "{id} comes after “{name}”, which is no item of the roadmap: it does not wait.",
        { id: item.id, name },
      );
      return { row, rule: "R-JIXO-18", message };
    }),
  );
  const circle = circleIn(log);
  const first = log.items.find(({ id }) => id === circle[0]);
  if (first === undefined) return unknown;
  const message = words("These wait for one another: {tasks}. One of them has to come first.", {
    tasks: circle.join(", "),
  });
  return [...unknown, { row: first.row, rule: "R-JIXO-18", message }];
}

function entryOrderProblems(entries: readonly Entry[]): LogProblem[] {
  return entries.flatMap(({ row, heading }, index) => {
    const before = entries[index - 1]?.heading;
    if (before === undefined || heading === undefined) return [];
    const isLater =
      before.number !== undefined && heading.number !== undefined
        ? heading.number >= before.number
        : Date.parse(heading.time) > Date.parse(before.time);
    const message = words("The entry is newer than the one before it: the newest comes first.");
    return isLater ? [{ row, rule: "R-JIXO-22", message }] : [];
  });
}

function historyProblems(log: JobLog): LogProblem[] {
  return [...newestEntries(log.tasks, log)].flatMap(([task, { entry, isReplanned }]) => {
    const { status, statusLines, row, id } = task;
    if (isReplanned || status === undefined || entry.result === undefined) return [];
    if (statusesAfter[entry.result].includes(status)) return [];
    const message = words("Task {id} is {status}, but its newest entry says {result}.", {
      id,
      status,
      result: entry.result,
    });
    return [{ row: statusLines[0]?.row ?? row, rule: "R-JIXO-26", message }];
  });
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
