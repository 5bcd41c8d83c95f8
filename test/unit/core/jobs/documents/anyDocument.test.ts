import assert from "node:assert/strict";
import fc from "fast-check";
import { UserError } from "../../../../../src/core/errors.js";
import { editJobLog, type LogEdit } from "../../../../../src/core/jobs/documents/editJobLog.js";
import {
  askInJobFile,
  readJobFile,
  withDecision,
  withoutAnswered,
} from "../../../../../src/core/jobs/documents/jobFile.js";
import {
  type JobLog,
  logNotes,
  progressOf,
  readJobLog,
} from "../../../../../src/core/jobs/documents/jobLog.js";
import { logProblems } from "../../../../../src/core/jobs/documents/logProblems.js";
import { readLabelled } from "../../../../../src/core/jobs/documents/outline.js";
import { type ItemField, itemFields } from "../../../../../src/core/jobs/documents/roadmap.js";
import {
  type ItemFields,
  phasesAround,
} from "../../../../../src/core/jobs/documents/roadmapEdits.js";
import {
  nextStatuses,
  type TaskStatus,
  taskStatuses,
} from "../../../../../src/core/jobs/documents/taskStatus.js";
import { triage } from "../../../../../src/core/jobs/work/triage.js";
import { tries } from "../../../../fakes/tries.js";
import { anyText } from "./anyLog.js";
import { sample } from "./samples.js";

const words = fc.string({ unit: "binary", maxLength: 30 });
const lines = fc.array(fc.oneof(words, anyText), { maxLength: 3 }).map((all) => all.join("\n"));

