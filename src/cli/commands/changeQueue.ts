import { Modes } from "../../core/experts/modes.js";
import { QueueStore } from "../../core/navigator/queueStore.js";
import { TimedPatterns } from "../../node/search/timedPatterns.js";
import { exitCode } from "../terminal/exitCode.js";
import { machine } from "../session/machine.js";
import { noApprover } from "../session/noApprover.js";
import type { Options } from "../session/options.js";
import { Session } from "../session/session.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalText } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";
import { WrongUse } from "./wrongUse.js";

/** A change of the queue. Queued tasks may be given by a unique end of their id. */
export type QueueChange =
  | { readonly type: "add"; readonly goal: string; readonly expert: string }
  | { readonly type: "remove"; readonly task: string }
  | {
      readonly type: "move";
      readonly task: string;
      readonly to: "first" | "last" | { readonly before: string };
    };

/** Applies the change to the queue's current content, which other processes may change too. Asks no model. */
export async function changeQueue(
  change: QueueChange,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const root = await workspaceRoot(options.workspace);
  const parts = machine(root, "rooroo queue");
  const { navigator } = new Session({
    root,
    machine: parts,
    model: { name: "" },
    approve: options.approve,
    concurrency: options.concurrency,
    approver: noApprover,
    redactor: terminal.redactor,
    show: () => undefined,
    onJournalError: () => undefined,
  });
  const queued = await queuedTasks(parts);
  const done = (taskId: string, words: string): number => {
    const { type } = change;
    terminal.print(
      options.json === true
        ? `${terminalJson({ type, taskId }, 2)}\n`
        : `${terminalText(taskId)} ${words}\n`,
    );
    return exitCode.done;
  };
  switch (change.type) {
    case "add": {
      if (change.goal.trim() === "") throw new WrongUse("The goal is empty. Say what to do.");
      return done(await navigator.enqueue(change), "is queued, last. Run it with: rooroo proceed");
    }
    case "remove": {
      const taskId = named(change.task, queued);
      await navigator.removeFromQueue(taskId);
      return done(taskId, "is out of the queue; its folder stays.");
    }
    case "move": {
      const taskId = named(change.task, queued);
      const { to } = change;
      const others = queued.filter((id) => id !== taskId);
      const first = to === "first" ? (others[0] ?? null) : null;
      const before = typeof to === "object" ? named(to.before, others) : first;
      await navigator.moveInQueue(taskId, before);
      return done(taskId, before === null ? "is last now." : `comes before ${before} now.`);
    }
  }
}

async function queuedTasks({ files, lock }: ReturnType<typeof machine>): Promise<string[]> {
  const modes = new Modes(files, new TimedPatterns());
  await modes.refresh();
  const queue = new QueueStore(files, lock, (slug) => modes.all.has(slug));
  return (await queue.entries()).map(({ taskId }) => taskId);
}

function named(given: string, ids: readonly string[]): string {
  const matches = ids.includes(given)
    ? [given]
    : ids.filter((id) => id.endsWith(given.toUpperCase()));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  throw new WrongUse(
    only === undefined
      ? `No task ${given} is queued. rooroo queue list shows those that are.`
      : `Several queued tasks end with ${given}: ${matches.join(", ")}.`,
  );
}
