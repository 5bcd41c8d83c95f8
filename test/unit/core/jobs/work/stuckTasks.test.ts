import assert from "node:assert/strict";
import { ModelError } from "../../../../../src/core/errors.js";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { spoken } from "../../../../../src/core/text/words.js";
import { adds, does, JobStage, plans } from "../../../../fakes/jobStage.js";
import { calls } from "../../../../fakes/navigatorWorld.js";

const job = "---\nname: trip\n---\n\nPlan a trip.\n";

function filesWith(...tasks: readonly string[]): Record<string, string> {
  const items = tasks.map((task) => `${task}\n  - status: Pending\n`).join("");
  const log = `---\ntitle: Trip\nprogress: "0%"\n---\n\n## Roadmap\n\n${items}\n## Work Log\n`;
  return { ".jixo/trip.job.md": job, ".jixo/trip.log.md": log };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `- [ ] ${index + 1}. Task`);

/** Returns the task that a runner was given, by its number; `undefined` for a planner. */
function taskOf(stage: JobStage): string | undefined {
  const told = stage.model.requests.at(-1)?.messages[1]?.content ?? "";
  return /Your objective: Task (\d+)/.exec(told)?.[1];
}

const statusesOf = (stage: JobStage) =>
  readJobLog(stage.log).tasks.map(({ id, status }) => `${id} ${status ?? ""}`);

