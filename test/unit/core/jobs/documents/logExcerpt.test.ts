import assert from "node:assert/strict";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { logExcerpt, taskExcerpt } from "../../../../../src/core/jobs/documents/logExcerpt.js";
import { sample } from "./samples.js";

/** Tasks 1 to `done` are Completed, the rest Pending; an entry each for those that are done. */
function longLog(done: number, all: number) {
  const numbers = Array.from({ length: all }, (_, index) => index + 1);
  const tasks = numbers.map((number) => {
    const [box, status] = number <= done ? ["x", "Completed"] : [" ", "Pending"];
    return `  - [${box}] ${number}. Do thing ${number}\n    - status: ${status}\n`;
  });
  const entries = numbers
    .slice(0, done)
    .reverse()
    .map(
      (number) =>
        `### Log ${number} @job (now)\n\n- **Role**: Runner\n- **Objective**: Task ${number}. Do thing ${number}\n- **Result**: Succeeded\n- **Summary**: Did ${number}.\n`,
    );
  const text = `---\ntitle: Long\n---\n\n## Roadmap\n\n- [ ] **Phase A**\n${tasks.join("")}\n## Work Log\n\n${entries.join("\n")}`;
  return readJobLog(text);
}

describe("what a lifecycle is shown of its log", () => {
  it("[R-JIXO-6] is all of a short one", () => {
    const text = sample("plain.log.md");
    assert.equal(logExcerpt(readJobLog(text), "x"), text);
  });

  it("[R-JIXO-6] is what is left to do and was done last of a long one, and does not grow with its age", () => {
    const log = longLog(5_000, 10_000);
    const shown = logExcerpt(log, ".jixo/job.log.md");
    for (const line of [
      "title: Long",
      "- [ ] **Phase A**",
      "(left out: 5000 that are Completed or Cancelled)",
      "  - [ ] 5001. Do thing 5001",
      "(left out: 4940 open ones)",
      "### Log 5000 @job (now)",
      "- **Summary**: Did 4981.",
      "(4980 older entries are left out)",
    ]) {
      assert.ok(shown.split("\n").includes(line), line);
    }
    assert.ok(!shown.includes("Did 4980."));
    assert.match(
      shown,
      /^\(This log is long, and shortened here\. All of it is in \.jixo\/job\.log\.md\.\)/,
    );
    assert.ok(shown.length < 10_000, String(shown.length));
  });
});

describe("what a runner is shown of its log", () => {
  it("[R-JIXO-6] is all of a short one", () => {
    const log = readJobLog(sample("plain.log.md"));
    assert.equal(taskExcerpt(log, "x", log.tasks[0]!), log.lines.text);
  });

  it("[R-JIXO-6] is its task, those beside it and what was done last, of however many", () => {
    const log = longLog(5_000, 10_000);
    const task = log.tasks.find(({ id }) => id === "5001");
    assert.ok(task);
    const shown = taskExcerpt(log, ".jixo/job.log.md", task);
    for (const line of [
      "- [ ] **Phase A**",
      "  - [x] 4999. Do thing 4999",
      "  - [ ] 5001. Do thing 5001",
      "    - status: Pending",
      "  - [ ] 5003. Do thing 5003",
      "(and 9995 more beside them)",
      "- Task 5000. Do thing 5000: Succeeded. Did 5000.",
      "- Task 4998. Do thing 4998: Succeeded. Did 4998.",
    ]) {
      assert.ok(shown.split("\n").includes(line), line);
    }
    assert.match(
      shown,
      /^\(An excerpt; all of it is in \.jixo\/job\.log\.md\. The roadmap has 10000 tasks: 5000 Pending, 5000 Completed\. /,
    );
    assert.ok(!shown.includes("Did 4997."));
    assert.ok(shown.length < 1_200, String(shown.length));
  });

  it("[R-JIXO-6] has what was done last of its own task and of what it comes after, however long ago", () => {
    const text = longLog(600, 700)
      .lines.text.replace(
        "- [x] 3. Do thing 3\n    - status: Completed",
        "- [ ] 3. Do thing 3\n    - status: Pending\n    - after: 9",
      )
      .replace("Did 9.", `Did 9.${" Much.".repeat(500)}`);
    const log = readJobLog(text);
    const shown = taskExcerpt(log, "x", log.tasks[2]!);
    assert.ok(shown.includes("Succeeded. Did 3."));
    assert.match(shown, /Succeeded\. Did 9\.( Much\.){90,110}.*…/);
    assert.ok(!shown.includes("Did 4."));
  });
});
