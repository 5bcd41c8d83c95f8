import { on } from "node:events";
/**
 * A process that works through a workspace's queue as `rooroo proceed --one` in a loop, without the
 * price of a start for each task: `node queueWorker.js ROOT MODEL_URL TASKS`. While another process
 * has the queue it waits for it, and adds a task of its own as long as it has some. It ends when the
 * queue is empty. `… TASKS resume`: then resumes what it is offered to resume. Prints what it did.
 */
import { watch } from "node:fs";
import { join } from "node:path";
import { parseApprove } from "../../src/cli/arguments/options.js";
import { Session } from "../../src/cli/session/session.js";
import { noApprover } from "../../src/cli/terminal/terminalApprover.js";
import { inputText } from "../../src/core/conversation/input/parseInput.js";
import { anyExpert } from "../../src/core/documents/queue.js";
import { withoutProfiles } from "../../src/core/models/askedModel.js";
import { QueueStore } from "../../src/core/navigator/queue/queueStore.js";
import { drainLock } from "../../src/core/navigator/running/queueRunner.js";
import { Redactor } from "../../src/core/text/redactor.js";
import { localServices } from "../../src/runtime/localServices.js";

const [root = "", baseUrl = "", tasks = "0", resume] = process.argv.slice(2);
const parts = localServices(root, "rooroo proceed");
/** What to say to resume what is neither done nor in the queue. */
const offered: string[] = [];
const queue = new QueueStore(parts.files, parts.lock, anyExpert);
const session = new Session({
  root,
  local: parts,
  models: withoutProfiles({ model: "test-model", baseUrl }),
  approve: parseApprove("all"),
  concurrency: 1,
  approver: noApprover,
  redactor: new Redactor(),
  show: (event) => {
    for (const step of event.type === "notice" ? event.steps : []) {
      if (step.type === "action" && step.action.action === "resume") {
        offered.push(inputText(step.action));
      }
    }
  },
  onJournalError: (error) => {
    throw error;
  },
});

/** Resolves when nobody has the queue. */
async function untilFree(): Promise<void> {
  const isHeld = async () => (await parts.lock.holder(drainLock)) !== undefined;
  const watcher = watch(join(root, ".rooroo/locks"));
  const changes = on(watcher, "change") as AsyncIterableIterator<[string, string | null]>;
  try {
    if (!(await isHeld())) return;
    for await (const [, name] of changes) {
      if (name === `${drainLock}.lock` && !(await isHeld())) return;
    }
  } finally {
    watcher.close();
  }
}

/** What it did. */
export interface QueueWork {
  /** Ids of the tasks that it added. */
  readonly added: readonly string[];
  /** How many tasks it resumed. */
  readonly resumed: number;
}

const added: string[] = [];
await session.start();
while ((await queue.entries()).length > 0) {
  const { status } = await session.navigator.proceed({ one: true });
  if (status === "waiting") {
    if (added.length < Number(tasks)) {
      added.push(await session.navigator.enqueue({ goal: "Go", expert: "rooroo-developer" }));
    }
    await untilFree();
  } else if (status === "failed") throw new Error("a task failed");
}
const resumed = resume === "resume" ? offered : [];
for (const text of resumed) await session.navigator.say(text);
await session.flush();
const result: QueueWork = { added, resumed: resumed.length };
process.stdout.write(JSON.stringify(result));
process.exit(0);