describe("tasks that are not done at the first try", () => {
  it("[R-JIXO-10] does five of six tasks, and sets the stuck one aside with its question after three tries", async () => {
    const stage: JobStage = new JobStage(
      () => {
        const task = taskOf(stage);
        if (task === undefined) return plans([]);
        if (task !== "1") return does();
        return does({ result: "Pending", summary: "I tried.", blocked_by: "The port is closed." });
      },
      filesWith(...numbered(6)),
    );
    const { code, reason } = await stage.run();
    assert.equal(code, 2);
    const [, id = ""] = /waits for your answers: (Q-\w+)/.exec(spoken(reason)) ?? [];
    assert.deepEqual(statusesOf(stage), [
      "1 Pending",
      ...["2", "3", "4", "5", "6"].map((task) => `${task} Completed`),
    ]);
    assert.equal(stage.lifecycles.filter((one) => one.startsWith("Task 1.")).length, 3);
    assert.match(
      stage.log,
      new RegExp(`1\\. Task\\n {2}- status: Pending\\n {2}- waits for: ${id}\\n`),
    );
    assert.match(stage.job, new RegExp(`\\*\\*ID\\*\\*: ${id}\\n[^]*Task 1 was tried 3 times`));
    assert.match(stage.job, /The port is closed\./);
  });

  it("[R-JIXO-9] asks a person about a failed task for which three planners found no plan, and ends after a dozen calls", async () => {
    const stage: JobStage = new JobStage(() => {
      if (taskOf(stage) === undefined) return plans([]);
      return does({ result: "Failed", summary: "The host is gone." });
    }, filesWith("- [ ] 1. Task"));
    const { code, reason } = await stage.run();
    assert.equal(code, 2);
    const [, id = ""] = /waits for your answers: (Q-\w+)/.exec(spoken(reason)) ?? [];
    assert.ok(stage.model.requests.length <= 12, `${stage.model.requests.length} calls`);
    assert.deepEqual(statusesOf(stage), ["1 Pending"]);
    assert.match(stage.log, new RegExp(`waits for: ${id}\\n`));
    assert.match(
      stage.job,
      new RegExp(`\\*\\*ID\\*\\*: ${id}\\n[^]*Task 1 has failed, and 3 planners`),
    );
    const requests = stage.model.requests.length;
    assert.equal((await stage.run()).code, 2);
    assert.equal(stage.model.requests.length, requests, "nothing is asked while it waits");
  });

  for (const [goal, expected] of [
    ["Bitte plane die Reise und buche das Hotel.", /Aufgabe 1 wurde 3-mal versucht[^]*Der Port/],
    [
      "Planifica el viaje y reserva un hotel para la familia.",
      /La tarea 1 se ha intentado 3 veces/,
    ],
    ["旅行の計画を立ててください。", /タスク 1 は 3 回試みられました/],
    ["在docs目录下，基于vitepress平台搭建当前项目的文档网站。", /任务 1 已尝试 3 次/],
    ["Planifie le voyage.", /Task 1 was tried 3 times/],
  ] as const) {
    it(`[R-JIXO-24] asks by code in the job's own language, for a person: ${goal}`, async () => {
      const stage = new JobStage(
        () => does({ result: "Pending", summary: "Versucht.", blocked_by: "Der Port ist zu." }),
        { ...filesWith("- [ ] 1. Task"), ".jixo/trip.job.md": `---\nname: trip\n---\n\n${goal}\n` },
      );
      assert.equal((await stage.run()).code, 2);
      assert.match(stage.job, expected);
      assert.doesNotMatch(stage.job, /Blocked by|blocked_by/);
    });
  }

  it("[R-JIXO-24] leave a question beside which they would be asked about again the only one", async () => {
    const files = filesWith("- [ ] 1. Task\n  - asked: Q-1");
    const asked =
      "\n---\n### JIXO: CLARIFICATION REQUEST\n**ID**: Q-1\n**To User**: I ask.\n\n**Question**:\n- Which one?\n\n**Response**:\n- <!-- here -->\n---\n";
    const stage = new JobStage(() => does({ result: "Pending", summary: "Half." }), {
      ...files,
      ".jixo/trip.job.md": `${job}${asked}`,
    });
    assert.equal((await stage.run()).code, 2);
    assert.equal(stage.job, `${job}${asked}`);
    assert.match(stage.log, /waits for: Q-1\n/);
  });

  it("[R-JIXO-11] tries a task again, with its tries counted anew, when its question is answered", async () => {
    let isOpen = false;
    const stage: JobStage = new JobStage(() => {
      if (taskOf(stage) === undefined) return plans([]);
      return isOpen ? does() : does({ result: "Pending", summary: "Half.", blocked_by: "A port." });
    }, filesWith("- [ ] 1. Task"));
    assert.equal((await stage.run()).code, 2);
    const requests = stage.model.requests.length;
    assert.equal((await stage.run()).code, 2);
    assert.equal(stage.model.requests.length, requests, "nothing is asked while it waits");
    isOpen = true;
    const answered = stage.job.replace("- <!-- Write your answer here. -->", "- I opened it.");
    await stage.files.replaceFile(".jixo/trip.job.md", answered);
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(
      stage.lifecycles.slice(-2).map((one) => one.replace(/Q-\w+/, "Q")),
      ["Work in what was answered: Q: Succeeded", "Task 1. Task: Succeeded"],
    );
    assert.doesNotMatch(stage.log, /attempts:|waits for:/);
  });

  it("goes on with a task that changes files at each try, however often it is tried", async () => {
    let tries = 0;
    const stage = new JobStage(() => {
      tries++;
      if (tries % 2 === 1 && tries < 12) {
        return calls("write_to_file", { path: `src/${tries}.txt`, content: "x" });
      }
      return tries < 12 ? does({ result: "Pending", summary: "More to come." }) : does();
    }, filesWith("- [ ] 1. Task"));
    assert.equal((await stage.run()).code, 0);
    assert.equal(stage.lifecycles.length, 6);
    assert.equal(stage.job, job);
  });

  it("does tasks that were not tried yet before one that was", async () => {
    const order: string[] = [];
    const stage: JobStage = new JobStage(
      () => {
        const task = taskOf(stage) ?? "";
        order.push(task);
        const isFirst = order.filter((one) => one === task).length === 1;
        return task === "1" && isFirst ? does({ result: "Pending", summary: "Half." }) : does();
      },
      filesWith(...numbered(3)),
    );
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(order, ["1", "2", "3", "1"]);
  });

  it("takes the reason from its field, whatever the summary's words seem to say", async () => {
    const words = "Blocked ports are missing: I cannot continue, needs input, dependency error.";
    const stage: JobStage = new JobStage(() => {
      if (taskOf(stage) === undefined) return plans([]);
      const isFirst = stage.lifecycles.length === 0;
      return isFirst ? does({ result: "Pending", summary: words }) : does();
    }, filesWith("- [ ] 1. Task"));
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(stage.lifecycles, ["Task 1. Task: Pending", "Task 1. Task: Succeeded"]);
    assert.match(stage.log, /\*\*Reason\*\*: unfinished\n/);
  });

  it("[R-JIXO-9] lets no planner try a task a third time again: it is replaced, cancelled, or asked about", async () => {
    const retry = { action: "retry", item: "1" };
    const refused: string[] = [];
    let plansMade = 0;
    const stage: JobStage = new JobStage(
      ({ messages }) => {
        if (taskOf(stage) !== undefined) {
          return taskOf(stage) === "1" ? does({ result: "Failed", summary: "No." }) : does();
        }
        const last = messages.at(-1);
        if (last?.role === "tool") {
          refused.push(last.content);
          const question = "Shall the task be left out?";
          return plans([{ action: "ask", item: "1" }], { clarification: { question } });
        }
        plansMade++;
        return plans([retry]);
      },
      filesWith(...numbered(2)),
    );
    assert.equal((await stage.run()).code, 2);
    assert.equal(plansMade, 3);
    assert.deepEqual(refused, [
      "Task 1 was tried 3 times: replace it, cancel it, or ask about it.",
    ]);
    assert.deepEqual(statusesOf(stage), ["1 Pending", "2 Completed"]);
    assert.match(stage.job, /Shall the task be left out\?/);
  });

  it("[R-JIXO-17] lets no planner take a task from the runner that works on it, to try it again or to ask about it", async () => {
    const refused: string[] = [];
    const clarification = { question: "Shall it wait?" };
    const stage = new JobStage(
      ({ messages }) => {
        const last = messages.at(-1);
        if (last?.role === "tool") refused.push(last.content);
        const item = { item: "2" };
        if (refused.length === 0)
          return plans([
            { action: "retry", item: "1" },
            { action: "retry", ...item },
          ]);
        if (refused.length === 1) return plans([{ action: "ask", ...item }], { clarification });
        return plans([{ action: "cancel", item: "1" }]);
      },
      {
        ".jixo/trip.job.md": job,
        ".jixo/trip.log.md": `---\ntitle: Trip\nprogress: "0%"\n---\n\n## Roadmap\n\n- [ ] 1. Task\n  - status: Failed\n- [ ] 2. Task\n  - status: Locked\n  - runner: trip-${"beef".padStart(32, "0")}\n\n## Work Log\n`,
      },
    );
    stage.lock.occupy(`job-runner-${"beef".padStart(32, "0")}`);
    await stage.run({ most: 1 });
    assert.equal(refused.length, 2);
    for (const why of refused) assert.match(why, /^A runner works on task 2: leave it/);
    assert.deepEqual(statusesOf(stage), ["1 Cancelled", "2 Locked"]);
  });

  it("[R-JIXO-9] [R-JIXO-10] does the tasks that can be done where no planner finds a way for one that is blocked", async () => {
    let planned = 0;
    const stage: JobStage = new JobStage(
      () => {
        const task = taskOf(stage);
        if (task === "1") return does({ result: "Pending", summary: "No.", blocked_by: "A port." });
        if (task !== undefined) return does();
        planned++;
        return plans([{ action: "retry", item: "99" }]);
      },
      filesWith(...numbered(4)),
    );
    const { code } = await stage.run({ quota: 3 });
    assert.equal(code, 2);
    assert.deepEqual(statusesOf(stage), ["1 Pending", "2 Completed", "3 Completed", "4 Completed"]);
    assert.match(stage.job, /Task 1 was tried 3 times/);
    // Each time that the task is found blocked, three planners try, with three turns each.
    assert.ok(planned <= 3 * 3 * 2, String(planned));
  });

  it("ends when tasks fail and are replaced again and again", async () => {
    let number = 0;
    const stage: JobStage = new JobStage(() => {
      if (taskOf(stage) !== undefined) return does({ result: "Failed", summary: "No." });
      const told = stage.told(stage.model.requests.length - 1);
      const [, failed = ""] = /Your objective: Plan anew what has failed: (\d+)/.exec(told) ?? [];
      return plans([
        { action: "replace", item: failed, items: [{ text: `${++number + 1}. Task` }] },
      ]);
    }, filesWith("- [ ] 1. Task"));
    const { code, reason } = await stage.run();
    assert.equal(code, 1);
    assert.match(spoken(reason), /got nothing done/);
    assert.equal(stage.lifecycles.filter((one) => one.endsWith("Failed")).length, 20);
  });
});

