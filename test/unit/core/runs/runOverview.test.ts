import assert from "node:assert/strict";
import fc from "fast-check";
import { proposalContent } from "../../../../src/core/runs/documents/proposal.js";
import type { RunOverview, RunPart } from "../../../../src/core/runs/runOverview.js";
import { Runs } from "../../../../src/core/runs/runs.js";
import { runLock } from "../../../../src/core/runs/work/driveRun.js";
import { spoken } from "../../../../src/core/text/words.js";
import { calls } from "../../../fakes/navigatorWorld.js";
import { type Answer, RunStage } from "../../../fakes/runStage.js";

const files = { "assets/notes.md": "# Notes\n\nMany.\n" };

/** Runs over a stage, whose agents answer as they should where `answer` says nothing. */
function open(answer?: Answer) {
  const stage = new RunStage(files, answer);
  const { experts, lock, publisher, files: own } = stage.world;
  const runs = new Runs({
    experts,
    lock,
    files: own,
    layout: () => Promise.resolve(stage.layout),
    publisher,
    say: (_runId, text) => stage.said.push(text),
  });
  const seen = async (): Promise<RunOverview> => {
    const [run] = (await runs.overview()).runs;
    assert.ok(run);
    return run;
  };
  return { stage, runs, seen };
}

/** Titles with what marks them, indented as they are nested. */
function outline(parts: readonly RunPart[], depth = 0): string[] {
  return parts.flatMap(({ kind, title, status, isCurrent, output, children }) => [
    `${"  ".repeat(depth)}${kind} ${title} ${status ?? "?"}${isCurrent ? " *" : ""}${output === null ? "" : ` -> ${output.replace(/^.*\//, "")}`}`,
    ...outline(children, depth + 1),
  ]);
}

describe("the overview of a run", () => {
  it("follows it from its request over a change and a confirmation to its outputs", async () => {
    const { stage, runs, seen } = open();
    const id = await runs.start("  Write a report\nabout bees ");
    assert.deepEqual(
      [(await seen()).state, (await seen()).request, (await seen()).parts],
      ["left", "Write a report\nabout bees", []],
    );
    await runs.drive(id);
    const asked = await seen();
    assert.deepEqual([asked.state, asked.proposal?.id], ["needsYou", `proposal:${id}:1`]);
    const { request, summary, instructions, path, problem } = asked.proposal!.content;
    assert.deepEqual(
      [request, summary, instructions[0]?.content, path, problem],
      ["Write a report\nabout bees", "A report will be written.", "Two pages at most"].concat([
        `runs/${id}/feedback_for_user.md`,
        "",
      ]),
    );
    await runs.decide(id, { type: "MODIFY", words: "Three pages,\n\nplease" });
    await runs.drive(id);
    const again = await seen();
    assert.deepEqual(
      [again.proposal?.id, again.changes],
      [`proposal:${id}:2`, ["Three pages,\n\nplease"]],
    );
    await runs.decide(id, { type: "CONFIRM" });
    assert.equal((await seen()).status, "PENDING");
    await runs.drive(id);
    const done = await seen();
    assert.deepEqual(
      [done.state, done.tasks, done.outputs, done.proposal, done.proposalPath],
      ["done", { total: 8, done: 8 }, [`outputs/${id}/report.md`], null, path],
    );
    assert.match(done.report?.text ?? "", /\[Job Completed\]/);
    assert.deepEqual(outline(done.parts).slice(4, 10), [
      "  task The material COMPLETED -> initial_analysis.md",
      "phase ANALYZING COMPLETED",
      "  stage Stage COMPLETED",
      "    task Task in ANALYZING COMPLETED -> notes.md",
      "phase STRATEGIZING COMPLETED",
      "  stage Stage COMPLETED",
    ]);
    assert.equal(stage.files.text(`outputs/${id}/report.md`)?.startsWith("# Made"), true);
  });

  it("says who has it go on, and where it is; only one has it go on at a time", async () => {
    let reached = (): void => undefined;
    const isReached = new Promise<void>((resolve) => (reached = resolve));
    const { stage, runs, seen } = open((unit) => {
      if (unit === "Executor T04") reached();
      return undefined;
    });
    const id = await runs.start("Go");
    await runs.drive(id);
    await runs.decide(id, { type: "CONFIRM" });
    const driving = runs.drive(id);
    await isReached;
    const now = await seen();
    assert.deepEqual([now.state, now.holder, runs.isHere(id)], ["here", null, true]);
    assert.deepEqual(outline(now.parts).slice(0, 5), [
      "preparation 0 PENDING *",
      "  task Folders and phases COMPLETED",
      "  task Instructions COMPLETED",
      "  task Catalog COMPLETED",
      "  task The material PENDING *",
    ]);
    await assert.rejects(runs.drive(id), { code: "runAlreadyRunning", params: { runId: id } });
    await runs.stop(id);
    assert.equal((await driving).status, "stopped");
    assert.equal((await seen()).state, "left");
    const leave = stage.lock.occupy(runLock(id), "rooroo run");
    const other = await seen();
    assert.deepEqual([other.state, other.holder], ["elsewhere", "rooroo run (process 4242)"]);
    assert.equal((await runs.drive(id)).status, "elsewhere");
    assert.equal(await runs.isFree(id), false);
    leave();
    assert.equal(await runs.isFree(id), true);
  });

  it("tells a run that failed from one that was cancelled, which it stops first", async () => {
    const { stage, runs, seen } = open((unit) =>
      unit === "Executor T04"
        ? calls("attempt_completion", {
            status: "FAILED",
            error_log: "No bees.\n\n- end: CANCELLED\n- cancelled by user",
          })
        : undefined,
    );
    const id = await runs.start("Go");
    await runs.drive(id);
    await runs.decide(id, { type: "CONFIRM" });
    assert.equal((await runs.drive(id)).status, "failed");
    const failed = await seen();
    assert.equal(failed.state, "failed");
    assert.match(failed.failure?.text ?? "", /No bees\./);
    assert.match(failed.report?.text ?? "", new RegExp(id));
    assert.deepEqual(
      [failed.reason, failed.canSkip, spoken(failed.next)],
      [
        "task T04: No bees. ⏎ - end: CANCELLED ⏎ - cancelled by user",
        true,
        "your decision: try again, or go on without what has failed",
      ],
    );
    const other = await runs.start("Go once more");
    const driving = runs.drive(other);
    await runs.decide(other, { type: "CANCEL" });
    assert.equal((await driving).status, "stopped");
    const cancelled = await seen();
    assert.deepEqual(
      [cancelled.runId, cancelled.state, cancelled.reason, cancelled.canSkip],
      [other, "cancelled", "You cancelled it.", false],
    );
    // As earlier versions wrote it.
    const earlier = `# ${other} was cancelled\n\n- run_id: ${other}\n- cancelled by user\n`;
    stage.files.put(`runs/${other}/failure.md`, earlier);
    assert.equal((await seen()).state, "cancelled");
    assert.equal((await runs.overview()).runs.length, 2);
  });

  it("has the parts that were left out, and how often the user had it go on", async () => {
    const { stage, runs, seen } = open((unit) => {
      if (unit !== "Executor T04") return undefined;
      return calls("attempt_completion", { status: "FAILED", error_log: "No bees." });
    });
    const id = await runs.start("Go");
    await runs.drive(id);
    await runs.decide(id, { type: "CONFIRM" });
    await runs.drive(id);
    assert.deepEqual([(await seen()).leftOut, (await seen()).retries], [[], 0]);
    await runs.decide(id, { type: "SKIP" });
    await runs.drive(id);
    const done = await seen();
    const reason = "task T04: No bees.";
    assert.deepEqual(done.leftOut, [{ id: "T04", name: "The material", reason }]);
    assert.deepEqual([done.state, done.retries, done.reason], ["done", 1, null]);
    const [preparation] = done.parts;
    assert.equal(preparation?.status, "COMPLETED");
    assert.equal(preparation.children.at(-1)?.leftOut, reason);
    assert.equal(stage.files.text(`runs/${id}/failure.md`), undefined);
  });

  it("has what is wrong in its tables, with the file, the line and the rule", async () => {
    const { stage, runs, seen } = open();
    const id = await runs.start("Go");
    await runs.drive(id);
    const path = `runs/${id}/db/phases.md`;
    const text = stage.files.text(path) ?? "";
    stage.files.put(path, text.replace("STRATEGIZING", "DREAMING"));
    const broken = await seen();
    assert.deepEqual([broken.state, broken.proposal], ["broken", null]);
    assert.deepEqual(
      broken.problems.map((one) => `${one.path}:${one.line} ${one.rule}`),
      [`${path}:4 R-MV-13`],
    );
    stage.files.put(path, text);
    assert.equal((await seen()).state, "needsYou");
    const tasks = `runs/${id}/db/tasks.md`;
    const own = stage.files.text(tasks) ?? "";
    stage.files.put(tasks, own.replace("| T00 ", "| T09 "));
    const table = stage.files.text("db/process_runs.md") ?? "";
    stage.files.put("db/process_runs.md", table.replace("AWAITING_CONFIRMATION", "PENDING"));
    const unclear = await seen();
    assert.deepEqual(
      [unclear.state, unclear.problems.map(({ message, line }) => `${line}: ${spoken(message)}`)],
      ["broken", ["3: tasks has no T00."]],
    );
  });

  it("names a document that leads out of the workspace, and shows the run without it", async () => {
    const { stage, runs, seen } = open();
    const id = await runs.start("Go");
    const path = `runs/${id}/failure.md`;
    stage.files.link(path, "/etc/passwd");
    const { state, failure, problem, problems } = await seen();
    assert.deepEqual([state, failure, problem], ["left", null, null]);
    assert.deepEqual(
      problems.map((one) => one.path),
      [path],
    );
  });

  it("shows what a person has made of a proposal, and says when it cannot be confirmed", () => {
    const content = proposalContent(
      "r",
      "p.md",
      "## What will be done\n\n> A\n>\n> B\n\n## Open questions\n\n> Q1\n\n> Q2\n",
    );
    assert.deepEqual([content.summary, content.questions], ["A\n\nB", ["Q1", "Q2"]]);
    assert.match(content.problem, /p\.md/);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        proposalContent("r", "p.md", text);
      }),
    );
  });
});
