import assert from "node:assert/strict";
import { readJobFile } from "../../../../../src/core/jobs/documents/jobFile.js";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { summaryKind } from "../../../../../src/core/jobs/documents/workLog.js";
import { type Situation, triage } from "../../../../../src/core/jobs/work/triage.js";
import { spoken } from "../../../../../src/core/text/words.js";
import { sample } from "../documents/samples.js";

/** Returns a log from its tasks, as `Pending` or `Locked r-2`, numbered from 1, and its entries, newest first. */
function logOf(tasks: readonly string[], ...entries: readonly string[]) {
  const roadmap = tasks.map((task, index) => {
    const [status = "", runner] = task.split(" ");
    const box = status === "Completed" ? "x" : " ";
    const by = runner === undefined ? "" : `  - runner: ${runner}\n`;
    return `- [${box}] ${index + 1}. Task ${index + 1}\n  - status: ${status}\n${by}`;
  });
  const log = entries.map((entry) => {
    const [role, objective, result, summary] = entry.split(" | ");
    const rows = { Role: role, Objective: objective, Result: result, Summary: summary };
    const fields = Object.entries(rows).map(([name, value]) => `- **${name}**: ${value ?? ""}\n`);
    return `### Log @job (now)\n\n${fields.join("")}\n`;
  });
  const text = `---\ntitle: T\nprogress: "0%"\n---\n\n## Roadmap\n\n${roadmap.join("")}\n## Work Log\n\n${log.join("")}`;
  return readJobLog(text);
}

const noQuestion = readJobFile("Do it.\n");
const answered = readJobFile(sample("answered.job.md"));

/** Returns what the triage says, in a few words. */
function told(given: Partial<Situation>): string {
  const { edits, next } = triage({
    log: logOf([]),
    job: noQuestion,
    live: new Set(["r-live"]),
    runner: "r-me",
    version: 2,
    judgement: { fits: true, reason: "" },
    now: new Date(0),
    ...given,
  });
  const before = edits.map((edit) =>
    edit.type === "setStatus"
      ? `free ${edit.task}, `
      : edit.type === "note"
        ? ""
        : `${edit.type}, `,
  );
  return before.join("") + words(next);
}

function words(next: ReturnType<typeof triage>["next"]): string {
  if (next.type === "judge") return "judge";
  if (next.type === "exit") return `exit ${next.code}: ${spoken(next.reason)}`;
  if (next.type === "run") {
    const { task, resumes } = next;
    return `run ${task.id}${resumes === undefined ? "" : resumes.isCertain ? ", resumed" : ", resumed?"}`;
  }
  const { objective } = next;
  if (objective.type === "failedTasks" || objective.type === "unreadableTasks") {
    return `plan ${objective.type} ${objective.tasks.map(({ id }) => id).join(" ")}`;
  }
  if (objective.type === "blockedTask") return `plan blockedTask ${objective.task.id}`;
  if (objective.type !== "answers") return `plan ${objective.type}`;
  return `plan answers ${objective.clarifications.map(({ id }) => id).join(" ")}`;
}