/** What to do, with places as numbers: they are taken modulo what there is. */
const command = fc.oneof(
  fc.record({
    type: fc.constant("status" as const),
    at: fc.nat({ max: 50 }),
    status: fc.constantFrom(...taskStatuses),
    attempts: fc.option(fc.constantFrom("1", "2", "**3**", ""), { nil: undefined }),
  }),
  fc.record({ type: fc.constantFrom("park" as const, "reopen"), at: fc.nat({ max: 50 }) }),
  fc.record({ type: fc.constant("title" as const), title: words }),
  fc.record({ type: fc.constant("progress" as const) }),
  fc.record({
    type: fc.constant("note" as const),
    key: fc.constantFrom(...logNotes),
    value: words,
  }),
  fc.record({ type: fc.constant("entry" as const), objective: lines, summary: lines }),
  fc.record({
    type: fc.constant("add" as const),
    at: fc.nat({ max: 50 }),
    text: fc.oneof(words, fc.constantFrom("5. Five", "1.1. Again", "[x] box", "- dash", "# head")),
  }),
  fc.record({
    type: fc.constant("replace" as const),
    at: fc.nat({ max: 50 }),
    text: words,
    details: words,
  }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

function editOf(command: Command, log: JobLog): LogEdit | undefined {
  switch (command.type) {
    case "status": {
      const task = log.tasks[command.at % Math.max(1, log.tasks.length)];
      if (task === undefined) return undefined;
      const fields = { attempts: command.attempts };
      if (command.status === "Locked") {
        return { type: "lock", task: task.id, runner: "r-9", fields };
      }
      return { type: "setStatus", task: task.id, status: command.status, fields };
    }
    case "park":
    case "reopen": {
      const task = log.tasks[command.at % Math.max(1, log.tasks.length)];
      return task && { type: command.type, task: task.id, question: "Q-1" };
    }
    case "title":
      return { type: "setTitle", title: command.title };
    case "progress":
      return { type: "updateProgress" };
    case "note":
      return command;
    case "entry": {
      const { objective, summary } = command;
      const entry = { jobName: "job", time: "now", role: "Runner", result: "Pending" } as const;
      return { type: "addEntry", entry: { ...entry, objective, summary } };
    }
    case "add": {
      const phases = log.items.filter(({ kind }) => kind === "phase");
      const phase = phases[command.at % (phases.length + 1)]?.id;
      const items = [{ text: command.text }];
      return { type: "addItems", items, ...(phase === undefined ? {} : { phase }) };
    }
    case "replace": {
      const item = log.items[command.at % Math.max(1, log.items.length)];
      if (item === undefined) return undefined;
      const { text, details } = command;
      return { type: "replaceItem", item: item.id, items: [{ text, fields: { details } }] };
    }
  }
}

/** What a log says, as the model in these tests keeps it. */
interface Model {
  title: string | undefined;
  progress: number | undefined;
  notes: JobLog["notes"];
  tasks: {
    text: string;
    status: TaskStatus | undefined;
    runner: string | undefined;
    fields: Partial<Record<ItemField, string | undefined>>;
  }[];
  summaries: (string | undefined)[];
}

function modelOf(log: JobLog): Model {
  return {
    title: log.title,
    progress: log.givenProgress,
    notes: log.notes,
    tasks: log.tasks.map(({ text, status, runner, fields }) => ({
      text,
      status,
      runner,
      fields: Object.fromEntries([...fields].map(([name, { value }]) => [name, value])),
    })),
    summaries: log.entries.map(({ fields }) => fields.get("summary")?.value),
  };
}

const tidy = (text: string) =>
  text
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => (line.trim() === "" ? "" : line))
    .join("\n");
const flat = (text: string) => text.trim().replace(/\s+/g, " ");

function setFields(task: Pick<Model["tasks"][number], "fields">, fields: ItemFields = {}): void {
  for (const name of itemFields.filter((one) => one in fields)) {
    task.fields[name] = readLabelled(`${name}: ${flat(fields[name] ?? "")}`)?.value;
    if (!task.fields[name]) task.fields = omit(task.fields, name);
  }
}

function omit<T extends object>(all: T, name: keyof T): T {
  return Object.fromEntries(Object.entries(all).filter(([one]) => one !== name)) as T;
}

/** Changes the model as the edit is to change the log. */
function apply(edit: LogEdit, before: JobLog, model: Model): void {
  switch (edit.type) {
    case "lock":
    case "setStatus": {
      const task = model.tasks[before.tasks.findIndex(({ id }) => id === edit.task)];
      assert.ok(task);
      task.status = edit.type === "lock" ? "Locked" : edit.status;
      if (edit.type === "lock") task.runner = edit.runner;
      else if (edit.status === "Pending") task.runner = undefined;
      setFields(task, edit.fields);
      break;
    }
    case "reopen":
    case "park": {
      const task = model.tasks[before.tasks.findIndex(({ id }) => id === edit.task)];
      assert.ok(task);
      Object.assign(task, { status: "Pending", runner: undefined });
      const question = edit.type === "park" ? edit.question : undefined;
      setFields(task, { "waits for": question, attempts: undefined });
      break;
    }
    case "setTitle":
      model.title = edit.title;
      break;
    case "note":
      model.notes = { ...model.notes, [edit.key]: edit.value };
      break;
    case "updateProgress":
      model.progress = progressOf(before.tasks);
      break;
    case "addEntry":
      model.summaries.unshift(tidy(edit.entry.summary) || "");
      break;
    case "addItems":
    case "replaceItem": {
      const added = edit.items.map(({ text, fields }) => {
        const task = {
          text: flat(text),
          status: "Pending" as const,
          runner: undefined,
          fields: {},
        };
        setFields(task, fields);
        return task;
      });
      const ids = before.tasks.map(({ id }) => id);
      const named = edit.type === "replaceItem" ? edit.item : edit.phase;
      const found = before.items.find(({ id }) => id === named);
      const inside = before.tasks.filter(
        (task) =>
          task === found || phasesAround(before.roadmap, task.id).some((one) => one === found),
      );
      const at = inside[0] === undefined ? before.tasks.length : ids.indexOf(inside[0].id);
      if (edit.type === "replaceItem") model.tasks.splice(at, inside.length, ...added);
      else model.tasks.splice(at + inside.length, 0, ...added);
    }
  }
}

/** Returns the rows that an edit of a task may touch: its own, its status', its runner's. */
function rowsOf(log: JobLog, id: string): Set<number> {
  const task = log.tasks.find((one) => one.id === id);
  assert.ok(task);
  const own = [...task.statusLines, ...task.runnerLines, ...task.fields.values()];
  return new Set([task.row, ...own.map(({ row }) => row)]);
}

function rest(log: JobLog, id: string): string[] {
  const own = rowsOf(log, id);
  const phases = new Set(phasesAround(log.roadmap, id).map(({ row }) => row));
  return Array.from({ length: log.lines.count }, (_, row) => row)
    .filter((row) => !own.has(row))
    .map((row) =>
      phases.has(row) ? log.lines.row(row).replace(/\[[ xX]\]/, "[ ]") : log.lines.row(row),
    );
}

describe("any document of a job", () => {
  it("[R-JIXO-32] is read, and written back with every byte", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const log = readJobLog(text);
        assert.equal(log.lines.text, text);
        assert.equal(log.lines.with([]), text);
        const rows = Array.from({ length: log.lines.count }, (_, row) =>
          text.slice(log.lines.offset(row), log.lines.offset(row + 1)),
        );
        assert.equal(rows.join(""), text);
        for (const { row } of [...logProblems(log), ...log.items, ...log.entries]) {
          assert.ok(row >= 0 && row < log.lines.count);
        }
        assert.equal(readJobFile(text).lines.text, text);
      }),
      { numRuns: tries(700) },
    );
  });

  it("[R-JIXO-26] after any sequence of edits reads as a model that had them, or refuses one", () => {
    let made = 0;
    fc.assert(
      fc.property(anyText, fc.array(command, { minLength: 1, maxLength: 6 }), (text, commands) => {
        let log = readJobLog(text);
        const model = modelOf(log);
        for (const command of commands) {
          const edit = editOf(command, log);
          if (edit === undefined) continue;
          let after: JobLog;
          try {
            after = editJobLog(log, [edit], 2);
          } catch (error) {
            assert.ok(error instanceof UserError, String(error));
            continue;
          }
          if (edit.type === "setStatus" || edit.type === "lock") {
            const was = log.tasks.find(({ id }) => id === edit.task)?.status;
            const status = edit.type === "lock" ? "Locked" : edit.status;
            assert.ok(was && nextStatuses(was, 2).includes(status));
            assert.deepEqual(rest(after, edit.task), rest(log, edit.task));
          }
          apply(edit, log, model);
          log = after;
          made++;
          assert.deepEqual(modelOf(readJobLog(log.lines.text)), model);
        }
      }),
      { numRuns: tries(500) },
    );
    // Most documents can be edited: refusing is for those that cannot.
    assert.ok(made > 400, String(made));
  });

  it("takes every legal edit where nothing is wrong with the document", () => {
    const start = readJobLog(sample("plain.log.md"));
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 12 }), (commands) => {
        let log = start;
        for (const command of commands) {
          const edit = editOf(command, log);
          if (
            edit?.type === "setTitle" ||
            edit?.type === "updateProgress" ||
            edit?.type === "note" ||
            edit?.type === "addEntry"
          ) {
            log = editJobLog(log, [edit], 2);
          } else if (edit?.type === "setStatus" || edit?.type === "lock") {
            const { status } = log.tasks.find(({ id }) => id === edit.task) ?? {};
            const next = edit.type === "lock" ? "Locked" : edit.status;
            if (status && nextStatuses(status, 2).includes(next)) log = editJobLog(log, [edit], 2);
          }
        }
      }),
      { numRuns: tries(80) },
    );
  });

  it("[R-JIXO-21] makes of several edits at once what they make one by one", () => {
    let made = 0;
    const several = fc.array(command, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(anyText, several, (text, commands) => {
        const log = readJobLog(text);
        const edits = commands.flatMap((one) => editOf(one, log) ?? []);
        const outcome = (make: () => JobLog): string => {
          try {
            return make().lines.text;
          } catch (error) {
            assert.ok(error instanceof UserError, String(error));
            return `refused: ${error.message}`;
          }
        };
        const single = outcome(() =>
          edits.reduce((before, edit) => editJobLog(before, [edit], 2), log),
        );
        if (!single.startsWith("refused")) made++;
        assert.equal(
          outcome(() => editJobLog(log, edits, 2)),
          single,
        );
      }),
      { numRuns: tries(600) },
    );
    assert.ok(made > 100, String(made));
  });

  it("tells of any log and job file what comes next, or why nothing can", () => {
    const who = {
      live: new Set(["r-1"]),
      runner: "r-2",
      version: 2,
      judgement: { fits: true, reason: "" },
      now: new Date(0),
    } as const;
    fc.assert(
      fc.property(anyText, anyText, (text, jobText) => {
        const log = readJobLog(text);
        try {
          const found = triage({ log, job: readJobFile(jobText), ...who });
          assert.equal(found.log.tasks.length, log.tasks.length);
          if (found.next.type === "run") assert.equal(found.next.task.status, "Pending");
        } catch (error) {
          assert.ok(error instanceof UserError, String(error));
        }
      }),
      { numRuns: tries(300) },
    );
  });

  it("[R-JIXO-25] asks at the end of any job file, and is as it was without the answered question", () => {
    const asked = {
      id: "Q-new",
      toUser: "I went on.",
      question: "Which\nof both?",
      placeholder: "Here.",
    };
    let made = 0;
    let kept = 0;
    fc.assert(
      fc.property(anyText, (text) => {
        const before = readJobFile(text);
        let after;
        try {
          after = askInJobFile(before, asked);
        } catch (error) {
          assert.ok(error instanceof UserError, String(error));
          return;
        }
        made++;
        assert.ok(after.lines.text.startsWith(text));
        const answered = readJobFile(
          after.lines.text.replace(/<!-- Here\. -->(\r\n?|\n)---(\r\n?|\n)$/, "Both.$1---$2"),
        );
        assert.equal(answered.clarifications.at(-1)?.answer, "Both.");
        const back = withoutAnswered(answered, "Q-new").lines.text;
        assert.equal(back.startsWith(text) ? back.slice(text.length).trim() : back, "");
        let decided;
        try {
          decided = withDecision(before, { question: "Which?", answer: "Both." });
        } catch (error) {
          assert.ok(error instanceof UserError, String(error));
          return;
        }
        kept++;
        // The heading is in the language of the file.
        const heading = /## (?:Decided|Entschieden|Decidido|決定事項|已决定)/;
        const rest = decided.lines.text.replace("- Which? → Both.", "").replace(heading, "");
        assert.equal(rest.replace(/\s/g, ""), text.replace(heading, "").replace(/\s/g, ""));
      }),
      { numRuns: tries(400) },
    );
    assert.ok(made > 100, String(made));
    assert.ok(kept > 100, String(kept));
  });
});
