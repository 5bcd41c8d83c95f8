import assert from "node:assert/strict";
import { readJobFile } from "../../../../../src/core/jobs/documents/jobFile.js";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { does, JobStage } from "../../../../fakes/jobStage.js";
import { calls } from "../../../../fakes/navigatorWorld.js";
import { ScriptedModel } from "../../../../fakes/scriptedModel.js";
import { ScriptedShell, type ShellScript } from "../../../../fakes/scriptedShell.js";

function filesWith(front: string): Record<string, string> {
  const item = "- [ ] 1. Write a.txt\n  - status: Pending\n  - done when: a.txt says yes\n";
  return {
    ".jixo/trip.job.md": `---\nname: trip\n${front}\n---\n\nPlan a trip.\n`,
    ".jixo/trip.log.md": `---\ntitle: Trip\nprogress: "0%"\n---\n\n## Roadmap\n\n${item}\n## Work Log\n`,
  };
}

const writes = (content: string) => calls("write_to_file", { path: "a.txt", content });

/** Returns the result of each call that the runner made, as the model was told of it. */
function toldLast(stage: JobStage): string {
  return (
    stage.model.requests.at(-1)?.messages.findLast(({ role }) => role === "tool")?.content ?? ""
  );
}

const entryOf = (stage: JobStage) => readJobLog(stage.log).entries[0];