describe("questions of a job", () => {
  const asks = (question: string, text: string) =>
    does({
      result: "Pending",
      summary: "I need to know.",
      clarification: { question, default_plan: [{ text }] },
    });

  it("[R-JIXO-24] has one open question a task, and asks none twice", async () => {
    const replies = [
      asks("Sea or hills?", "1. Go to the sea"),
      asks("Which sea?", "1. Go to any sea"),
      asks("sea, or hills", "2. Come back"),
    ];
    const refused: string[] = [];
    const stage = new JobStage(
      ({ messages }) => {
        const last = messages.at(-1);
        if (last?.role === "tool") refused.push(last.content.replace(/Q-\w+/, "Q"));
        return last?.role === "tool" ? does() : (replies.shift() ?? does());
      },
      filesWith("- [ ] 1. Go", "- [ ] 2. Come back"),
    );
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(refused, [
      "There is an open question about this task (Q) already. Go on by your best assumption, or submit Pending with blocked_by.",
      "This is asked already (Q), and not answered yet. Do not ask it again: go on by your best assumption.",
    ]);
    assert.equal(stage.job.match(/CLARIFICATION REQUEST/g)?.length, 1);
  });

  it("asks nothing that the user has decided", async () => {
    const decided = `${job}\n## Decided\n\n- Sea or hills? → The hills.\n`;
    const refused: string[] = [];
    const stage = new JobStage(
      ({ messages }) => {
        const last = messages.at(-1);
        if (last?.role === "tool") refused.push(last.content);
        return last?.role === "tool" ? does() : asks("Sea or hills?", "1. Go to the sea");
      },
      { ...filesWith("- [ ] 1. Go"), ".jixo/trip.job.md": decided },
    );
    assert.equal((await stage.run()).code, 0);
    assert.match(refused[0] ?? "", /^The user has decided this: The hills\./);
  });
});

