import assert from "node:assert/strict";
import fc from "fast-check";
import {
  append,
  formatQueueEntry,
  insertAtHead,
  moveTask,
  parseQueue,
  type QueueEntry,
  removeTask,
} from "../../../../src/core/documents/queue.js";
import { spoken } from "../../../../src/core/text/words.js";

const known = (slug: string) => slug === "rooroo-developer" || slug === "rooroo-analyzer";

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
    assert.match(reasons(`${good}\n${good}`)[1]!, /queued already/);
    assert.deepEqual(reasons(`\n${good}\n\n`), ["blank", "task", "blank"]);
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
        fc.constantFrom("\r\n", "\n", "\uFEFF", "\0", "\\n", "\uD800"),
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
