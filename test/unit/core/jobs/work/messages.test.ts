import assert from "node:assert/strict";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import type { ModelRequest } from "../../../../../src/core/ports/model.js";
import { CountingIds } from "../../../../fakes/countingIds.js";
import { adds, does, JobStage, plans } from "../../../../fakes/jobStage.js";
import { calls } from "../../../../fakes/navigatorWorld.js";

const files = { ".jixo/trip.job.md": "Plan a trip.\n" };
const reads = calls("read_file", { path: ".jixo/trip.job.md" });
const words = "Only by train.";

/** Returns the transcripts in which the words were told, and how often in all. */
function toldIn(stage: JobStage): { sessions: string[]; times: number } {
  const found = stage.files.paths
    .filter((path) => path.endsWith("/transcript.jsonl"))
    .flatMap((path) => {
      const lines = (stage.files.text(path) ?? "").split("\n");
      return lines
        .filter((line) => line.includes(words) && line.includes('"messageId"'))
        .map(() => path);
    });
  return { sessions: [...new Set(found)], times: found.length };
}

const isPlanner = (messages: ModelRequest["messages"]) =>
  messages[0]?.content.includes("PLANNER") === true;
const last = (request: ModelRequest | undefined) => request?.messages.at(-1)?.content ?? "";
const waiting = ({ files: { paths } }: JobStage) =>
  paths.filter((path) => path.includes("/message-"));

describe("words to an agent of a job", () => {
  it("are told at its next turn, shown in the conversation, and kept in its entry", async () => {
    const stage: JobStage = new JobStage(
      [
        plans([adds("1. Go")]),
        async () => {
          await stage.tell(words);
          return reads;
        },
        does(),
      ],
      files,
    );
    assert.equal((await stage.run()).code, 0);
    assert.match(
      last(stage.model.requests[2]),
      /while you were working:\n\n<request>\nOnly by train\./,
    );
    assert.equal(toldIn(stage).times, 1);
    assert.deepEqual(waiting(stage), []);
    const shown = stage.events.filter(
      (event) => event.type === "agent" && event.event.type === "messageDelivered",
    );
    assert.deepEqual(
      shown.map(({ work }) => work),
      [{ kind: "job", name: "trip" }],
    );
    assert.ok(
      stage.events.some(({ type }) => type === "tasksChanged"),
      "lists are read again",
    );
    const [entry] = readJobLog(stage.log).entries;
    assert.equal(entry?.fields.get("said")?.value, words);
  });

  it("come before a submission", async () => {
    const stage: JobStage = new JobStage(
      [
        plans([adds("1. Go")]),
        async () => {
          await stage.tell(words);
          return does({ summary: "Too early." });
        },
        does({ summary: "By train." }),
      ],
      files,
    );
    await stage.run();
    assert.match(stage.log, /By train\./);
    assert.doesNotMatch(stage.log, /Too early/);
  });

  it("that it had no turn left for wait for the next agent at its task, whatever is done before", async () => {
    let isTold = false;
    const objectives: string[] = [];
    const stage: JobStage = new JobStage(async ({ messages }) => {
      const told = messages[1]?.content ?? "";
      if (isPlanner(messages)) return plans([adds("1. Go", "2. Rest")]);
      const [, task = ""] = /objective: Task (\d)/.exec(told) ?? [];
      objectives.push(`${task}${JSON.stringify(messages).includes(words) ? " told" : ""}`);
      if (isTold) return does();
      isTold = true;
      await stage.tell(words);
      return reads;
    }, files);
    await stage.run({ quota: 1 });
    assert.deepEqual(objectives, ["1", "2", "1 told"]);
    assert.match(last(stage.model.requests.at(-1)), /to the agent that worked before you/);
    assert.deepEqual(waiting(stage), []);
  });

  it("about a task that is done are told to the next agent of the job", async () => {
    const stage: JobStage = new JobStage(
      [
        plans([adds("1. Go", "2. Rest")]),
        async () => {
          await stage.tell(words);
          return does();
        },
        does(),
      ],
      files,
    );
    await stage.run({ quota: 1 });
    assert.match(last(stage.model.requests[2]), /Only by train\./);
    assert.deepEqual(stage.lifecycles, [
      "Create the plan: Succeeded",
      "Task 1. Go: Succeeded",
      "Task 2. Rest: Succeeded",
    ]);
  });

  it("wait while the job is stopped, and stay if nobody is left who could read them", async () => {
    let isStopped = false;
    const script = async ({ messages }: ModelRequest) => {
      if (isPlanner(messages)) return plans([adds("1. Go")]);
      if (isStopped) return does();
      isStopped = true;
      await stage.tell(words);
      stage.stopping.abort();
      return reads;
    };
    const stage: JobStage = new JobStage(script, files);
    await stage.run();
    assert.equal(waiting(stage).length, 1);
    const left = stage.files.paths.map((path) => [path, stage.files.text(path) ?? ""] as const);
    const next = new JobStage(script, Object.fromEntries(left));
    next.ids = new CountingIds(1000);
    await next.run();
    assert.equal(toldIn(next).times, 1);
    assert.deepEqual(waiting(next), []);

    const { session } = next;
    await next.messages.add(session, { text: "Too late." });
    await next.run();
    assert.equal((await next.messages.list(session))[0]?.text, "Too late.");
  });

  it("are neither lost nor told twice by a process that is killed at any file operation", async () => {
    const writing = ["createFile", "replaceFile", "appendLines", "removeFile"] as const;
    const answer = ({ messages }: ModelRequest) =>
      isPlanner(messages) ? plans([adds("1. Go")]) : does();
    /** Has the first runner, which has one turn, told something; dies at the given operation after that. */
    const play = async (diesAt: number) => {
      let done = 0;
      let isTold = false;
      const stage: JobStage = new JobStage(async (request) => {
        if (isTold || isPlanner(request.messages)) return answer(request);
        isTold = true;
        await stage.tell(words);
        for (const name of writing) {
          const real = stage.files[name].bind(stage.files) as (
            ...given: unknown[]
          ) => Promise<unknown>;
          Object.assign(stage.files, {
            [name]: (...given: unknown[]) =>
              ++done < diesAt ? real(...given) : Promise.reject(new Error("killed")),
          });
        }
        return reads;
      }, files);
      await stage.run({ quota: 1 }).catch(() => undefined);
      const left = stage.files.paths.map((path) => [path, stage.files.text(path) ?? ""] as const);
      return { left: Object.fromEntries(left), done };
    };
    const { done: all } = await play(Infinity);
    assert.ok(all > 10, String(all));
    for (let at = 1; at <= all; at++) {
      const next = new JobStage(answer, (await play(at)).left);
      next.ids = new CountingIds(1000);
      await next.run();
      assert.equal(toldIn(next).times, 1, `killed at ${at} of ${all}`);
      assert.deepEqual(waiting(next), [], `killed at ${at} of ${all}`);
    }
  });
});
