import assert from "node:assert/strict";
import { temporaryName } from "../../../../../src/core/access/temporaryName.js";
import { ModelError } from "../../../../../src/core/errors.js";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { spoken } from "../../../../../src/core/text/words.js";
import { CountingIds } from "../../../../fakes/countingIds.js";
import { reports } from "../../../../fakes/envelopes.js";
import { golden } from "../../../../fakes/golden.js";
import { adds, does, JobStage, judges, plans } from "../../../../fakes/jobStage.js";
import { calls } from "../../../../fakes/navigatorWorld.js";
import { ScriptedModel } from "../../../../fakes/scriptedModel.js";

const job = "---\nname: trip\ndirs: [src]\n---\n\nPlan a trip.\n";
const files = { ".jixo/trip.job.md": job };

const logOf = (...tasks: readonly string[]) =>
  [
    "---",
    "title: Trip",
    'progress: "0%"',
    "---",
    "",
    "## Roadmap",
    "",
    ...tasks.flatMap((task, index) => {
      const [status = "", runner] = task.split(" ");
      const by = runner === undefined ? [] : [`  - runner: ${runner}`];
      return [`- [ ] ${index + 1}. Task`, `  - status: ${status}`, ...by];
    }),
    "",
    "## Work Log",
    "",
  ].join("\n");