describe("a task's check", () => {
  it("[R-JIXO-33] has to succeed before the task counts as done, and its output is what the runner goes on with", async () => {
    const stage = new JobStage(
      [writes("no"), does(), writes("yes"), does()],
      filesWith("check: npm test"),
    );
    let runs = 0;
    const test: ShellScript = (request) => {
      runs++;
      const isDone = stage.files.text("a.txt") === "yes";
      const output = isDone ? "1 passed\n" : "expected yes, got no\n";
      request.onOutput(output);
      const ends = { signal: null, endedBy: "itself", omitted: 0, durationMs: 5 } as const;
      return Promise.resolve({ ...ends, output, exitCode: isDone ? 0 : 1 });
    };
    stage.shell = new ScriptedShell({ "npm test": test });
    assert.equal((await stage.run()).code, 0);
    assert.equal(runs, 2);
    assert.match(stage.told(0), /code runs `npm test`, which has to succeed/);
    const [, , third] = stage.model.requests;
    const told = third?.messages.findLast(({ role }) => role === "tool")?.content ?? "";
    assert.match(
      told,
      /does not count as done while the job's check fails: npm test\n[^]*expected yes, got no/,
    );
    assert.deepEqual(stage.lifecycles, ["Task 1. Write a.txt: Succeeded"]);
    assert.equal(entryOf(stage)?.fields.get("check")?.value, "passed: npm test");
    const shown = stage.events.flatMap((one) =>
      one.type === "agent" && one.event.type === "toolStarted" ? [one.event.title] : [],
    );
    assert.deepEqual(shown.filter((title) => title === "npm test").length, 2);
  });

  it("[R-JIXO-33] keeps a task from being done as long as it fails, and says in the log what was not accepted", async () => {
    const stage = new JobStage(() => does(), filesWith("check: npm test"));
    stage.shell = new ScriptedShell({ "npm test": { exitCode: 1, output: "2 failed\n" } });
    const { code } = await stage.run({ most: 1, quota: 4 });
    assert.equal(code, 2);
    assert.equal(entryOf(stage)?.fields.get("reason")?.value, "refused");
    assert.match(entryOf(stage)?.fields.get("summary")?.value ?? "", /check fails: npm test/);
    assert.equal(entryOf(stage)?.fields.get("check")?.value, "failed: npm test");
    assert.match(stage.log, /status: Pending/);
  });

  it("is not run for a task that is not done", async () => {
    const stage = new JobStage(
      [does({ result: "Pending", summary: "Half." })],
      filesWith("check: npm test"),
    );
    await stage.run({ most: 1 });
    assert.deepEqual(stage.shell.requests, []);
  });

  it("[R-JIXO-33] needs an approval like any command: where nobody is there, the task is set aside with the command named", async () => {
    const stage = new JobStage(() => does(), filesWith("check: rm -rf build"), "ask");
    stage.shell = new ScriptedShell({ "rm -rf build": { exitCode: 0 } });
    const { code } = await stage.run();
    assert.equal(code, 2);
    assert.deepEqual(stage.shell.requests, []);
    assert.match(stage.log, /Nobody was there to allow this: Run rm -rf build/);
    assert.match(stage.log, /status: Pending\n {2}- waits for: approval \(ask /);
  });
});

describe("a task's review", () => {
  const asksFor = (remarks: string) => calls("review_work", { accepted: false, remarks });
  const accepts = calls("review_work", { accepted: true, remarks: "It says yes." });

  it("[R-JIXO-33] sends the task back with the reviewer's words until the reviewer accepts it", async () => {
    const stage = new JobStage(
      [writes("no"), does(), writes("yes"), does()],
      filesWith("review: true"),
    );
    stage.reviewer = new ScriptedModel([asksFor("a.txt:1 says no."), accepts]);
    assert.equal((await stage.run()).code, 0);
    const [first, second] = stage.reviewer.requests.map(
      ({ messages }) => messages[1]?.content ?? "",
    );
    assert.match(first ?? "", /done when: a\.txt says yes[^]*\+no/);
    assert.match(second ?? "", /\+yes/);
    assert.doesNotMatch(second ?? "", /\+no\b/);
    const [, , third] = stage.model.requests;
    const told = third?.messages.findLast(({ role }) => role === "tool")?.content ?? "";
    assert.match(told, /does not count as done yet: a\.txt:1 says no\./);
    assert.equal(entryOf(stage)?.fields.get("review")?.value, "accepted: It says yes.");
    const shown = stage.events.flatMap((one) => (one.type === "notice" ? [one.text] : []));
    assert.deepEqual(shown.slice(1), ["The reviewer asks for more on task 1: a.txt:1 says no."]);
  });

  it("[R-JIXO-33] does not go on for ever: after the third time the runner must submit what there is", async () => {
    let submitted = 0;
    const stage: JobStage = new JobStage(() => {
      submitted++;
      const isOver = toldLast(stage).includes("Submit Pending now");
      return isOver ? does({ result: "Pending", summary: "The reviewer wants more." }) : does();
    }, filesWith("review: yes"));
    stage.reviewer = new ScriptedModel(() => asksFor("More."));
    await stage.run({ most: 1, quota: 12 });
    assert.equal(stage.reviewer.requests.length, 3);
    assert.equal(submitted, 5);
    assert.deepEqual(stage.lifecycles, ["Task 1. Write a.txt: Pending"]);
    assert.equal(entryOf(stage)?.fields.get("review")?.value, "asked for more: More.");
  });

  it("comes after the check, and is told how that ended", async () => {
    const stage = new JobStage([does()], filesWith("check: npm test\nreview: true"));
    stage.shell = new ScriptedShell({ "npm test": { exitCode: 0, output: "fine\n" } });
    assert.equal((await stage.run()).code, 0);
    assert.match(stage.reviewer.requests[0]?.messages[1]?.content ?? "", /check passed: npm test/);
  });

  it("counts each of its calls as the job's, also one whose answer cannot be used", async () => {
    const usage = { inputTokens: 1_000, outputTokens: 0, cachedTokens: 0, costUsd: 0.5 };
    const stage = new JobStage([{ ...does(), usage }], filesWith("review: true"));
    const unusable = calls("review_work", { accepted: "perhaps" });
    stage.reviewer = new ScriptedModel([
      { ...unusable, usage },
      { ...accepts, usage },
    ]);
    await stage.run();
    assert.match(stage.log, /spent: "?3 requests, 3,000 tokens, \$1\.5000/);
  });

  it("lets the work go on where the reviewer's answer cannot be used", async () => {
    const stage = new JobStage([does()], filesWith("review: true"));
    stage.reviewer = new ScriptedModel(() => calls("review_work", { accepted: "perhaps" }));
    assert.equal((await stage.run()).code, 0);
    assert.match(entryOf(stage)?.fields.get("review")?.value ?? "", /could not be used/);
  });
});

describe("a job file's check, review and git", () => {
  it("[R-JIXO-33] [R-JIXO-34] are read in the forms that people write, and reported where they mean nothing", () => {
    const read = (front: string) => readJobFile(`---\n${front}\n---\n\nGo.\n`);
    const file = read("check: ' npm test '\nreview: Yes\ngit: Commit");
    assert.deepEqual([file.check, file.isReviewed, file.isCommitted], ["npm test", true, true]);
    const none = read("name: a");
    assert.deepEqual([none.check, none.isReviewed, none.isCommitted], [undefined, false, false]);
    const off = read("review: false\ngit: no");
    assert.deepEqual([off.isReviewed, off.isCommitted, off.problems], [false, false, []]);
    const wrong = read("check: [a, b]\nreview: maybe\ngit: push");
    assert.deepEqual([wrong.check, wrong.isReviewed, wrong.isCommitted], [undefined, false, false]);
    assert.deepEqual(
      wrong.problems.map(({ row, rule }) => `${row} ${rule}`),
      ["1 R-JIXO-33", "2 R-JIXO-33", "3 R-JIXO-34"],
    );
  });
});
