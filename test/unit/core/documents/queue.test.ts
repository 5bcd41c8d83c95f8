import assert from "node:assert/strict";
import fc from "fast-check";
import { meantExpert } from "../../../../src/core/documents/meant/meantWord.js";
import {
  append,
  changeTask,
  formatQueueEntry,
  insertAtHead,
  insertBefore,
  moveTask,
  parseQueue,
  type QueueEntry,
  removeTask,
} from "../../../../src/core/documents/queue.js";
import { spoken } from "../../../../src/core/text/words.js";

const experts = [
  { slug: "rooroo-developer", name: "Developer" },
  { slug: "rooroo-analyzer", name: "Analyzer" },
];
const known = (name: string) => meantExpert(name, experts);

const entry: QueueEntry = {
  taskId: "ROO#TASK_1",
  parentTaskId: null,
  mode: "rooroo-developer",
  contextPath: ".rooroo/tasks/ROO#TASK_1/context.md",
  goal: 'Say "hi"\nand go',
  planId: null,
  autoProceed: true,
};

function only(text: string) {
  const lines = parseQueue(text, known);
  assert.equal(lines.length, 1);
  return lines[0]!;
}

describe("queue document", () => {
  it("[R-ROO-25] reads back what it writes", () => {
    for (const one of [entry, { ...entry, planId: "ROO#PLAN_1", autoProceed: false }]) {
      const line = only(formatQueueEntry(one));
      assert.deepEqual(line.kind === "task" && line.entry, one);
    }
  });

  it("[R-ROO-25] reads what other tools write: other names, CRLF, a literal \\n, a byte order mark", () => {
    const json =
      '{"taskId":"ROO#T","parent_task_id":"ROO#P","suggested_mode":"rooroo-analyzer","goal_for_expert":"x","extra":[1]}';
    for (const text of [json, `${json}\r\n`, `${json}\\n\n`, `\uFEFF${json}\n`, `  ${json}  \n`]) {
      const line = only(text);
      assert.ok(line.kind === "task", text);
      assert.equal(line.entry.parentTaskId, "ROO#P");
      assert.equal(line.entry.contextPath, ".rooroo/tasks/ROO#T/context.md");
    }
  });

  it("[R-ROO-25] finds the expert that a line names in another spelling", () => {
    for (const mode of ["developer", "Rooroo Developer", "ROOROO_DEVELOPER"]) {
      const line = only(formatQueueEntry({ ...entry, mode }));
      assert.ok(line.kind === "task" && line.entry.mode === "rooroo-developer", mode);
    }
  });

  it("[R-ROO-25] says of each line that cannot be used what is wrong, and passes over it", () => {
    const good = formatQueueEntry(entry);
    const reasons = (text: string) =>
      parseQueue(text, known).map((line) =>
        line.kind === "problem" ? spoken(line.reason) : line.kind,
      );
    assert.match(reasons("{torn")[0]!, /not a JSON object/);
    assert.match(reasons("[]")[0]!, /The line: must be an object\./);
    assert.match(
      reasons(good.replace("rooroo-developer", "AMBIGUOUS_EXPERT_CHOICE"))[0]!,
      /no expert/,
    );
    assert.match(reasons(good.replace("ROO#TASK_1", "../../x"))[0]!, /"taskId"/);
    const other = formatQueueEntry({ ...entry, goal: "Another" });
    assert.match(reasons(`${good}\n${other}`)[1]!, /queued already/);
    assert.deepEqual(reasons(`\n${good}\n\n`), ["blank", "task", "blank"]);
  });

  it("[R-ROO-25] takes a line that is there twice for one task, which leaves the queue with both", () => {
    const mine = formatQueueEntry(entry);
    const kinds = parseQueue(`${mine}\n${mine}\n`, known).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["task", "repeat"]);
    assert.equal(removeTask(`x\n${mine}\n\n${mine}`, entry.taskId), "x\n\n");
  });

  it("[R-ROO-25] reads the names that tools give to the context file, and texts with white space around them", () => {
    const path = ".rooroo/tasks/T_1/notes.md";
    for (const name of ["context_file", "context_path", "contextPath", "contextFilePath"]) {
      const line = only(
        JSON.stringify({
          taskId: " T_1 ",
          suggested_mode: " rooroo-developer",
          goal_for_expert: "Go ",
          context_file_path: "",
          [name]: `${path} `,
          plan_id: 5,
          auto_proceed_plan: "false",
          status: "pending",
        }),
      );
      assert.deepEqual(line.kind === "task" && line.entry, {
        taskId: "T_1",
        parentTaskId: null,
        mode: "rooroo-developer",
        contextPath: path,
        goal: "Go",
        planId: null,
        autoProceed: false,
      });
    }
  });

  it("[R-ROO-25] takes from a line that its task has ended", () => {
    const line = (status: string) =>
      only(formatQueueEntry(entry).replace("{", `{"status":${JSON.stringify(status)},`));
    for (const [status, ended] of [
      ["Completed", true],
      ["完成", true],
      ["queued", undefined],
    ]) {
      const read = line(String(status));
      assert.equal(read.kind === "task" && read.entry.ended, ended, String(status));
    }
  });

  it("[R-ROO-24] reads every id that can be a folder's name, and no other", () => {
    const isRead = (taskId: string) =>
      only(formatQueueEntry({ ...entry, taskId, contextPath: "a.md" })).kind === "task";
    const nested = "ROO#SUB_ROO#TASK_20250101000000_A1B2C3D4-S001_20250101000100_0001";
    for (const id of [
      nested,
      "NAV_PLAN_005",
      "DEBUG_7",
      "v1.2-b",
      "任务_001",
      "ROO#SUB_x-y_S004",
    ]) {
      assert.ok(isRead(id), id);
    }
    const no = [
      "..",
      ".a",
      "a.",
      "a/b",
      "a\\b",
      "a b",
      "-x",
      "CON",
      "nul.txt",
      "a:b",
      "a`b",
      "a".repeat(121),
    ];
    for (const id of [...no, "任".repeat(33), "a\u0007", "a*", 'a"b']) assert.ok(!isRead(id), id);
  });

  describe("with objects that have several lines", () => {
    const spread = (id: string, end = "\n") =>
      JSON.stringify(
        { taskId: id, suggested_mode: "rooroo-developer", goal_for_expert: `Do {${id}}` },
        null,
        2,
      ).replaceAll("\n", end);

    it("[R-ROO-25] reads each as one task, at its first line", () => {
      const text = `\uFEFF${spread("A")}\n\n${spread("B", "\r\n")},\r\n${formatQueueEntry(entry)}\n${spread("C")}`;
      const lines = parseQueue(text, known).filter(({ kind }) => kind !== "blank");
      assert.deepEqual(
        lines.map((line) => [line.line, line.kind === "task" && line.entry.taskId]),
        [
          [1, "A"],
          [7, "B"],
          [12, entry.taskId],
          [13, "C"],
        ],
      );
    });

    it("keeps what is torn apart from what follows it", () => {
      const torn = '{\n  "taskId": "T",\n  "goal_for';
      const kinds = parseQueue(`${torn}\n${spread("A")}\n{torn\n${spread("B")}\n`, known).flatMap(
        (line) => (line.kind === "task" ? [line.entry.taskId] : []),
      );
      assert.deepEqual(kinds, ["A", "B"]);
    });

    it("removes, moves and changes one, and every other byte stays", () => {
      const [a, b, c] = [spread("A"), spread("B"), formatQueueEntry({ ...entry, taskId: "C" })];
      const text = `{torn\n${a}\n\n${b}\r\n${c}`;
      assert.equal(removeTask(text, "A"), `{torn\n\n${b}\r\n${c}`);
      assert.equal(removeTask(text, "B"), `{torn\n${a}\n\n${c}`);
      assert.equal(moveTask(text, "B", "A"), `{torn\n${b}\r\n${a}\n\n${c}`);
      const changed = changeTask(text, "A", { goal: "New" });
      assert.ok(changed.startsWith("{torn\n{") && changed.endsWith(`}\n\n${b}\r\n${c}`));
      assert.equal(insertBefore(removeTask(text, "A"), a, "B"), `{torn\n\n${a}\n${b}\r\n${c}`);
    });
  });

  it("[R-ROO-26] puts lines at the head in their own order", () => {
    assert.equal(insertAtHead("old\n", ["a", "b"]), "a\nb\nold\n");
    assert.equal(insertAtHead("torn", ["a"]), "a\ntorn");
    assert.equal(insertAtHead("\uFEFFold\n", ["a"]), "\uFEFFa\nold\n");
  });

  it("removes a task's lines and no other byte", () => {
    const mine = formatQueueEntry(entry);
    assert.equal(removeTask(`x\r\n${mine}\n\ny`, entry.taskId), "x\r\n\ny");
    assert.equal(removeTask(`\uFEFF${mine}\nz`, entry.taskId), "\uFEFFz");
    const mention = mine.replace('"ROO#TASK_1"', '"ROO#TASK_2"');
    assert.equal(removeTask(`${mention}\n`, entry.taskId), `${mention}\n`);
  });

  it("moves a task's line, and every line keeps its bytes", () => {
    const [a, b, c] = ["A", "B", "C"].map((id) =>
      formatQueueEntry({ ...entry, taskId: `ROO#${id}` }),
    );
    const text = `\uFEFF${a}\r\n\n# torn\n${b}\n${c}`;
    assert.equal(moveTask(text, "ROO#C", "ROO#A"), `\uFEFF${c}\n${a}\r\n\n# torn\n${b}\n`);
    assert.equal(moveTask(text, "ROO#A", null), `\uFEFF\n# torn\n${b}\n${c}\n${a}\r\n`);
    assert.equal(moveTask(text, "ROO#A", "ROO#NONE"), text);
    assert.equal(moveTask(text, "ROO#NONE", null), text);
    assert.equal(moveTask(`${a}\n${a}\n${b}\n`, "ROO#A", null), `${a}\n${b}\n${a}\n`);
  });

  it("puts a line at the end, a torn one before it kept apart", () => {
    assert.equal(append("", "a"), "a\n");
    assert.equal(append("x\n", "a"), "x\na\n");
    assert.equal(append("torn", "a"), "torn\na\n");
  });

  it("survives any text: nothing is lost, nothing throws", () => {
    const anything = fc.array(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.json(),
        fc.constant(formatQueueEntry(entry)),
        fc.constant(JSON.stringify({ taskId: "ROO#NEWER", more: [{}] }, null, 1)),
        fc.constantFrom("\r\n", "\n", "\n{", "\uFEFF", "\0", "\\n", "\uD800"),
      ),
    );
    fc.assert(
      fc.property(anything, (pieces) => {
        const text = pieces.join("");
        const lines = parseQueue(text, known);
        assert.equal(lines.map(({ raw }) => raw).join(""), text);
        const added = insertAtHead(text, [formatQueueEntry({ ...entry, taskId: "ROO#NEW" })]);
        assert.equal(removeTask(added, "ROO#NEW"), text);
      }),
      { numRuns: 2000 },
    );
  });
});
