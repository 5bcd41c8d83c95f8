import assert from "node:assert/strict";
import fc from "fast-check";
import { circleIn, DependencyReader } from "../../../../../src/core/jobs/documents/dependencies.js";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { logProblems } from "../../../../../src/core/jobs/documents/logProblems.js";
import { spoken } from "../../../../../src/core/text/words.js";
import { anyText } from "./anyLog.js";

const logOf = (...items: readonly string[]) =>
  readJobLog(`## Roadmap\n\n${items.map((item) => `${item}\n`).join("")}`);

/** Returns a log with three tasks, a phase of two, and one more that is written as given. */
const withLast = (text: string) =>
  logOf(
    "- [ ] 1. Look",
    "- [ ] 2. Choose",
    "- [ ] 3. **Pack** bags",
    "- [ ] 4. Book",
    "  - [ ] 4.1. Train",
    "  - [ ] 4.2. Hotel",
    `- [ ] 5. Go ${text}`,
  );

function readLast(text: string): { on: string[]; unknown: readonly string[] } {
  const log = withLast(text);
  const last = log.items.at(-1);
  assert.ok(last);
  const { on, unknown } = new DependencyReader(log).of(last);
  return { on: on.map(({ id }) => id), unknown };
}

describe("[R-JIXO-18] what a task waits for", () => {
  it("is read from people's own words", () => {
    for (const [text, ids] of [
      ["(after 1)", ["1"]],
      ["(after 4.1, 4.2)", ["4.1", "4.2"]],
      ["(after task 1)", ["1"]],
      ["(after tasks 1, 2 and 3)", ["1", "2", "3"]],
      ["(After phase 4.)", ["4"]],
      ["(after 1-3)", ["1", "2", "3"]],
      ["(after 1–2, 4.1 to 4.2)", ["1", "2", "4.1", "4.2"]],
      ["(depends on 1)", ["1"]],
      ["(depends on #1 & #2)", ["1", "2"]],
      ["[waits for: 2]", ["2"]],
      ["(needs 1 and 2)", ["1", "2"]],
      ["(once 1 and 2 are done)", ["1", "2"]],
      ["(after Look)", ["1"]],
      ["(after “pack bags”)", ["3"]],
      ["(blocked by 4.2), quickly", ["4.2"]],
      ["（在 1 之后）", ["1"]],
      ["（任务 1、2 完成后）", ["1", "2"]],
      ["（依赖 1 和 2）", ["1", "2"]],
      ["(nach Aufgabe 1 und 2)", ["1", "2"]],
      ["(after none)", []],
      ["\n  - after: 1, 2", ["1", "2"]],
      ["(after 1)\n  - depends on: 3", ["3", "1"]],
    ] as const) {
      assert.deepEqual(readLast(text), { on: [...ids], unknown: [] }, text);
    }
  });

  it("is not read from remarks, and not from the task's own name", () => {
    for (const text of [
      "(needs Node 20)",
      "(when done, tag it)",
      "(2 hours)",
      "after 1",
      "(after 5)",
    ]) {
      assert.deepEqual(readLast(text), { on: [], unknown: [] }, text);
    }
  });

  it("is a problem at its line where nothing has that name", () => {
    assert.deepEqual(readLast("(after 1, 7)"), { on: ["1"], unknown: ["7"] });
    assert.deepEqual(readLast("(after lunch)"), { on: [], unknown: ["lunch"] });
    const problems = logProblems(withLast("\n  - status: Pending\n  - after: 7"));
    assert.deepEqual(
      problems.map(({ row, rule, message }) => ({ row, rule, message: spoken(message) })),
      [
        {
          row: 10,
          rule: "R-JIXO-18",
          message: "5 comes after “7”, which is no item of the roadmap: it does not wait.",
        },
      ],
    );
  });

  it("is a problem where items wait for one another", () => {
    assert.deepEqual(circleIn(logOf("- [ ] 1. A (after 2)", "- [ ] 2. B (after 1)")), ["1", "2"]);
    const inPhase = logOf("- [ ] 1. A", "  - [ ] 1.1. B (after 1)", "- [ ] 2. C (after 1)");
    assert.deepEqual(circleIn(inPhase), ["1", "1.1"]);
    assert.deepEqual(
      circleIn(logOf("- [ ] 1. A", "- [ ] 2. B (after 1)", "- [ ] 3. C (after 2, 1)")),
      [],
    );
    assert.match(
      spoken(logProblems(inPhase)[0]?.message ?? ""),
      /^These wait for one another: 1, 1\.1\./,
    );
  });

  it("can be asked of any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const log = readJobLog(text);
        const reader = new DependencyReader(log);
        for (const item of log.items) assert.ok(!reader.of(item).on.includes(item));
        circleIn(log);
      }),
    );
  });
});
