import assert from "node:assert/strict";
import { english } from "../../../../src/core/text/translator.js";
import { groupedRows, type WorkGroup } from "../../../../src/vscode/work/groupedRows.js";
import { idInList } from "../../../../src/vscode/work/row.js";
import { RowCollection } from "../../../../src/vscode/work/rowCollection.js";

/** Returns a group of rows that are each below the one before, so that there is a root and what is below it. */
const group = (
  kind: WorkGroup["kind"],
  ids: readonly string[],
  more: Partial<WorkGroup> = {},
): WorkGroup => {
  const rows = new RowCollection(english);
  ids.forEach((id, at) => rows.add(ids[at - 1] ?? "", { id, label: id }));
  return { kind, rows, needsYou: 0, running: 0, ...more };
};
const grouped = (...groups: readonly WorkGroup[]) => groupedRows(groups, english);

describe("the groups of the view of all work", () => {
  it("are only those that have rows, with all their rows", () => {
    const { byId, children } = grouped(
      group("task", ["t", "t1"]),
      group("job", []),
      group("run", ["r", "r1"]),
    );
    assert.deepEqual(
      [...children],
      [
        ["", ["list:tasks", "list:runs"]],
        ["list:tasks", ["t"]],
        ["t", ["t1"]],
        ["list:runs", ["r"]],
        ["r", ["r1"]],
      ],
    );
    assert.deepEqual([...byId.keys()].sort(), ["list:runs", "list:tasks", "r", "r1", "t", "t1"]);
  });

  it("count all that they have, also what is not shown yet", () => {
    const rows = new RowCollection(english);
    rows.add("", { id: "r", label: "r" });
    rows.add("", { id: "more:runs:1", label: "more", hides: 41 });
    const { byId } = grouped(group("task", ["t"]), {
      kind: "run",
      rows,
      needsYou: 0,
      running: 0,
    });
    assert.equal(byId.get("list:runs")?.description, "42");
  });

  it("are none where there are tasks only, or nothing at all", () => {
    const tasks = group("task", ["t"]);
    assert.equal(grouped(tasks, group("job", []), group("run", [])), tasks.rows);
    assert.equal(grouped(group("task", []), group("job", [])).byId.size, 0);
  });

  it("begin with all that needs you: tasks as they are, and what waits in jobs and runs once more", () => {
    const tasks = new RowCollection(english);
    for (const id of ["group:needsYou", "group:done"]) tasks.add("", { id, label: id });
    tasks.add("group:needsYou", { id: "t1", label: "Which?" });
    tasks.add("group:done", { id: "t2", label: "Done" });
    const jobs = new RowCollection(english);
    jobs.add("", { id: "j", label: "docs", folding: "open" });
    const question = { id: "q", label: "Tu?", command: "rooroo.showJob", folding: "open" } as const;
    jobs.add("j", { ...question, needsYou: { description: "docs" } });
    const { byId, children } = grouped(
      { kind: "task", rows: tasks, needsYou: 1, running: 0 },
      { kind: "job", rows: jobs, needsYou: 1, running: 0 },
    );
    assert.deepEqual(
      [...children],
      [
        ["", ["list:needsYou", "list:tasks", "list:jobs"]],
        ["list:needsYou", ["t1", "waits:q"]],
        ["list:tasks", ["group:done"]],
        ["group:done", ["t2"]],
        ["list:jobs", ["j"]],
        ["j", ["q"]],
      ],
    );
    assert.equal(byId.get("list:needsYou")?.spoken, "Needs You, 2");
    const { folding, ...apart } = byId.get("waits:q")!;
    assert.equal(folding, undefined);
    // Its commands are about the row in its own list.
    const { id, description, command, argument } = apart;
    assert.deepEqual(
      [id, description, command, argument],
      ["waits:q", "docs", "rooroo.showJob", "q"],
    );
    assert.equal(idInList("waits:q"), "q");
  });

  it("have no group of tasks when all of them need you", () => {
    const tasks = new RowCollection(english);
    tasks.add("", { id: "group:needsYou", label: "" });
    tasks.add("group:needsYou", { id: "t1", label: "Which?" });
    const own = { kind: "task", rows: tasks, needsYou: 1, running: 0 } as const;
    const { children } = grouped(own, group("job", ["j"]));
    assert.deepEqual(children.get(""), ["list:needsYou", "list:jobs"]);
  });

  it("say what runs, else how much there is", () => {
    const { byId } = grouped(
      group("task", ["t"], { running: 2 }),
      group("job", ["j"]),
      group("run", ["r"]),
    );
    const said = [...byId.values()].filter(({ context }) => context?.startsWith("list") === true);
    assert.deepEqual(
      said.map(({ description, spoken, context }) => [description, spoken, context]),
      [
        ["2 running", "Tasks, 2 running", "list tasks"],
        ["1", "Jobs, 1", "list jobs"],
        ["1", "Runs, 1", "list runs"],
      ],
    );
  });
});
