import assert from "node:assert/strict";
import { groupedRows, type WorkGroup } from "../../../../src/vscode/work/groupedRows.js";
import { RowCollection } from "../../../../src/vscode/work/row.js";
import { translate } from "../../../fakes/translate.js";

/** Returns a group of rows that are each below the one before, so that there is a root and what is below it. */
const group = (
  kind: WorkGroup["kind"],
  ids: readonly string[],
  more: Partial<WorkGroup> = {},
): WorkGroup => {
  const rows = new RowCollection();
  ids.forEach((id, at) => rows.add(ids[at - 1] ?? "", { id, label: id }));
  return { kind, rows, needsYou: 0, running: 0, ...more };
};
const grouped = (...groups: readonly WorkGroup[]) => groupedRows(groups, translate);

describe("the groups of the view of all work", () => {
  it("are only those that have rows, with all their rows", () => {
    const { byId, children } = grouped(
      group("tasks", ["t", "t1"]),
      group("jobs", []),
      group("runs", ["r", "r1"]),
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

  it("are none where there are tasks only, or nothing at all", () => {
    const tasks = group("tasks", ["t"]);
    assert.equal(grouped(tasks, group("jobs", []), group("runs", [])), tasks.rows);
    assert.equal(grouped(group("tasks", []), group("jobs", [])).byId.size, 0);
  });

  it("say what needs you and what runs, else how much there is", () => {
    const { byId } = grouped(
      group("tasks", ["t"], { needsYou: 1, running: 2 }),
      group("jobs", ["j"], { needsYou: 2 }),
      group("runs", ["r"]),
    );
    const said = [...byId.values()].filter(({ context }) => context?.startsWith("list") === true);
    assert.deepEqual(
      said.map(({ description, spoken, context }) => [description, spoken, context]),
      [
        ["1 needs you · 2 running", "Tasks, 1 needs you, 2 running", "list tasks"],
        ["2 need you", "Jobs, 2 need you", "list jobs"],
        ["1", "Runs, 1", "list runs"],
      ],
    );
  });
});