describe("what a planner says of tasks", () => {
  it("stands below each task, and orders the work", async () => {
    const order: string[] = [];
    const stage: JobStage = new JobStage(
      () => {
        const task = taskOf(stage);
        if (task !== undefined) order.push(task);
        if (task !== undefined) return does();
        return plans([
          {
            action: "add",
            items: [
              {
                text: "1. Link",
                details: "Link all pages\nfrom the index.",
                files: ["index.md"],
                done_when: "npm test passes",
                after: ["2", "3"],
              },
              "2. Write",
              { text: "3. Draw", after: 2 },
            ],
          },
        ]);
      },
      { ".jixo/trip.job.md": job },
    );
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(order, ["2", "3", "1"]);
    assert.match(
      stage.log,
      /- \[x\] 1\. Link\n {2}- status: Completed\n {2}- runner: \S+\n {2}- after: 2, 3\n {2}- files: index\.md\n {2}- done when: npm test passes\n {2}- details: Link all pages from the index\.\n/,
    );
  });

  it("[R-JIXO-18] is refused where a task comes after one that is not there, or after itself", async () => {
    const refused: string[] = [];
    const adding = (after: string) => [
      { action: "add", items: [{ text: "2. Link", after: [after] }] },
    ];
    const replies = [
      plans(adding("7")),
      plans([
        {
          action: "add",
          items: [
            { text: "2. Link", after: ["3"] },
            { text: "3. Draw", after: ["2"] },
          ],
        },
      ]),
      plans([adds("2. Link")]),
    ];
    const stage: JobStage = new JobStage(
      ({ messages }) => {
        const last = messages.at(-1);
        if (last?.role === "tool") refused.push(last.content);
        return taskOf(stage) === undefined ? (replies.shift() ?? plans([])) : does();
      },
      { ".jixo/trip.job.md": job },
    );
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(refused, [
      "2 comes after “7”, which is no item of the roadmap: name tasks and phases by their numbers.",
      "These wait for one another: 2, 3. One of them has to come first.",
    ]);
  });
});