describe("triage", () => {
  it("[R-JIXO-3] ends a job that is done with no edit and no model, until a person gives it more to do", () => {
    const done = (matter: string, box = "x") =>
      readJobLog(`---\n${matter}\n---\n\n## 工作计划\n\n- [x] 1. 初始化\n- [${box}] 2. 配置\n`);
    const end = "exit 0: Job completed successfully.";
    const unjudged = { judgement: undefined };
    assert.equal(told({ ...unjudged, log: done("progress: 100%") }), end);
    assert.equal(told({ ...unjudged, log: done("progress: 90%") }), `updateProgress, ${end}`);
    assert.equal(told({ ...unjudged, log: readJobLog("---\nprogress: 100%\n---\n") }), end);
    assert.equal(
      told({ ...unjudged, log: done("progress: 100%"), version: 1 }),
      "exit 0: No parallelizable tasks available. Ending session.",
    );
    assert.equal(told({ ...unjudged, log: done("progress: 100%\nplanned_for: x") }), "judge");
    assert.equal(told({ ...unjudged, log: done("progress: 100%", " ") }), "judge");
    assert.equal(
      told({ ...unjudged, log: done("progress: 100%"), job: answered }),
      told({ log: done("progress: 100%"), job: answered }),
    );
    assert.match(told({ log: done("progress: 100%"), job: answered }), /^plan answers/);
  });

  it("[R-JIXO-13] takes the first task that waits for nothing, and stands by where all wait for what is being done", () => {
    const log = (...rows: readonly string[]) => {
      const text = rows.map((row) => {
        const [, indent = "", status = "", title = ""] = /^( *)(\w*): (.*)$/.exec(row) ?? [];
        const box = status === "Completed" ? "x" : " ";
        const by = status === "Locked" ? `${indent}  - runner: r-live\n` : "";
        const own = status === "" ? "" : `${indent}  - status: ${status}\n${by}`;
        return `${indent}- [${box}] ${title}\n${own}`;
      });
      return readJobLog(`## Roadmap\n\n${text.join("")}`);
    };
    const waits = ["Pending: 2. Two (after 1)", ": 3. Three (After 1, 4.)"];
    const inside = ["  Pending: 3.1. In it", "Pending: 4. Four"];
    assert.equal(told({ log: log("Locked: 1. One", ...waits, ...inside) }), "run 4");
    assert.equal(told({ log: log("Completed: 1. One", ...waits, ...inside) }), "run 2");
    const standsBy = "exit 2: No available tasks to execute, other agents are active.";
    assert.equal(told({ log: log("Locked: 1. One", ...waits) }), standsBy);
    const phase = [": 1. One", "  Completed: 1.1. A", "  Cancelled: 1.2. B"];
    assert.equal(told({ log: log(...phase, "Pending: 2. Two (after 1)") }), "run 2");
    assert.equal(
      told({ log: log(...phase, "  Locked: 1.3. C", "Pending: 2. Two (after 1 and 9)") }),
      standsBy,
    );
    // What is cancelled keeps nobody waiting.
    const cancelled = ["Cancelled: 1. One", "Pending: 2. Two (after 1)", "Pending: 3. Three"];
    assert.equal(told({ log: log(...cancelled) }), "run 2");
    // Tasks that wait for one another, or for themselves, would wait for ever.
    const circle = ["Pending: 1. One (after 2)", "Pending: 2. Two (after 1)"];
    assert.equal(told({ log: log(...circle) }), "run 1");
    // Words in brackets that name nothing keep nobody waiting.
    assert.equal(told({ log: log("Pending: 1. Clean up (after lunch)") }), "run 1");
  });

  it("[R-JIXO-8] frees what nobody alive holds, and nothing else, before all other steps", () => {
    const log = logOf([
      "Locked r-dead",
      "Locked r-live",
      "Locked r-me",
      "Locked",
      "Completed r-dead",
    ]);
    assert.equal(told({ log }), "free 1, free 4, run 1");
    const { log: after } = triage({
      log,
      job: noQuestion,
      live: new Set(["r-live"]),
      runner: "r-me",
      version: 2,
      judgement: { fits: true, reason: "" },
      now: new Date(0),
    });
    assert.deepEqual(
      after.tasks.map(({ status, runner }) => [status, runner]),
      [
        ["Pending", undefined],
        ["Locked", "r-live"],
        ["Locked", "r-me"],
        ["Pending", undefined],
        ["Completed", "r-dead"],
      ],
    );
    assert.equal(told({ log: logOf(["Locked r-dead", "Failed"]) }), "free 1, plan failedTasks 2");
  });

  it("[R-JIXO-9] plans anew what has failed, before anything but stale locks; version 1 does not", () => {
    const log = logOf(
      ["Failed", "Pending", "Failed"],
      "Runner | Task 2 | Pending | needs clarification",
    );
    assert.equal(told({ log, job: answered }), "plan failedTasks 1 3");
    assert.equal(told({ log, version: 1 }), "run 2, resumed");
  });

  it("[R-JIXO-10] sends a planner to what is blocked, and a runner to what was only left", () => {
    const blocked =
      "Runner | Task 2. Task 2 | Pending | Blocked: needs clarification of the format";
    const left = "Runner | Task 2 | Pending | Quota exceeded, half of it is done";
    const log = (...entries: string[]) => logOf(["Completed", "Pending", "Pending"], ...entries);
    assert.equal(told({ log: log(blocked), job: answered }), "plan blockedTask 2");
    assert.equal(told({ log: log(left) }), "run 2, resumed");
    assert.equal(told({ log: log("Runner | Task 2 | Pending | Hm.") }), "run 2, resumed?");
    assert.equal(told({ log: log(blocked), version: 1 }), "run 2, resumed");
    // Only the newest entry of a task counts, and one of a planner supersedes it.
    assert.equal(told({ log: log(left, blocked) }), "run 2, resumed");
    assert.equal(told({ log: log(blocked, left) }), "plan blockedTask 2");
    assert.equal(
      told({ log: log("Planner | Unblock | Succeeded | Done", blocked) }),
      "run 2, resumed",
    );
    assert.equal(
      told({ log: log("Planner | Unblock | Failed | No", blocked) }),
      "plan blockedTask 2",
    );
    // Nor does it count of a task that is not to be done any more, or of no task at all.
    assert.equal(told({ log: log(blocked.replaceAll("2", "1")) }), "run 2");
    assert.equal(told({ log: log(blocked.replaceAll("2", "7")) }), "run 2");
    // By its title, too.
    const named = blocked.replace("Task 2. Task 2", "Task 2").replace("Task 2", "task: task 2");
    assert.equal(told({ log: log(named) }), "plan blockedTask 2");
  });

  it("[R-JIXO-10] judges a summary by its words, and says where they are not enough", () => {
    const blockers = ["Needs clarification", "dependency error", "Unable to log in", "缺少密钥"];
    const pauses = [
      "quota exceeded",
      "Ran out of interaction turns, work will be resumed.",
      "WIP: work in progress",
      "额度用完",
    ];
    const doubtful = ["", "Hm.", "Work in progress, but blocked by the build"];
    for (const summary of blockers) {
      assert.deepEqual(summaryKind(summary), { kind: "blocker", isCertain: true }, summary);
    }
    for (const summary of pauses) {
      assert.deepEqual(summaryKind(summary), { kind: "pause", isCertain: true }, summary);
    }
    for (const summary of doubtful) {
      assert.deepEqual(summaryKind(summary), { kind: "pause", isCertain: false }, summary);
    }
  });

  it("[R-JIXO-11] hands answers to a planner before any plan is looked at", () => {
    assert.equal(
      told({ job: answered, judgement: { fits: false, reason: "" } }),
      "plan answers Q-1",
    );
    assert.equal(told({ job: answered, version: 1, log: logOf(["Pending"]) }), "plan answers Q-1");
    const open = readJobFile(sample("open.job.md"));
    assert.equal(told({ job: open, log: logOf(["Pending"]) }), "run 1");
  });

  it("[R-JIXO-12] plans where there is no plan, one that cannot be read, or one beside the goal", () => {
    assert.equal(told({}), "plan emptyRoadmap");
    assert.equal(told({ version: 1 }), "plan emptyRoadmap");
    assert.equal(told({ log: logOf(["Pending", "Doing"]) }), "plan unreadableTasks 2");
    assert.equal(
      told({ log: logOf(["Pending"]), judgement: { fits: false, reason: "" } }),
      "plan planAstray",
    );
  });

  it("[R-JIXO-13] gives a runner exactly one task, the first that is Pending", () => {
    const log = logOf(["Completed", "Locked r-live", "Cancelled", "Pending", "Pending"]);
    assert.equal(told({ log }), "run 4");
    assert.equal(told({ log, version: 1 }), "run 4");
  });

  it("[R-JIXO-14] stands by while others work on what is left", () => {
    const log = logOf(["Completed", "Locked r-live"]);
    assert.equal(told({ log }), "exit 2: No available tasks to execute, other agents are active.");
  });

  it("[R-JIXO-15] ends a job that is done, with its progress written first", () => {
    const done = "exit 0: Job completed successfully.";
    assert.equal(told({ log: logOf(["Completed", "Cancelled"]) }), `updateProgress, ${done}`);
    assert.equal(told({ log: readJobLog(sample("allChecked.log.md")) }), done);
    const { log } = triage({
      log: logOf(["Completed"]),
      job: noQuestion,
      live: new Set<string>(),
      runner: "r",
      version: 2,
      judgement: { fits: true, reason: "" },
      now: new Date(0),
    });
    assert.equal(log.givenProgress, 100);
  });

  it("[R-JIXO-30] ends a cycle until the time that was noted for the next, and a period from now at the latest", () => {
    const now = new Date("2026-03-01T10:00:00.000Z");
    const hourly = readJobFile("---\nevery: 1h\n---\nDo it.\n");
    const at = (noted?: string) => {
      const note = noted === undefined ? "" : `next_cycle: ${noted}\n`;
      const log = readJobLog(
        `---\ntitle: T\nprogress: "100%"\n${note}---\n\n## Roadmap\n\n- [x] 1. A\n`,
      );
      const judgement = { fits: true, reason: "" };
      const situation = { log, job: hourly, live: new Set<string>(), runner: "r", judgement, now };
      const { next, log: after } = triage({ ...situation, version: 2 });
      const again = next.type === "exit" ? next.restartsAt?.toISOString() : words(next);
      return [again, after.notes.next_cycle];
    };
    const [soon, hour] = ["2026-03-01T10:20:00.000Z", "2026-03-01T11:00:00.000Z"];
    assert.deepEqual(at(), [hour, hour]);
    assert.deepEqual(at(soon), [soon, soon]);
    assert.deepEqual(at(now.toISOString()), ["plan newCycle", now.toISOString()]);
    // The clock was wrong, or the period longer.
    const [again] = at("2999-01-01T00:00:00.000Z");
    assert.equal(again, hour);
  });

  it("[R-JIXO-16] [R-JIXO-30] ends version 1's session in its words, with the code that fits", () => {
    const reason = "No parallelizable tasks available. Ending session.";
    const first = (...tasks: string[]) => told({ log: logOf(tasks), version: 1 });
    assert.equal(first("Completed", "Locked r-live"), `exit 2: ${reason}`);
    assert.equal(first("Completed"), `updateProgress, exit 0: ${reason}`);
    assert.equal(
      first("Completed", "Failed"),
      "exit 1: No task can continue: what is left has failed.",
    );
  });
});
