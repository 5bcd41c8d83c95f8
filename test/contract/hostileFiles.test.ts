import assert from "node:assert/strict";
import fc from "fast-check";
import { Transcript } from "../../src/core/agent/transcript.js";
import { ConversationJournal } from "../../src/core/conversation/store/journal.js";
import { anyExpert, formatQueueEntry } from "../../src/core/documents/queue.js";
import { UserError } from "../../src/core/errors.js";
import { parseModeFile } from "../../src/core/experts/modeFile.js";
import { QueueStore } from "../../src/core/navigator/queue/queueStore.js";
import { TaskStore } from "../../src/core/navigator/tasks/taskStore.js";
import { decodeLossless, encodeLossless } from "../../src/core/text/losslessText.js";
import { ManualClock } from "../fakes/manualClock.js";
import { MemoryFileSystem } from "../fakes/memoryFileSystem.js";
import { MemoryLock } from "../fakes/memoryLock.js";
import { NavigatorStage } from "../fakes/navigatorWorld.js";
import { PlainPatterns } from "../fakes/plainPatterns.js";
import { PlainSigner } from "../fakes/plainSigner.js";
import { hostileBytes } from "./hostileText.js";

const queuePath = ".rooroo/queue.jsonl";
const entry = {
  taskId: "ROO#TASK_1",
  parentTaskId: null,
  mode: "rooroo-developer",
  contextPath: ".rooroo/tasks/ROO#TASK_1/context.md",
  goal: "Go",
  planId: null,
  autoProceed: true,
};
const line = formatQueueEntry(entry);
const folder = ".rooroo/tasks/ROO#TASK_1";

let cases = 0;

async function holds<T>(
  arbitrary: fc.Arbitrary<T>,
  numRuns: number,
  property: (value: T) => Promise<void> | void,
): Promise<void> {
  cases += numRuns;
  await fc.assert(
    fc.asyncProperty(arbitrary, async (value) => {
      await property(value);
    }),
    { numRuns },
  );
}

function parts(files: MemoryFileSystem): { queue: QueueStore; store: TaskStore } {
  return {
    queue: new QueueStore(files, new MemoryLock(), anyExpert),
    store: new TaskStore(files, new ManualClock(), new PlainSigner()),
  };
}

/** Returns a check that an error is in words for a person and names the file. */
function named(path: string): (error: unknown) => undefined {
  return (error) => {
    assert.ok(error instanceof UserError, String(error));
    assert.ok(error.message.includes(path), error.message);
    return undefined;
  };
}

describe("hostile files", () => {
  it("text comes back to the byte", async () => {
    await holds(hostileBytes(), 3_000, (bytes) => {
      assert.deepEqual(encodeLossless(decodeLossless(bytes)), bytes);
    });
  });

  it("[R-ROO-25] a queue keeps every byte but those of the change, and names each bad line", async () => {
    await holds(hostileBytes(line, `${line}\n`, `${line}\r\n`), 5_000, async (bytes) => {
      const files = new MemoryFileSystem({ [queuePath]: bytes });
      const { queue } = parts(files);
      for (const problem of await queue.lines()) {
        if (problem.kind === "problem") assert.ok(problem.line > 0 && problem.reason !== "");
      }
      await queue.putAtHead([{ ...entry, taskId: "ROO#NEW" }]);
      assert.equal((await queue.head())?.taskId, "ROO#NEW");
      await queue.remove("ROO#NEW");
      assert.deepEqual(await files.readFile(queuePath), bytes);
    });
  });

  it("a task's record, report and question are read, or refused by name, and kept", async () => {
    const good = JSON.stringify({
      schema: 1,
      taskId: "ROO#TASK_1",
      parentTaskId: null,
      planId: null,
      mode: "rooroo-developer",
      goal: "Go",
      createdAt: "2025-01-02",
      status: "Done",
      message: "x",
      output_artifact_paths: [],
      clarification_question: null,
      error_details: null,
    });
    await holds(hostileBytes(good, `${good}\n`), 4_000, async (bytes) => {
      const names = ["task.json", "report.json", "question.json"];
      const files = new MemoryFileSystem(
        Object.fromEntries(names.map((name) => [`${folder}/${name}`, bytes])),
      );
      const { store } = parts(files);
      await store.readRecord("ROO#TASK_1").catch(named("task.json"));
      await store.readReport("ROO#TASK_1").catch(named("report.json"));
      await store.readQuestion("ROO#TASK_1").catch(named("question.json"));
      for (const name of names) assert.deepEqual(await files.readFile(`${folder}/${name}`), bytes);
    });
  });

  it("a mode file gives modes and problems with their lines", async () => {
    const good =
      "customModes:\n  - slug: a\n    name: A\n    roleDefinition: You.\n    groups: []\n";
    await holds(hostileBytes(good, "  - slug: b\n", "&a [*a]", "? "), 4_000, (bytes) => {
      const { problems } = parseModeFile(
        new TextDecoder().decode(bytes),
        ".roomodes",
        new PlainPatterns(),
      );
      for (const problem of problems) {
        assert.equal(problem.path, ".roomodes");
        assert.ok(problem.line >= 1 && problem.message !== "");
      }
    });
  });

  it("a transcript reads as what can be read, and is appended to without losing a byte", async () => {
    const path = `${folder}/transcript.jsonl`;
    const start = '{"type":"start","schema":1,"at":"","system":"s"}\n';
    const reply =
      '{"type":"assistant","content":"","toolCalls":[{"id":"1","name":"x","arguments":"{}"}]}\n';
    await holds(hostileBytes(start, reply, '{"type":"result"}\n'), 3_000, async (bytes) => {
      const files = new MemoryFileSystem({ [path]: bytes });
      const transcript = await Transcript.open({
        files,
        signer: new PlainSigner(),
        taskId: "T",
        path,
      }).catch(named(path));
      await transcript?.append({ type: "user", content: "more" });
      assert.deepEqual((await files.readFile(path))!.slice(0, bytes.length), bytes);
    });
  });

  it("a conversation's journal gives the events that can be read", async () => {
    const path = ".rooroo/logs/conversation.jsonl";
    const good = '{"at":"2025-01-02","type":"user","id":"u-1","text":"hi"}\n';
    await holds(hostileBytes(good), 3_000, async (bytes) => {
      const files = new MemoryFileSystem({ [path]: bytes });
      const journal = new ConversationJournal(files, new PlainSigner(), assert.ifError);
      const { events } = await journal.load();
      for (const event of events) assert.equal(typeof event.type, "string");
      assert.deepEqual(await files.readFile(path), bytes);
    });
  });

  it("a whole workspace of them is listed and worked in", async () => {
    const bytes = hostileBytes(line, `${line}\n`);
    await holds(fc.tuple(bytes, bytes, bytes), 500, async ([queue, task, report]) => {
      const stage = new NavigatorStage([], {
        files: new MemoryFileSystem({
          [queuePath]: queue,
          ".roomodes": task,
          [`${folder}/task.json`]: task,
          [`${folder}/report.json`]: report,
          [`${folder}/question.json`]: report,
        }),
      });
      await stage.navigator.overview();
      await stage.navigator.say("/next");
    });
  });

  it("are at least 20,000 in all", () => {
    process.stdout.write(`      ${cases} were tried\n`);
    assert.ok(cases >= 20_000);
  });
});
