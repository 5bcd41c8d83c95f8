import assert from "node:assert/strict";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { logProblems } from "../../../../../src/core/jobs/documents/logProblems.js";
import { spoken } from "../../../../../src/core/text/words.js";
import { sample, sampleNames } from "./samples.js";

const told = (text: string) =>
  logProblems(readJobLog(text)).map(
    ({ row, rule, message }) => `${row + 1} ${rule} ${spoken(message)}`,
  );

describe("problems of a job log", () => {
  it("[R-JIXO-32] finds none in what people have in their files", () => {
    const wrong = ["mistakes", "brokenYaml", "openFrontMatter", "wrongProgress"];
    for (const name of sampleNames(".log.md")) {
      if (!wrong.includes(name.replace(".log.md", "")))
        assert.deepEqual(told(sample(name)), [], name);
    }
  });

  it("[R-JIXO-28] [R-JIXO-26] [R-JIXO-27] [R-JIXO-22] names each with its line and rule", () => {
    assert.deepEqual(told(sample("mistakes.log.md")), [
      "3 R-JIXO-28 progress says 90%, the tasks say 0%.",
      "8 R-JIXO-28 The phase is checked, but its task 1.1 is not done.",
      "9 R-JIXO-28 A phase has no status of its own; its tasks have.",
      "10 R-JIXO-28 Task 1.1 is checked, but its status is Pending.",
      "12 R-JIXO-28 Line 10 has a task 1.1, too.",
      '13 R-JIXO-26 "Doing" is no status of a task.',
      "15 R-JIXO-26 Task 1.2 is Locked, but nobody is named as runner.",
      "18 R-JIXO-28 Task 1.3 has a second status; the first counts.",
      "20 R-JIXO-26 Task 1.4 is Pending, but its newest entry says Succeeded.",
      "31 R-JIXO-28 The entry does not say: Objective, Summary.",
      "31 R-JIXO-22 The entry is newer than the one before it: the newest comes first.",
      '33 R-JIXO-28 "Boss" is none of Planner, Runner.',
      '34 R-JIXO-27 "Perfect" is none of Succeeded, Failed, Pending, Cancelled.',
      "36 R-JIXO-28 The entry's heading is not of the form Log N @Job (time).",
    ]);
  });

  it("[R-JIXO-26] names boxes that no Markdown knows, which would otherwise be work that nobody does", () => {
    const text = `## Roadmap
- [x] 1. Sow
- [-] 2. Water
- [] 3. Weed
- [ ]4. Reap
* [~] **5. Sell**
- [/] 6. Eat
  - status: Pending
- [docs](a.md), [ ](b.md), [1] and [!NOTE] are no boxes
- [1] is none
`;
    const { tasks } = readJobLog(text);
    assert.deepEqual(
      tasks.map(({ id, status }) => `${id} ${status ?? "?"}`),
      ["1 Completed", "2 ?", "3 ?", "4 ?", "5 ?", "6 Pending"],
    );
    assert.deepEqual(told(text), [
      '3 R-JIXO-26 "[-]" is no status of a task.',
      '4 R-JIXO-26 "[]" is no status of a task.',
      '5 R-JIXO-26 "[ ]" is no status of a task.',
      '6 R-JIXO-26 "[~]" is no status of a task.',
    ]);
  });

  it("[R-JIXO-26] takes a runner's line without a name for none", () => {
    const text = "- [ ] 1. Go\n  - status: Locked\n  - runner:\n";
    const message = "Task 1 is Locked, but nobody is named as runner.";
    assert.deepEqual(told(text), [`2 R-JIXO-26 ${message}`]);
  });

  it("[R-JIXO-28] says what is wrong with a front matter", () => {
    assert.deepEqual(told(sample("brokenYaml.log.md")), [
      "3 R-JIXO-28 The front matter is not YAML in column 12: a quote, bracket, colon, comma or space is missing.",
    ]);
    assert.deepEqual(told(sample("openFrontMatter.log.md")), [
      "1 R-JIXO-28 The front matter has no end: a line of ---.",
    ]);
    assert.deepEqual(told(sample("wrongProgress.log.md")), [
      '3 R-JIXO-28 progress is neither a percentage, as in "15%", nor a share, as in 0.15.',
    ]);
    assert.deepEqual(told("---\n- a\n---\n"), ["2 R-JIXO-28 The front matter has no keys."]);
    assert.deepEqual(told(`---\na: ${"[".repeat(99)}\n---\n`), [
      "2 R-JIXO-28 This is nested too deeply to be read.",
    ]);
    assert.deepEqual(told(`---\n${"a: b\n".repeat(9_999)}---\n`), [
      "2 R-JIXO-28 This is too long to be read.",
    ]);
  });

  it("[R-JIXO-22] compares entries without numbers by their times", () => {
    const text = sample("unnumberedEntries.log.md");
    const turned = text.replace("05-02T", "04-02T");
    assert.deepEqual(
      told(turned).map((line) => line.slice(0, 13)),
      ["19 R-JIXO-22 "],
    );
  });

  it("[R-JIXO-26] holds a status against the newest entry of its task, unless it was planned anew", () => {
    const log = (status: string, result: string, planned = "") =>
      `## Roadmap\n- [${status === "Completed" ? "x" : " "}] 1. Go\n  - status: ${status}\n  - runner: r\n` +
      `## Work Log\n${planned}### Log 1 @a (b)\n- **Role**: Runner\n- **Objective**: Task 1\n- **Result**: ${result}\n- **Summary**: s\n`;
    const fits = (status: string, result: string) => told(log(status, result)).length === 0;
    const fitting = ["Succeeded", "Failed", "Pending", "Cancelled"].map((result) =>
      ["Pending", "Locked", "Completed", "Failed", "Cancelled"].filter((one) => fits(one, result)),
    );
    assert.deepEqual(fitting, [
      ["Completed"],
      ["Pending", "Locked", "Failed", "Cancelled"],
      ["Pending", "Locked", "Cancelled"],
      // Its runner lost it, and says nothing of what became of it.
      ["Pending", "Locked", "Completed", "Failed", "Cancelled"],
    ]);
    const planned =
      "### Log 2 @a (b)\n- **Role**: Planner\n- **Objective**: Anew\n- **Result**: Succeeded\n- **Summary**: s\n";
    assert.deepEqual(told(log("Pending", "Succeeded", planned)), []);
  });
});
