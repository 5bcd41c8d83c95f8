import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { queueLine } from "../cli/script.js";
import { HttpModel, type HttpReply } from "../fakes/httpModel.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { WorkspaceState } from "./workspaceState.js";

const taskId = "ROO#TASK_A";
const queuePath = ".rooroo/queue.jsonl";

describe("a process that stands still past its lease", () => {
  let root: string;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "rooroo-lease-"));
    await mkdir(join(root, ".rooroo"));
    await writeFile(join(root, queuePath), queueLine("A"));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = (url: string) => {
    const path = fileURLToPath(new URL("leaseHolder.js", import.meta.url));
    const child = spawn(process.execPath, [path, root, url]);
    children.push(child);
    const ended = [text(child.stdout), text(child.stderr), once(child, "close")] as const;
    return { child, printed: Promise.all(ended).then(([out, errors]) => out + errors) };
  };

  for (const [what, late] of [
    ["a report", completes({ message: "Late." })],
    ["a write", calls("write_to_file", { path: "a.txt", content: "late\n" })],
  ] as const) {
    it(`has what comes late refused, where another has taken over: ${what}`, async () => {
      const replies: ((reply: HttpReply) => void)[] = [];
      const asked = { first: (): void => undefined };
      const first = new Promise<void>((resolve) => (asked.first = resolve));
      const model = await HttpModel.start((_, index) => {
        if (index > 0) return completes({ message: "In time." });
        asked.first();
        return new Promise<HttpReply>((resolve) => replies.push(resolve));
      });
      try {
        const slow = start(model.url);
        await first;
        slow.child.kill("SIGSTOP");
        for (const reply of replies) reply(late);
        const quick = await start(model.url).printed;
        assert.match(quick, /Done: In time\./);
        const transcriptPath = join(root, `.rooroo/tasks/${taskId}/transcript.jsonl`);
        const transcript = await readFile(transcriptPath, "utf8");
        // Somebody queues it once more: that line is not the late process's to remove.
        await writeFile(join(root, queuePath), queueLine("A"));

        slow.child.kill("SIGCONT");
        assert.match(await slow.printed, /took its work over/);
        const end = await WorkspaceState.read(root);
        assert.equal(await readFile(transcriptPath, "utf8"), transcript);
        assert.match(end.tasks.get(taskId)?.report ?? "", /In time\./);
        assert.deepEqual([...end.timesDone], [[taskId, 1]]);
        assert.deepEqual(end.queue, [taskId]);
        assert.deepEqual(end.project, {});
      } finally {
        await model.stop();
      }
    });
  }
});