describe("the outer loop", () => {
  it("[R-JIXO-1] [R-JIXO-3] [R-JIXO-4] [R-JIXO-15] [R-JIXO-17] [R-JIXO-18] [R-JIXO-21] plans, does five tasks one by one, plans a failed one anew, and ends", async () => {
    const phases = [
      { text: "1. Prepare", tasks: ["1.1. Look", "1.2. Choose"] },
      { text: "2. Book", tasks: ["2.1. Train", "2.2. Hotel"] },
      { text: "3. Pack" },
    ];
    const stage = new JobStage(
      [
        plans([{ action: "add", items: phases }]),
        does({ summary: "Looked." }),
        does({ summary: "Chose the sea." }),
        does({ result: "Failed", summary: "No train goes there." }),
        plans([{ action: "replace", item: "2.1", items: [{ text: "2.1. Bus" }] }], {
          title: undefined,
          summary: "By bus then.",
        }),
        does({ result: "done", summary: "Booked\n\n## Roadmap\n- [ ] 9. Not a task" }),
        does(),
        does(),
      ],
      files,
    );
    assert.deepEqual(await stage.run(), { code: 0, reason: "Job completed successfully." });
    assert.deepEqual(stage.lifecycles, [
      "Create the plan: Succeeded",
      "Task 1.1. Look: Succeeded",
      "Task 1.2. Choose: Succeeded",
      "Task 2.1. Train: Failed",
      "Plan anew what has failed: 2.1: Succeeded",
      "Task 2.1. Bus: Succeeded",
      "Task 2.2. Hotel: Succeeded",
      "Task 3. Pack: Succeeded",
    ]);
    await golden("jobs/fiveTasks.log.md", stage.log);
    assert.equal(stage.job, job);
  });

  it("[R-JIXO-28] notes the budget under which the job works, for who reads the log later", async () => {
    const roadmap = logOf("Pending", "Pending", "Pending", "Pending");
    const stage = new JobStage(() => does(), { ...files, ".jixo/trip.log.md": roadmap });
    const noted = () => readJobLog(stage.log).notes.budget;
    await stage.run({ most: 1 });
    assert.equal(noted(), undefined);
    await stage.run({ most: 1, budget: { requests: 500, cost: 2.5 } });
    assert.equal(noted(), "500 requests, $2.5");
    await stage.run({ most: 1 });
    assert.equal(noted(), "none");
  });

  it("[R-JIXO-21] adds no plan from nothing to a roadmap that is there by then", async () => {
    const stage: JobStage = new JobStage(async (request) => {
      if (request.messages[0]?.content.includes("PLANNER") !== true) return does();
      await stage.files.replaceFile(".jixo/trip.log.md", logOf("Pending"));
      return plans([adds("1. Again")]);
    }, files);
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(stage.lifecycles, ["Create the plan: Failed", "Task 1. Task: Succeeded"]);
    assert.match(stage.log, /does not fit the log any more.*The roadmap is no longer empty/);
  });

  it("[R-JIXO-5] [R-JIXO-6] tells each lifecycle who it is and what the files say, and nothing else", async () => {
    const log = logOf("Pending", "Locked job-0000000000000000000000000000beef");
    const stage = new JobStage([does()], { ...files, ".jixo/trip.log.md": log });
    stage.lock.occupy("job-runner-0000000000000000000000000000beef");
    assert.deepEqual(await stage.run({ quota: 7 }), {
      code: 2,
      reason: "No available tasks to execute, other agents are active.",
    });
    assert.equal(stage.model.requests[0]?.messages.length, 2);
    const told = stage.told(0);
    for (const line of [
      "Your objective: Task 1. Task",
      "Job_Name: trip",
      "Current_Task_Max_Turns_Quota: 7",
      "Other_Runner_List: job-0000000000000000000000000000beef",
      "Task_Start_Time: 2025-01-02T03:04:05.000Z",
      "task.dirs: src",
      "Plan a trip.",
      "- [ ] 2. Task",
    ]) {
      assert.ok(told.includes(`${line}\n`), line);
    }
    assert.match(told, /Task_Runner: trip-[0-9a-f]{32}\n/);
  });

  it("[R-JIXO-5] gives a lifecycle as many turns as its quota has, and no more", async () => {
    const look = calls("read_file", { path: "src/a.txt" });
    for (const quota of [1, 4]) {
      const log = { "src/a.txt": "a", ".jixo/trip.log.md": logOf("Pending") };
      const stage = new JobStage(() => look, { ...files, ...log });
      assert.equal((await stage.run({ quota, most: 1 })).code, 2);
      assert.equal(stage.model.requests.length, quota);
      assert.deepEqual(stage.lifecycles, ["Task 1. Task: Pending"]);
    }
  });

  it("[R-JIXO-6] names each lifecycle anew, and others at work even if they hold no task", async () => {
    const planner = "job-0000000000000000000000000000beef";
    const lock = "job-runner-0000000000000000000000000000beef";
    const card = { runner: planner, taskId: "ROO#JOB_x", role: "Planner", objective: "Plan" };
    const record = { ...card, task: null, turn: 0, quota: 9, since: "2025-01-01T00:00:00.000Z" };
    const stage = new JobStage([does(), does()], {
      ...files,
      ".jixo/trip.log.md": logOf("Pending", "Pending"),
      [`.rooroo/jobs/trip/runners/${lock}.json`]: `${JSON.stringify(record)}\n`,
    });
    stage.lock.occupy(lock);
    assert.equal((await stage.run()).code, 0);
    const told = [stage.told(0), stage.told(1)];
    const runners = told.map((text) => /^Task_Runner: (.*)$/m.exec(text)?.[1]);
    assert.equal(new Set(runners).size, 2);
    for (const text of told) {
      assert.match(text, new RegExp(`^Other_Runner_List: ${planner}$`, "m"));
      assert.match(text, /^Job_Name: trip$/m);
    }
  });

  it("[R-JIXO-8] [R-JIXO-17] takes over what a dead runner held, and has exactly one task Locked while it works", async () => {
    const log = logOf("Locked job-0000000000000000000000000000dead", "Pending");
    const swept: number[] = [];
    const seen: string[] = [];
    const stage: JobStage = new JobStage(
      async () => {
        // A runner keeps nobody else from planning.
        assert.equal(await stage.lock.holder("job-planner-trip"), undefined);
        swept.push(stage.shell.sweeps);
        seen.push(stage.log);
        return does();
      },
      { ...files, ".jixo/trip.log.md": log },
    );
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(
      seen.map((text) => text.match(/status: \w+/g)),
      [
        ["status: Locked", "status: Pending"],
        ["status: Completed", "status: Locked"],
      ],
    );
    assert.deepEqual(swept, [1, 1], "a command of the dead one runs on beside the task");
    assert.match(seen[0] ?? "", /runner: trip-[0-9a-f]{32}/);
    await golden("jobs/staleLock.log.md", stage.log);
  });

  it("[R-JIXO-8] resumes a dead runner's session, which knows what it had changed, and begins anew once the log has an entry", async () => {
    const cards = (stage: JobStage) => stage.files.readDirectory(".rooroo/jobs/trip/runners");
    const dies = new Error("killed");
    const stage = new JobStage(
      [
        calls("write_to_file", { path: "src/a.txt", content: "half" }),
        { error: dies },
        does({ result: "Pending", summary: "In progress." }),
        does(),
      ],
      { ...files, ".jixo/trip.log.md": logOf("Pending") },
    );
    // Nothing of it is written any more, nor taken away: it is as if its process were gone.
    const { removeFile, replaceFile } = stage.files;
    stage.files.removeFile = () => Promise.reject(dies);
    stage.files.replaceFile = (path, ...more) =>
      path.includes(".jixo") && stage.model.requests.length > 0
        ? Promise.reject(dies)
        : replaceFile.call(stage.files, path, ...more);
    await assert.rejects(stage.run(), dies);
    Object.assign(stage.files, { removeFile, replaceFile });
    assert.equal((await cards(stage)).length, 1);
    assert.equal((await stage.run()).code, 0);
    const resumed = stage.model.requests[2]?.messages ?? [];
    assert.deepEqual(
      resumed.map(({ role }) => role),
      ["system", "user", "assistant", "tool"],
    );
    assert.match(JSON.stringify(resumed[2]), /src\/a\.txt/);
    assert.equal(stage.told(2), stage.told(1));
    assert.equal(stage.model.requests[3]?.messages.length, 2);
    assert.deepEqual(await cards(stage), []);
  });

  it("[R-JIXO-6] [R-JIXO-21] counts what a killed runner had submitted, and tells a resumed one of a changed job file", async () => {
    const dies = new Error("killed");
    const log = { ...files, ".jixo/trip.log.md": logOf("Pending", "Pending") };
    const begun = new JobStage(
      [
        does({ summary: "Did the first." }),
        calls("write_to_file", { path: "src/a.txt", content: "half" }),
        { error: dies },
      ],
      log,
    );
    /** Lets nothing be written any more from then on, as if the process were gone. */
    const killed = async (stage: JobStage, at: number): Promise<JobStage> => {
      const { removeFile, replaceFile } = stage.files;
      stage.files.removeFile = (path) =>
        stage.model.requests.length >= at
          ? Promise.reject(dies)
          : removeFile.call(stage.files, path);
      stage.files.replaceFile = (path, ...more) =>
        path.includes(".jixo") && stage.model.requests.length >= at
          ? Promise.reject(dies)
          : replaceFile.call(stage.files, path, ...more);
      await assert.rejects(stage.run(), dies);
      Object.assign(stage.files, { removeFile, replaceFile });
      return stage;
    };
    await killed(begun, 1);
    const cutOffOf = (name: string) => temporaryName(name, "00000000ffffffff", "01234567");
    const left = Object.fromEntries(
      begun.files.paths.map((path) => [path, begun.files.text(path) ?? ""]),
    );
    const next = new JobStage(
      [calls("write_to_file", { path: "src/a.txt", content: "half" }), { error: dies }],
      left,
    );
    next.ids = new CountingIds(1000);
    await killed(next, 2);
    // The first task's result counted without a request.
    assert.deepEqual(next.lifecycles, ["Task 1. Task: Succeeded"]);
    assert.match(next.log, /Did the first\./);
    next.model = new JobStage([does()], {}).model;
    await next.files.replaceFile(".jixo/trip.job.md", `${next.job}Walk slowly.\n`);
    const cutOff = [`.jixo/${cutOffOf("trip.log.md")}`, `src/${cutOffOf("a.txt")}`];
    for (const path of cutOff) next.files.put(path, "half");
    assert.equal((await next.run()).code, 0);
    assert.deepEqual(
      next.files.paths.filter((path) => cutOff.includes(path)),
      [],
      "what writes that were cut off have left is gone",
    );
    const told = next.model.requests[0]?.messages.at(-1);
    assert.equal(told?.role, "user");
    assert.match(told.content, /^The job file has changed since you began[^]*Walk slowly\./);
  });

  it("[R-JIXO-1] [R-JIXO-2] [R-JIXO-7] lets no model ask, nor write the job's own files", async () => {
    const write = (path: string) => calls("write_to_file", { path, content: "x" });
    const stage = new JobStage(
      [
        plans([adds("1. Go")]),
        calls("insert_content", { path: ".jixo/trip.log.md", line: 1, content: "x" }),
        write(".JIXO/other.md"),
        calls("execute_command", { command: "touch .jixo/third.job.md" }),
        calls("execute_command", { command: "rm trip.log.md", cwd: ".jixo" }),
        write("src/a.txt"),
        does(),
      ],
      files,
    );
    assert.equal((await stage.run()).code, 0);
    for (const { tools } of stage.model.requests) {
      assert.ok(tools.every(({ name }) => name !== "ask_followup_question"));
    }
    const results = stage.model.requests.at(-1)?.messages.filter(({ role }) => role === "tool");
    for (const at of [0, 1, 2, 3]) {
      assert.match(results?.[at]?.content ?? "", /what is in \.jixo is written by code/);
    }
    assert.deepEqual(stage.shell.requests, []);
    assert.equal(stage.files.text("src/a.txt"), "x");
    const made = [...(await stage.files.readDirectory(".jixo"))].map(({ name }) => name);
    assert.deepEqual(made, ["trip.job.md", "trip.log.md"]);
    assert.equal(stage.files.text(".JIXO/other.md"), undefined);
  });

  it("[R-JIXO-24] asks at the end of the job file, and goes on by the default plan without an answer", async () => {
    const asked = {
      question: "Sea or hills?",
      to_user: "I cannot know.",
      placeholder: "Here.",
      default_plan: [{ text: "1. Go to the sea" }],
    };
    const stage = new JobStage(
      [
        plans([adds("1. Go", "2. Come back")]),
        does({ result: "Pending", summary: "Where to?", clarification: asked }),
        does(),
        does(),
      ],
      files,
    );
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(stage.lifecycles, [
      "Create the plan: Succeeded",
      "Task 1. Go: Pending",
      "Task 1. Go to the sea: Succeeded",
      "Task 2. Come back: Succeeded",
    ]);
    await golden("jobs/asked.log.md", stage.log);
    await golden("jobs/asked.job.md", stage.job);
  });

  it("[R-JIXO-21] [R-JIXO-24] asks nothing without a default plan, and frees the task where that cannot be written", async () => {
    const asks = (default_plan: object[]) =>
      does({
        result: "Pending",
        summary: "Where to?",
        clarification: { question: "Sea or hills?", default_plan },
      });
    const log = { ...files, ".jixo/trip.log.md": logOf("Pending") };
    const stage = new JobStage([asks([]), asks([{ text: " " }])], log);
    assert.equal((await stage.run({ most: 1 })).code, 2);
    const told = stage.model.requests[1]?.messages.at(-1)?.content ?? "";
    assert.match(told, /default_plan/);
    assert.equal(stage.job, job);
    assert.match(stage.log, /status: Pending\n\n[^]*\*\*Result\*\*: Pending/);
    assert.doesNotMatch(stage.log, /status: Locked/);
  });

  it("[R-JIXO-11] [R-JIXO-23] works an answer in first, and takes it out of the job file when that is committed", async () => {
    const clarification = { question: "Sea or hills?", placeholder: "Here." };
    const stage = new JobStage(
      [
        plans([adds("1. Go to the sea")], { clarification }),
        () => {
          // The plan is in the log before the answer goes.
          assert.ok(stage.job.includes("Hills!"));
          return plans([{ action: "replace", item: "1", items: [{ text: "1. Go to the hills" }] }]);
        },
        does(),
      ],
      files,
    );
    assert.equal((await stage.run({ most: 1 })).code, 2);
    assert.ok(stage.job.includes("- Sea or hills?"));
    await stage.files.replaceFile(".jixo/trip.job.md", stage.job.replace(/<!-- .* -->/, "Hills!"));
    assert.equal((await stage.run()).code, 0);
    assert.match(stage.told(1), /Your objective: Work in what was answered: Q-/);
    assert.equal(stage.job, `${job}\n## Decided\n\n- Sea or hills? → Hills!\n`);
    assert.ok(stage.told(2).includes("- Sea or hills? → Hills!"));
    // The answer is in the plan already: nobody need judge whether the plan serves the goal with it.
    assert.equal(stage.judge.requests.length, 0);
    assert.match(stage.log, /- \[x\] 1\. Go to the hills\n/);
    await golden("jobs/answered.log.md", stage.log);
  });

  it("[R-JIXO-12] has a model say whether the plan serves the goal, once for each goal, and plans anew if not", async () => {
    const stage = new JobStage([plans([adds("1. Go", "2. Come back")]), does(), does()], files);
    await stage.run({ most: 2 });
    // The plan was made for this goal: nobody needs to be asked.
    assert.equal(stage.judge.requests.length, 0);
    await stage.files.replaceFile(".jixo/trip.job.md", `${job}\nAnd write a postcard.\n`);
    stage.judge = new ScriptedModel([judges(false, "No task writes a postcard.")]);
    stage.model = new ScriptedModel([
      plans([adds("3. Write a postcard")], { title: undefined }),
      does(),
      does(),
    ]);
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(stage.lifecycles.slice(2), [
      "Bring the plan back to the goal: No task writes a postcard.: Succeeded",
      "Task 2. Come back: Succeeded",
      "Task 3. Write a postcard: Succeeded",
    ]);
    assert.equal(stage.judge.requests.length, 1);
    const [asked] = stage.judge.requests;
    assert.match(
      asked?.messages[1]?.content ?? "",
      /And write a postcard\.[^]*- \[ \] 2\. Come back/,
    );
    // One that is satisfied is noted, too.
    await stage.files.replaceFile(".jixo/trip.job.md", `${job}\nAnd write postcards.\n`);
    stage.judge = new ScriptedModel([judges(true)]);
    assert.equal((await stage.run()).code, 0);
    assert.equal((await stage.run()).code, 0);
    assert.equal(stage.judge.requests.length, 1);
    // Spaces and lines are no other goal.
    await stage.files.replaceFile(".jixo/trip.job.md", `${job}\n\nAnd  write\npostcards.`);
    assert.equal((await stage.run()).code, 0);
  });

  it("[R-JIXO-12] takes no judgement of one goal for one of another", async () => {
    const log = { ...files, ".jixo/trip.log.md": logOf("Pending") };
    const stage: JobStage = new JobStage([does()], log);
    stage.judge = new ScriptedModel(async () => {
      if (stage.judge.requests.length === 1) {
        await stage.files.replaceFile(".jixo/trip.job.md", `${job}\nAnd write a postcard.\n`);
      }
      return judges(true);
    });
    assert.equal((await stage.run()).code, 0);
    assert.equal(stage.judge.requests.length, 2);
    assert.match(JSON.stringify(stage.judge.requests[1]?.messages), /And write a postcard/);
  });

  it("[R-JIXO-12] goes on by the plan when the model's judgement cannot be used, and halts when there is none", async () => {
    const log = { ...files, ".jixo/trip.log.md": logOf("Pending") };
    const unclear = new JobStage([does()], log);
    unclear.judge = new ScriptedModel(() => ({ text: "Hm." }));
    assert.equal((await unclear.run()).code, 0);
    const without = new JobStage([does()], log);
    without.judge = new ScriptedModel([
      { error: new ModelError("toolsUnsupported", "No tools.", {}) },
      { text: '{"fits": true, "reason": "So it is."}' },
    ]);
    // Without tools the runner is asked in envelopes.
    without.model = new ScriptedModel([reports({ result: "Succeeded", summary: "Done." })]);
    assert.equal((await without.run()).code, 0);
    const silent = new JobStage([], log);
    silent.judge = new ScriptedModel([{ error: new ModelError("unauthorised", "No key.", {}) }]);
    assert.equal((await silent.run()).code, 1);
    const [notice] = silent.events;
    assert.equal(silent.events.length, 1);
    assert.deepEqual(notice, {
      at: silent.clock.now().toISOString(),
      type: "notice",
      id: notice?.type === "notice" ? notice.id : "",
      work: { kind: "job", name: "trip" },
      level: "warning",
      text: "Whether the plan serves the goal could not be asked. No key.",
      said: {
        text: {
          template: "Whether the plan serves the goal could not be asked. {why}",
          params: { why: { template: "No key.", params: {} } },
        },
      },
      steps: [],
    });
    assert.equal(silent.log, log[".jixo/trip.log.md"]);
  });

  it("[R-JIXO-19] gives a runner its one task and a way to give it up, and changes no other whatever it submits", async () => {
    const stage = new JobStage(
      [
        does({
          summary: "Did tasks 1, 2 and 3.",
          task: "3",
          status: "Completed",
          tasks: ["2", "3"],
        }),
        does({
          result: "Pending",
          summary: "Which day is it?",
          clarification: { question: "Which day?", default_plan: [{ text: "2. Go on Monday" }] },
        }),
        does(),
        does(),
      ],
      { ...files, ".jixo/trip.log.md": logOf("Pending", "Pending", "Pending") },
    );
    assert.equal((await stage.run({ most: 1 })).code, 2);
    const system = stage.model.requests[0]?.messages[0]?.content ?? "";
    assert.match(system, /exactly one task/);
    assert.match(system, /If you lack something essential that only the user can tell: stop/);
    assert.match(stage.told(0), /<task>\nYour objective: Task 1\. Task\n/);
    const statuses = () => [...stage.log.matchAll(/status: (\w+)/g)].map(([, status]) => status);
    assert.deepEqual(statuses(), ["Completed", "Pending", "Pending"]);
    assert.equal((await stage.run({ most: 1 })).code, 2);
    assert.deepEqual(statuses(), ["Completed", "Pending", "Pending"]);
    assert.match(stage.job, /Which day\?/);
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(stage.lifecycles.slice(1), [
      "Task 2. Task: Pending",
      "Task 2. Go on Monday: Succeeded",
      "Task 3. Task: Succeeded",
    ]);
  });

  it("[R-JIXO-20] keeps the last turns for submitting, and says so when not even those were enough", async () => {
    const said: string[] = [];
    const stage: JobStage = new JobStage(
      ({ messages }) => {
        const last = messages.at(-1);
        if (last?.role === "user" && messages.length > 2) said.push(last.content);
        const turn = stage.model.requests.length;
        return turn === 10 ? does() : calls("read_file", { path: "src/a.txt", end_line: turn });
      },
      { ...files, "src/a.txt": "a", ".jixo/trip.log.md": logOf("Pending") },
    );
    assert.equal((await stage.run({ quota: 8 })).code, 0);
    assert.deepEqual(stage.lifecycles, ["Task 1. Task: Pending", "Task 1. Task: Succeeded"]);
    assert.deepEqual(said.length, 1);
    assert.match(said[0] ?? "", /^Your turns are nearly used up: 3 left\./);
    assert.match(
      stage.log,
      /\*\*Result\*\*: Pending\n- \*\*Reason\*\*: out of turns\n(?:- .*\n)*- \*\*Summary\*\*: Ran out of interaction turns, work will be resumed\./,
    );
    await golden("jobs/quota.log.md", stage.log);
    // The next one begins with nothing but the files.
    assert.equal(stage.model.requests[8]?.messages.length, 2);
  });

  it("[R-JIXO-20] gives the true reason where a hand-in is refused until no attempt is left", async () => {
    const said: string[] = [];
    const stage: JobStage = new JobStage(
      ({ messages }) => {
        const last = messages.at(-1);
        if (last?.role === "user" && messages.length > 2) said.push(last.content);
        return calls("attempt_completion", { result: "Odd" });
      },
      { ...files, ".jixo/trip.log.md": logOf("Pending") },
    );
    await stage.run({ most: 1 });
    assert.match(said[0] ?? "", /^You make no progress, so only 3 turns are left\./);
    assert.match(
      stage.log,
      /\*\*Reason\*\*: refused\n(?:- .*\n)*- \*\*Summary\*\*: What was submitted was not accepted, work will be resumed\. The last time: .*result/,
    );
    assert.doesNotMatch(stage.log, /Ran out of interaction turns/);
    // What was refused is told to the next agent; people are told that it was.
    const ended = stage.events.findLast(({ type }) => type === "sessionEnded");
    assert.equal(
      ended && "message" in ended && ended.message,
      "What was handed in was not accepted.",
    );
  });

  it("[R-JIXO-20] commits Pending with the reason when it is stopped, and lets go of all locks", async () => {
    const stage: JobStage = new JobStage(
      () => {
        stage.stopping.abort();
        return does();
      },
      { ...files, ".jixo/trip.log.md": logOf("Pending") },
    );
    const reason = "Stopped. Run the job again to continue.";
    assert.deepEqual(await stage.run(), { code: 1, reason });
    assert.match(stage.log, /- \[ \] 1\. Task\n {2}- status: Pending\n\n/);
    assert.match(stage.log, /\*\*Summary\*\*: Stopped by the user; work will be resumed\./);
    assert.equal(await stage.lock.holder(`job-runner-${"1".padStart(32, "0")}`), undefined);
  });

  it("[R-JIXO-4] resumes no session that was stopped or has submitted, even where the log is put back to what it said before", async () => {
    const log = { ...files, ".jixo/trip.log.md": logOf("Pending") };
    const stopped: JobStage = new JobStage(() => {
      if (stopped.model.requests.length > 1) stopped.stopping.abort();
      return calls("write_to_file", { path: "src/a.txt", content: "half" });
    }, log);
    for (const stage of [stopped, new JobStage([does()], log)]) {
      await stage.run();
      const left = Object.fromEntries(
        stage.files.paths.map((path) => [path, stage.files.text(path) ?? ""]),
      );
      const again = new JobStage([does()], { ...left, ...log });
      again.ids = new CountingIds(1000);
      assert.equal((await again.run()).code, 0);
      assert.deepEqual(
        again.model.requests[0]?.messages.map(({ role }) => role),
        ["system", "user"],
      );
    }
  });

  it("[R-JIXO-4] [R-JIXO-21] commits no result twice, where its runner was killed as soon as it was in the log", async () => {
    const dies = new Error("killed");
    const stage = new JobStage([does({ result: "Pending", summary: "In progress." })], {
      ...files,
      ".jixo/trip.log.md": logOf("Pending"),
    });
    stage.files.beforeOperation = (operation) => {
      const isIn = stage.log.includes("In progress.");
      if (isIn && operation === "appendLines") throw dies;
    };
    await assert.rejects(stage.run(), dies);
    delete stage.files.beforeOperation;
    stage.model = new ScriptedModel([does()]);
    stage.ids = new CountingIds(1000);
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(stage.lifecycles, ["Task 1. Task: Pending", "Task 1. Task: Succeeded"]);
  });

  it("[R-JIXO-6] goes on in a killed runner's session, whatever became meanwhile of a task with the same title", async () => {
    const dies = new Error("killed");
    const write = calls("write_to_file", { path: "two.txt", content: "2" });
    const taskNow = (stage: JobStage) =>
      /Your objective: Task (\d)/.exec(
        stage.model.requests.at(-1)?.messages[1]?.content ?? "",
      )?.[1];
    const stage: JobStage = new JobStage(
      () => {
        if (taskNow(stage) === "1") return does();
        return stage.files.text("two.txt") === undefined ? write : { error: dies };
      },
      { ...files, ".jixo/trip.log.md": logOf("Completed", "Pending") },
    );
    await assert.rejects(stage.run(), dies);
    const text = stage.log;
    const entry =
      "\n### Log 1 @trip (2025-01-02T03:04:05.000Z)\n\n- **Role**: Runner\n- **Objective**: Task 1. Task\n- **Result**: Succeeded\n- **Summary**: Done.\n";
    await stage.files.replaceFile(".jixo/trip.log.md", `${text.trimEnd()}\n${entry}`);
    stage.model = new ScriptedModel([does()]);
    stage.ids = new CountingIds(1000);
    assert.equal((await stage.run()).code, 0);
    assert.match(
      stage.model.requests[0]?.messages.map(({ role }) => role).join(" ") ?? "",
      /user assistant tool/,
    );
    assert.match(stage.log, /\*\*Changes\*\*: 1 file \(\+1 −0\): two\.txt/);
  });

  it("[R-JIXO-30] ends with 1, and the task Pending, where the model refuses", async () => {
    const log = { ...files, ".jixo/trip.log.md": logOf("Pending") };
    const failing = new JobStage([{ error: new ModelError("unauthorised", "No key.", {}) }], log);
    assert.equal((await failing.run()).code, 1);
    assert.match(failing.log, /the model did not answer; work will be resumed\. No key\./);
    assert.match(failing.log, /status: Pending/);
    assert.doesNotMatch(failing.log, /status: Locked/);
  });

  it("says before it starts what nobody can allow, sets such tasks aside without a question, and does the others", async () => {
    const write = calls("write_to_file", { path: "a.txt", content: "x" });
    const log = { ...files, ".jixo/trip.log.md": logOf("Pending", "Pending") };
    const before = files[".jixo/trip.job.md"];
    const asking = new JobStage([write, does()], log, "ask");
    const { code, reason } = await asking.run();
    assert.equal(code, 2);
    assert.match(reason, /^Nobody was there to allow what these tasks need: 1\. /);
    assert.match(asking.log, /\*\*Reason\*\*: needs approval\n[^]*Nobody was there to allow this/);
    assert.deepEqual(asking.lifecycles, ["Task 1. Task: Pending", "Task 2. Task: Succeeded"]);
    const [told] = asking.events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
    assert.match(spoken(told ?? ""), /^Nobody can be asked here\. .* preset “all” allows/);
    assert.equal(asking.job, before);
    assert.match(asking.log, /status: Pending\n {2}- waits for: approval \(ask /);
  });

  it("tries a task that needs an approval again under other rights, and not under the same", async () => {
    const write = calls("write_to_file", { path: "a.txt", content: "x" });
    const first = new JobStage([write], { ...files, ".jixo/trip.log.md": logOf("Pending") }, "ask");
    await first.run();
    const left = { ...files, ".jixo/trip.log.md": first.log };
    const same = new JobStage([], left, "ask");
    assert.deepEqual([(await same.run()).code, same.log], [2, first.log]);
    const wider = new JobStage([write, does()], left, "all");
    assert.equal((await wider.run()).code, 0);
    assert.doesNotMatch(wider.log, /waits for/);
  });

  it("[R-JIXO-30] gives up when twenty lifecycles in a row got nothing done", async () => {
    const stage = new JobStage(() => does({ result: "Pending", summary: "Still in progress." }), {
      ...files,
      ".jixo/trip.log.md": logOf(...Array.from({ length: 25 }, () => "Pending")),
    });
    const { code, reason } = await stage.run();
    assert.deepEqual([code, stage.lifecycles.length], [1, 20]);
    assert.match(spoken(reason), /got nothing done/);
  });

  it("[R-JIXO-30] goes on however many lifecycles got nothing done, as long as others between them did", async () => {
    const tried = new Set<string>();
    const stage: JobStage = new JobStage(
      () => {
        const [, task = ""] = /- \[ \] (\d+)\. Task\n {2}- status: Locked/.exec(stage.log) ?? [];
        const isLeft = Number(task) % 2 === 0 && !tried.has(task);
        tried.add(task);
        return isLeft ? does({ result: "Pending", summary: "In progress." }) : does();
      },
      { ...files, ".jixo/trip.log.md": logOf(...Array.from({ length: 44 }, () => "Pending")) },
    );
    assert.equal((await stage.run()).code, 0);
    assert.equal(stage.lifecycles.filter((one) => one.endsWith("Pending")).length, 22);
  });

  it("[R-JIXO-30] ends with 2 after as many lifecycles as it was given, with work left", async () => {
    const log = { ...files, ".jixo/trip.log.md": logOf("Pending", "Pending", "Pending") };
    const stage = new JobStage([does(), does()], log);
    assert.equal((await stage.run({ most: 2 })).code, 2);
    assert.equal(stage.lifecycles.length, 2);
    assert.equal(stage.model.requests.length, 2);
  });

  it("[R-JIXO-16] runs version 1, which leaves a failed task, by its own words", async () => {
    const v1 = { ".jixo/trip.task.md": job };
    const stage = new JobStage([plans([adds("1. Go", "2. Stay")]), does(), does()], v1);
    assert.deepEqual(await stage.run(), {
      code: 0,
      reason: "No parallelizable tasks available. Ending session.",
    });
    await golden("jobs/version1.log.md", stage.log);
    const failing = new JobStage([plans([adds("1. Go")]), does({ result: "Failed" })], v1);
    assert.equal((await failing.run()).code, 1);
    assert.match(failing.log, /status: Failed/);
  });

  it("[R-JIXO-17] has several runners, of which one plans while the others wait, and none do a task twice", async () => {
    const texts = Array.from({ length: 9 }, (_, index) => `${index + 1}. Task`);
    const plan = plans([adds(...texts)]);
    const stage = new JobStage(
      ({ messages }) => (messages[0]?.content.includes("PLANNER") === true ? plan : does()),
      files,
    );
    assert.equal((await stage.run({ runners: 3 })).code, 0);
    assert.deepEqual(
      stage.lifecycles.toSorted(),
      ["Create the plan: Succeeded", ...texts.map((text) => `Task ${text}: Succeeded`)].toSorted(),
    );
  });

  it("[R-JIXO-9] [R-JIXO-18] tells a planner what its plan misses, before it is written", async () => {
    const log = logOf("Failed", "Completed").replace("title: Trip", "title: _待定_");
    const stage = new JobStage(
      [
        plans([{ action: "retry", item: "1" }], { title: undefined }),
        plans([]),
        plans([{ action: "replace", item: "2", items: [{ text: "2. Again" }] }]),
        plans([{ action: "cancel", item: "1" }]),
      ],
      { ...files, ".jixo/trip.log.md": log },
    );
    assert.equal((await stage.run()).code, 0);
    const results = stage.model.requests.at(-1)?.messages.filter(({ role }) => role === "tool");
    assert.deepEqual(
      results?.map(({ content }) => content),
      [
        "The log has no title yet: give it one in title.",
        "Task 1 would still be Failed: retry, replace or cancel it, or ask about it.",
        "Task 2 is Completed, so it stays in the roadmap.",
      ],
    );
  });

  it("[R-JIXO-18] takes no plan that has no task", async () => {
    const stage = new JobStage([plans([]), plans([adds("1. Go")]), does()], files);
    assert.equal((await stage.run()).code, 0);
    const told = stage.model.requests[1]?.messages.at(-1)?.content;
    assert.equal(told, "The roadmap would have no task. Add some.");
    const system = stage.model.requests[0]?.messages[0]?.content ?? "";
    assert.match(system, /sequence of tasks, each a unit that one runner does alone and can check/);
    assert.deepEqual(stage.lifecycles, ["Create the plan: Succeeded", "Task 1. Go: Succeeded"]);
  });

  it("[R-JIXO-18] has a planner number its tasks as no other is numbered", async () => {
    const every = job.replace("name:", "every: 1h\nname:");
    const log = logOf("Pending").replace("[ ] 1. Task\n  - status: Pending", "[x] 1. Water");
    const noted = log.replace("---\n\n", "next_cycle: 2000-01-01T00:00:00.000Z\n---\n\n");
    const stage = new JobStage(
      [plans([adds("1. Water again")]), plans([adds("2. Water again")]), does()],
      { ".jixo/trip.job.md": every, ".jixo/trip.log.md": noted },
    );
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(stage.lifecycles, [
      "Plan the next cycle: Succeeded",
      "Task 2. Water again: Succeeded",
    ]);
    const [refused] = stage.model.requests[1]?.messages.filter(({ role }) => role === "tool") ?? [];
    assert.equal(refused?.content, "There would be two tasks 1: give yours another number.");
  });

  it("[R-JIXO-22] keeps what a person writes into the log meanwhile, and takes nothing that they took away", async () => {
    const stage: JobStage = new JobStage(
      async () => {
        const text = stage.log.replace("status: Locked", "status: Cancelled");
        await stage.files.replaceFile(".jixo/trip.log.md", `${text}\nA note by hand.\n`);
        return does({ summary: "Did it." });
      },
      { ...files, ".jixo/trip.log.md": logOf("Pending") },
    );
    assert.equal((await stage.run()).code, 0);
    assert.deepEqual(stage.lifecycles, ["Task 1. Task: Cancelled"]);
    assert.match(stage.log, /status: Cancelled/);
    assert.match(stage.log, /\nA note by hand\.\n/);
    assert.match(stage.log, /changed by hand, while it worked\. Did it\./);
  });

  it("[R-JIXO-21] begins a commit again when somebody saves the log between its look and its write", async () => {
    const stage = new JobStage([does()], { ...files, ".jixo/trip.log.md": logOf("Pending") });
    const replace = stage.files.replaceFile.bind(stage.files);
    let saved = 0;
    stage.files.replaceFile = async (path, content, options) => {
      if (path.endsWith(".log.md") && saved++ % 2 === 0) {
        await replace(path, `${stage.log}\nNote ${saved}.\n`);
      }
      return replace(path, content, options);
    };
    assert.equal((await stage.run()).code, 0);
    assert.match(stage.log, /Note 1\.\n\nNote 3\.\n$/);
    assert.equal(stage.log.match(/status: Completed/g)?.length, 1);
    assert.equal(stage.log.match(/### Log/g)?.length, 1);
  });

  it("[R-JIXO-21] leaves the task to whoever has it by now", async () => {
    const other = "job-0000000000000000000000000000beef";
    const stage: JobStage = new JobStage(
      async () => {
        stage.lock.occupy("job-runner-0000000000000000000000000000beef");
        const text = stage.log.replace(/runner: .*/, `runner: ${other}`);
        await stage.files.replaceFile(".jixo/trip.log.md", text);
        return does();
      },
      { ...files, ".jixo/trip.log.md": logOf("Pending") },
    );
    assert.equal((await stage.run()).code, 2);
    assert.deepEqual(stage.lifecycles, ["Task 1. Task: Cancelled"]);
    assert.match(stage.log, new RegExp(`status: Locked\n {2}- runner: ${other}`));
  });
});
