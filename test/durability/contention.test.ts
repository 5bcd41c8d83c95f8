import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { queueLine } from "../cli/script.js";
import { HttpModel } from "../fakes/httpModel.js";
import { completes } from "../fakes/navigatorWorld.js";
import type { HandEdits } from "./handEditor.js";
import type { QueueWork } from "./queueWorker.js";
import { say } from "./say.js";
import { useMemoryFolder } from "./useMemoryFolder.js";
import { WorkspaceState } from "./workspaceState.js";

const isWhole = process.env["ROOROO_TEST_EVERY_OPERATION"] !== undefined;
const workers = isWhole ? 8 : 4;
const queued = isWhole ? 300 : 60;
const edits = isWhole ? 120 : 30;
/**
 * The most edits that may be overwritten in the moment between a last look and a saving, and the most tasks: by chance it is one
 * in a hundred; where nobody looked again it would be most of them.
 */
const unlucky = edits / 4;

describe("several processes at one queue, and a person who edits it", () => {
  useMemoryFolder();
  let root: string;
  let home: string;
  let model: HttpModel;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "rooroo-queue-"));
    home = `${root}-home`;
    model = await HttpModel.start(() => completes({ message: "Done." }));
    await mkdir(join(root, ".rooroo/locks"), { recursive: true });
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await model.stop();
    for (const folder of [root, home]) {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  const start = (program: string, ...args: string[]) => {
    const path = fileURLToPath(new URL(program, import.meta.url));
    const child = spawn(process.execPath, [path, root, ...args], {
      env: { ...process.env, ROOROO_HOME: home },
    });
    children.push(child);
    const ended = [text(child.stdout), text(child.stderr), once(child, "close")] as const;
    const printed = Promise.all(ended).then(([stdout, stderr, [code]]) => {
      assert.equal(code, 0, `${program}: ${stderr}`);
      return stdout;
    });
    return { printed, child };
  };

  it("do each task exactly once, and keep every edit", async () => {
    const began = performance.now();
    const lines = Array.from({ length: queued }, (_, index) => queueLine(`T${index}`));
    await writeFile(join(root, ".rooroo/queue.jsonl"), lines.join(""));
    const working = Array.from({ length: workers }, () => start("queueWorker.js", model.url, "5"));
    const editor = start("handEditor.js", String(edits), "7");
    const added = (await Promise.all(working.map(({ printed }) => printed))).flatMap(
      (printed) => (JSON.parse(printed) as QueueWork).added,
    );
    editor.child.stdin.end();
    const hand = JSON.parse(await editor.printed) as HandEdits;
    // What was added when the others had gone already; and what the person's editor saved over in the
    // moment between its last look and its saving, which is offered to be resumed.
    const last = await start("queueWorker.js", model.url, "0", "resume").printed;
    const { resumed } = JSON.parse(last) as QueueWork;

    const end = await WorkspaceState.read(root);
    const ids = [
      ...Array.from({ length: queued }, (_, n) => `ROO#TASK_T${n}`),
      ...added,
      ...hand.tasks,
    ];
    assert.deepEqual([...end.tasks.keys()].sort(), [...ids].sort());
    assert.deepEqual(
      ids.filter((id) => end.timesDone.get(id) !== 1),
      [],
    );
    assert.equal(model.requests.length, ids.length, "a task was asked about twice");
    const left = (await readFile(join(root, ".rooroo/queue.jsonl"), "utf8")).split("\n");
    assert.deepEqual(left.filter((line) => line !== "").sort(), [...hand.notes].sort());
    const locks = await readdir(join(root, ".rooroo/locks"), { recursive: true });
    assert.deepEqual(locks, [".gitignore"]);
    const seconds = Math.round((performance.now() - began) / 1000);
    say(
      `${ids.length} tasks by ${workers} processes, ${added.length} of them their own, ${hand.edits} edits by hand (${hand.readAgain} read again, ${hand.lost} overwritten and made again; ${resumed} tasks overwritten by hand and resumed), ${seconds} s`,
    );
    assert.ok(hand.lost <= unlucky, `${hand.lost} edits were overwritten`);
    assert.ok(resumed <= unlucky, `${resumed} tasks were overwritten`);
  });
});
