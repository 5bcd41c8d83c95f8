import assert from "node:assert/strict";
import fc from "fast-check";
import { fixedDocument } from "../../../../../src/core/jobs/documents/jobDocument.js";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { fixedLog, logProblems } from "../../../../../src/core/jobs/documents/logProblems.js";
import { spoken } from "../../../../../src/core/text/words.js";
import { anyText } from "./anyLog.js";
import { sample } from "./samples.js";

/** Puts right what can be, of the problem that says this. */
function fixed(text: string, says: RegExp): string | undefined {
  const log = readJobLog(text);
  const problem = logProblems(log).find(({ message }) => says.test(spoken(message)));
  assert.ok(problem, `there is a problem ${String(says)}`);
  return problem.fix && fixedLog(log, problem.fix);
}

const log = (...rows: readonly string[]) =>
  `\uFEFF---\r\ntitle: t # mine\r\nprogress: 90%\r\n---\r\n\r\n## Roadmap\r\n\r\n${rows.join("\r\n")}\r\n\r\n  \r\n## Work Log`;

describe("mending a job log", () => {
  it("[R-JIXO-28] writes progress as the tasks say, in the form that it has", () => {
    const text = log("- [x] 1. Go", "- [ ] 2. Stay", "- [ ] 3. Come");
    assert.equal(fixed(text, /^progress says/), text.replace("90%", '"33%"'));
    const share = text.replace("90%", "0.9  # share");
    assert.equal(fixed(share, /^progress says/), share.replace("0.9", "0.33"));
    const words = text.replace("90%", "most of it");
    assert.equal(fixed(words, /^progress is neither/), words.replace("most of it", '"33%"'));
  });

  it("[R-JIXO-28] checks and unchecks boxes as the statuses say", () => {
    const task = log("- [X] 1. Go  ", "\t- **status**: `Pending`");
    assert.equal(fixed(task, /^Task 1 is checked/), task.replace("[X]", "[ ]"));
    const done = log("* [ ] 1. Go", "  status: Completed");
    assert.equal(fixed(done, /^Task 1 is not checked/), done.replace("[ ]", "[x]"));
    const phase = log("1. [x] All", "   - [ ] 1.1. Go");
    assert.equal(fixed(phase, /^The phase is checked/), phase.replace("[x]", "[ ]"));
  });

  it("[R-JIXO-28] takes out the lines that do not count", () => {
    const [first, second, third] = ["  - status: Pending", "  - status: Failed", "  - status:"];
    const statuses = log("- [ ] 1. Go", first, second, third, "- [ ] 2. Stay");
    assert.equal(
      fixed(statuses, /second status/),
      statuses.replace(`${second}\r\n${third}\r\n`, ""),
    );
    const runners = log("- [ ] 1. Go", "  - status: Locked", "  - runner: a", "  - executor: b");
    assert.equal(fixed(runners, /second runner/), runners.replace("  - executor: b\r\n", ""));
    const phase = log(
      "- [ ] All",
      "  - status: Pending",
      "  - [ ] 1.1. Go",
      "    - status: Failed",
    );
    assert.equal(fixed(phase, /phase has no status/), phase.replace("  - status: Pending\r\n", ""));
  });

  it("[R-JIXO-26] frees a task that is Locked by nobody", () => {
    const text = log("- [ ] 1. Go", "  - status: Locked", "  - runner:", "- [ ] 2. Stay");
    const free = text.replace("Locked\r\n  - runner:", "Pending");
    assert.equal(fixed(text, /nobody is named/), free);
  });

  it("offers nothing where a person has to decide, or where more would change", () => {
    for (const [text, says] of [
      [log("- [ ] 1. Go", "- [ ] 1. Stay"), /has a task 1, too/],
      [log("- [ ] 1. Go", "  - status: Doing"), /no status/],
      // The second names the runner.
      [log("- [ ] 1. Go", "  - runner:", "  - runner: b"), /second runner/],
    ] as const) {
      assert.equal(fixed(text, says), undefined, text);
    }
    assert.equal(fixed(sample("brokenYaml.log.md"), /not YAML/), undefined);
  });

  it("finds the fix of a row", () => {
    const text = log("- [x] 1. Go", "  - status: Pending");
    const [box] = fixedDocument(text, 7);
    assert.deepEqual(box, {
      rule: "R-JIXO-28",
      fix: { type: "box", row: 7 },
      text: text.replace("[x]", "[ ]"),
    });
    assert.deepEqual(fixedDocument(text, 8), []);
  });

  it("leaves any log with fewer problems, and all its other work as it was", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const before = readJobLog(text);
        for (const { fix, message, row } of logProblems(before)) {
          const after = fix && fixedLog(before, fix);
          if (after === undefined) continue;
          const log = readJobLog(after);
          assert.ok(
            logProblems(log).length < logProblems(before).length,
            `${row}: ${spoken(message)}`,
          );
          assert.equal(log.entries.length, before.entries.length);
          assert.deepEqual(
            log.items.map(({ kind, text: words }) => [kind, words]),
            before.items.map(({ kind, text: words }) => [kind, words]),
          );
        }
      }),
      { numRuns: 400 },
    );
  });
});
