import assert from "node:assert/strict";
import { ConversationJournal } from "../../src/core/conversation/store/journal.js";
import { messageOf, UserError } from "../../src/core/errors.js";
import { spoken } from "../../src/core/text/words.js";
import { MemoryFileSystem } from "../fakes/memoryFileSystem.js";
import { completes, NavigatorStage } from "../fakes/navigatorWorld.js";
import { PlainSigner } from "../fakes/plainSigner.js";
import { asking, interrupted, ended, fresh, workspace } from "./damagedFiles.js";
import { say } from "./say.js";

/** A context is a person's text: any part of it is one. */
const damaged = Object.keys(workspace).filter((path) => !path.endsWith("context.md"));

/** A file is cut off after every so many bytes: 3 comes to each kind of place in JSON. */
const cutEvery = process.env["ROOROO_TEST_EVERY_OPERATION"] === undefined ? 3 : 1;

interface Found {
  readonly stage: NavigatorStage;
  /** Everything that a person saw. */
  readonly told: string;
}

/** Does what a person does who opens the workspace: looks, and lets the queue run. */
async function open(files: MemoryFileSystem): Promise<Found> {
  const stage = new NavigatorStage(
    ({ messages }) => {
      // A conversation that servers take, whatever of it is left.
      assert.deepEqual(
        messages.slice(0, 2).map(({ role }) => role),
        ["system", "user"],
      );
      return completes({ message: "Done." });
    },
    { files },
  );
  const said: string[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      said.push(messageOf(error));
    }
  };
  await attempt(async () => {
    const { events } = await new ConversationJournal(
      files,
      new PlainSigner(),
      () => undefined,
    ).load();
    stage.navigator.recall(events);
  });
  // The command ends when this fails, and nothing runs.
  await stage.navigator.recover(() => false);
  const before = await stage.navigator.overview();
  await attempt(() => stage.navigator.proceed());
  const after = await stage.navigator.overview();
  const shown = [before, after].flatMap(({ tasks, problems }) => [
    ...tasks.map(({ taskId, message = "" }) => `${taskId}: ${spoken(message)}`),
    ...problems.map(({ line, reason }) => `line ${line}: ${spoken(reason)}`),
  ]);
  return { stage, told: [...said, ...stage.notices, ...stage.ends, ...shown].join("\n") };
}

function statusOf(files: MemoryFileSystem, taskId: string): unknown {
  const text = files.text(`.rooroo/tasks/${taskId}/report.json`);
  if (text === undefined) return undefined;
  try {
    return (JSON.parse(text) as { status?: unknown }).status;
  } catch {
    return "unreadable";
  }
}

describe("a state file that was cut off", () => {
  it("is as good as whole when it is", async () => {
    const files = new MemoryFileSystem(workspace);
    const { stage, told } = await open(files);
    assert.deepEqual(stage.started, [interrupted, fresh]);
    for (const taskId of [ended, interrupted, fresh]) assert.equal(statusOf(files, taskId), "Done");
    assert.match(told, new RegExp(`${ended}. had ended`));
    assert.equal(stage.questions[0]?.taskId, asking);
  });

  for (const path of damaged) {
    it(`loses nothing else, wherever it was cut off: ${path}`, async () => {
      const whole = workspace[path] ?? "";
      for (let length = 0; length < whole.length; length += cutEvery) {
        const kept = whole.slice(0, length);
        const files = new MemoryFileSystem({ ...workspace, [path]: kept });
        const { stage, told } = await open(files);
        const where = `${path}, cut to ${length} bytes:\n${told}`;
        // The others are done whatever became of this one.
        const queue =
          path === ".rooroo/queue.jsonl" ? kept : (workspace[".rooroo/queue.jsonl"] ?? "");
        for (const taskId of [interrupted, fresh]) {
          const line = queue.split("\n").find((text) => text.includes(`"taskId":"${taskId}"`));
          if (line?.endsWith("}") !== true || path.includes(taskId)) continue;
          assert.equal(statusOf(files, taskId), "Done", `${taskId}: ${where}`);
        }
        assert.ok(!stage.started.includes(ended) || path.includes(ended), `ran again: ${where}`);
        checkKept(files, path, kept, where);
        checkTold(path, kept, whole, told, where);
      }
    });
  }

  after(() => {
    const cuts = damaged.map((path) => Math.ceil((workspace[path] ?? "").length / cutEvery));
    say(`${cuts.reduce((sum, count) => sum + count, 0)} truncations`);
  });
});

function checkKept(files: MemoryFileSystem, path: string, kept: string, where: string): void {
  const now = files.text(path) ?? "";
  if (path.endsWith("queue.jsonl")) {
    // Lines of tasks that were done are gone; what could not be read is there.
    const last = kept.slice(kept.lastIndexOf("\n") + 1);
    assert.ok(now.includes(last.endsWith("}") ? "" : last), where);
  } else if (path.endsWith(".jsonl")) assert.ok(now.startsWith(kept), where);
  else if (!isJson(kept)) assert.equal(now, kept, where);
}

function checkTold(path: string, kept: string, whole: string, told: string, where: string): void {
  if (!path.endsWith(".json") || kept.trimEnd() === whole.trimEnd()) return;
  assert.ok(told.includes(path), `nobody is told of the file: ${where}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