describe("a server that does not answer", () => {
  const minutes = (count: number) => count * 60_000;

  async function untilDone<T>(work: Promise<T>, stage: JobStage): Promise<T> {
    const ended = new AbortController();
    const end = (): void => {
      ended.abort();
    };
    void work.then(end, end);
    while (!ended.signal.aborted) await second(stage);
    return work;
  }

  async function second(stage: JobStage): Promise<void> {
    stage.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }

  it("holds a job up for ten minutes of 503 and 429, and ends nothing", async () => {
    const began = new Date("2025-01-02T03:04:05.000Z").getTime();
    let requests = 0;
    const stage: JobStage = new JobStage(
      () => {
        requests++;
        const passed = stage.clock.now().getTime() - began;
        if (passed < minutes(5)) return { error: new ModelError("server", "Status 503.", {}) };
        if (passed < minutes(10)) {
          const retryAfterMs = 60_000;
          return { error: new ModelError("rateLimited", "Status 429.", {}, { retryAfterMs }) };
        }
        return does();
      },
      filesWith(...numbered(6)),
    );
    const end = await untilDone(stage.run({ runners: 3 }), stage);
    assert.equal(end.code, 0);
    assert.ok(stage.lifecycles.every((one) => one.endsWith("Succeeded")));
    // Each try of the job is up to four requests of the connection below it.
    assert.ok(requests < 6 + 4 * 10, `${requests} requests`);
    const notices = stage.events.flatMap((event) =>
      event.type === "notice" && event.text.startsWith("The model") ? [event.text] : [],
    );
    assert.match(
      notices[0] ?? "",
      /^The model does not answer: Status 503\..* The job tries again at /,
    );
    assert.match(notices.at(-1) ?? "", /^The model answers again, after 1\d min/);
    const attempts = stage.events.flatMap((one) =>
      one.type === "agent" && one.event.type === "retrying" ? [one.event] : [],
    );
    assert.ok(
      attempts.some((one) => one.attempts === undefined && one.attempt > 1),
      "the job's own tries have no number that they end at",
    );
  });

  it("holds a job up where a gateway's page or half an answer is in place of its answers, once there were some", async () => {
    let asked = 0;
    const broken = () => {
      asked++;
      return { error: new ModelError("brokenResponse", "A web page.", {}, { passing: false }) };
    };
    const began = new Date("2025-01-02T03:04:05.000Z").getTime();
    let isDown = false;
    const stage: JobStage = new JobStage(
      () => {
        const passed = stage.clock.now().getTime() - began;
        if (isDown && passed < minutes(10)) return broken();
        isDown = true;
        return does();
      },
      filesWith(...numbered(3)),
    );
    assert.equal((await untilDone(stage.run(), stage)).code, 0);
    assert.ok(stage.lifecycles.every((one) => one.endsWith("Succeeded")));

    asked = 0;
    const wrong = new JobStage(broken, filesWith("- [ ] 1. Task"));
    assert.equal((await untilDone(wrong.run(), wrong)).code, 1);
    assert.ok(asked < 60, `${asked} requests`);
    assert.match(
      wrong.log,
      /\*\*Reason\*\*: model failed\n/,
      "an address that is wrong is told at once",
    );
  });

  for (const [what, passing, code] of [
    ["holds a job up where nothing, or half an answer, is", true, 0],
    ["ends a job at once where a web page is", false, 1],
  ] as const) {
    it(`${what} in place of its very first answers`, async () => {
      const began = new Date("2025-01-02T03:04:05.000Z").getTime();
      let asked = 0;
      const broken = () => {
        asked++;
        return { error: new ModelError("brokenResponse", "No answer.", {}, { passing }) };
      };
      const stage: JobStage = new JobStage(
        () => {
          if (stage.clock.now().getTime() - began < minutes(10)) return broken();
          return stage.log.includes("1. Task") ? does() : plans([adds("1. Task")]);
        },
        { ".jixo/trip.job.md": job },
      );
      assert.equal((await untilDone(stage.run(), stage)).code, code);
      assert.equal(asked > 1, passing, `${asked} requests`);
    });
  }

  it("holds a job up that is begun again while a gateway's page is in place of its answers", async () => {
    const done = new JobStage(() => does(), filesWith("- [ ] 1. Task"));
    await done.run();
    let asked = 0;
    const page = () => ({ error: new ModelError("brokenResponse", "A web page.", {}) });
    const again = new JobStage(() => (++asked < 20 ? page() : does()), {
      ".jixo/trip.job.md": job,
      ".jixo/trip.log.md": done.log.replace(
        "- [x] 1. Task\n",
        "- [ ] 2. Task\n  - status: Pending\n$&",
      ),
    });
    assert.equal((await untilDone(again.run(), again)).code, 0);
    assert.match(again.log, /- \[x\] 2\. Task/);
  });

  for (const [how, hours] of [
    ["forward", 9],
    ["back", -30],
  ] as const) {
    it(`holds a job up as long as before where the clock is set ${how} meanwhile`, async () => {
      const stage: JobStage = new JobStage(
        () =>
          stage.clock.passed < minutes(20)
            ? { error: new ModelError("server", "Status 503.", {}) }
            : does(),
        filesWith("- [ ] 1. Task"),
      );
      const run = stage.run();
      while (stage.clock.passed < minutes(11)) await second(stage);
      stage.clock.set(minutes(60 * hours));
      assert.equal((await untilDone(run, stage)).code, 0);
      assert.ok(stage.clock.passed < minutes(30), `it went on after ${stage.clock.passed} ms`);
    });
  }

  it("is waited for no longer than the job may run, or than two hours", async () => {
    const down = () => ({ error: new ModelError("unreachable", "Nobody is there.", {}) });
    for (const [until, mostMs] of [
      [new Date("2025-01-02T03:34:05.000Z"), minutes(30)],
      [undefined, minutes(120)],
    ] as const) {
      const stage = new JobStage(down, filesWith("- [ ] 1. Task"));
      const began = stage.clock.now().getTime();
      const end = await untilDone(stage.run({ until }), stage);
      const lasted = stage.clock.now().getTime() - began;
      assert.equal(end.code, 1);
      assert.ok(lasted <= mostMs && lasted > mostMs - minutes(10), String(lasted));
      assert.match(stage.log, /\*\*Reason\*\*: model failed\n/);
      assert.match(stage.log, /status: Pending/);
    }
  });

  it("lets a person stop the job while it is waited for", async () => {
    const stage: JobStage = new JobStage(() => {
      setImmediate(() => {
        stage.stopping.abort();
      });
      return { error: new ModelError("server", "Status 500.", {}) };
    }, filesWith("- [ ] 1. Task"));
    assert.equal((await stage.run()).code, 1);
    assert.match(stage.log, /\*\*Reason\*\*: stopped\n/);
    assert.doesNotMatch(stage.log, /Locked|attempts/);
  });
});
