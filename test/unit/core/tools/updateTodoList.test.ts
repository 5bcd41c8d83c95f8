import assert from "node:assert/strict";
import fc from "fast-check";
import { spoken } from "../../../../src/core/text/words.js";
import { parseChecklist, updateTodoList } from "../../../../src/core/tools/updateTodoList.js";
import { ToolWorld } from "./toolWorld.js";

describe("update_todo_list", () => {
  it("hands the steps on, and says how far the work is", async () => {
    const todos = "- [x] `Read`\n- [-] Fix\n- [ ] Test";
    const result = await new ToolWorld().use(updateTodoList, { todos });
    assert.deepEqual(result, {
      ok: true,
      content: "Shown. 2 to go.",
      checklist: [
        { text: "Read", state: "done" },
        { text: "Fix", state: "doing" },
        { text: "Test", state: "open" },
      ],
    });
    assert.equal(spoken(updateTodoList.title({ todos })), "1 of 3 done: Fix");
  });

  it("refuses a list without steps, and says how one looks", async () => {
    assert.match(await new ToolWorld().refusal(updateTodoList, { todos: "\n# \n" }), /\[ \] Read/);
  });
});

describe("parseChecklist", () => {
  it("reads what models write: bullets, numbers, boxes of every kind, none at all", () => {
    const text =
      "# Plan\n1. [X] a\n2) [ ] b\n* [~] c\n[>] d\n- e\nf [x] g\n[] h\r\n\n---\n```\n[?] i";
    assert.deepEqual(
      parseChecklist(text).map((step) => `${step.state} ${step.text}`),
      ["done a", "open b", "doing c", "doing d", "open e", "open h", "open [?] i"],
    );
    assert.deepEqual(
      parseChecklist("Read\nFix it\n").map((step) => step.text),
      ["Read", "Fix it"],
    );
  });

  it("takes no prose beside the steps for a step", () => {
    assert.deepEqual(
      parseChecklist("This is what I will do:\n\n- [x] a\n- b\n\nI begin with b.").map(
        ({ text }) => text,
      ),
      ["a", "b"],
    );
  });

  it("bounds what it takes", () => {
    assert.equal(parseChecklist("[ ] a\n".repeat(1000)).length, 100);
    assert.equal(parseChecklist(`[ ] ${"a".repeat(9000)}`)[0]?.text.length, 501);
  });

  it("never throws, and keeps every word of an ordinary list", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => void parseChecklist(text)));
    const word = fc.stringMatching(/^[a-z]{1,12}( [a-z]{1,12})?$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.constantFrom(" ", "-", "x"))), (steps) => {
        const text = steps.map(([words, box]) => `- [${box}] ${words}`).join("\n");
        const read = parseChecklist(text).map((step) => step.text);
        assert.deepEqual(
          read,
          steps.slice(0, 100).map(([words]) => words),
        );
      }),
    );
  });
});
