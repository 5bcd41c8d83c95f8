import { Modes } from "../../core/experts/modes.js";
import type { TaskId } from "../../core/ids.js";
import { withoutProfiles } from "../../core/models/askedModel.js";
import type { Navigator } from "../../core/navigator/navigator.js";
import { QueueStore } from "../../core/navigator/queue/queueStore.js";
import { isRequestId, requestIds } from "../../core/navigator/requests/givenRequests.js";
import { TimedPatterns } from "../../node/search/timedPatterns.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { Session } from "../session/session.js";
import { workspaceRoot } from "../session/settings.js";
import { noApprover } from "../terminal/terminalApprover.js";
import { terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

/** Adds a task to the end of the queue. Throws {@link WrongUse} if the goal is empty. */
export async function addToQueue(goal: string, expert: string, cli: Cli): Promise<Result<never>> {
  const { navigator } = await openQueue(cli);
  if (goal.trim() === "") throw new WrongUse("goalEmpty", "The goal is empty. Say what to do.");
  const taskId = await navigator.enqueue({ goal, expert });
  return changed(
    "add",
    taskId,
    t("{0} is last in the queue. Run it with: rooroo proceed", terminalText(taskId)),
  );
}

/**
 * Removes a task from the queue, or a request that was interrupted. Throws {@link WrongUse} if there is none.
 *
 * @param task a task's id or a unique end of it
 */
export async function removeFromQueue(task: string, cli: Cli): Promise<Result<never>> {
  const { navigator, queued } = await openQueue(cli);
  const { files } = localServices(await workspaceRoot(cli.options.workspace), "rooroo queue");
  const taskId = named(task, [...queued, ...(await requestIds(files))]);
  await navigator.queue.remove(taskId);
  if (isRequestId(taskId)) {
    return changed("remove", taskId, t("{0} was discarded.", terminalText(taskId)));
  }
  return changed(
    "remove",
    taskId,
    t("{0} was removed from the queue; its folder is kept.", terminalText(taskId)),
  );
}

/**
 * Moves a task within the queue. Throws {@link WrongUse} if no such task is queued.
 *
 * @param task a task's id or a unique end of it
 */
export async function moveInQueue(
  task: string,
  to: "first" | "last" | { readonly before: string },
  cli: Cli,
): Promise<Result<never>> {
  const { navigator, queued } = await openQueue(cli);
  const taskId = named(task, queued);
  const others = queued.filter((id) => id !== taskId);
  const first = to === "first" ? (others[0] ?? null) : null;
  const before = typeof to === "object" ? named(to.before, others) : first;
  await navigator.queue.move(taskId, before);
  return changed(
    "move",
    taskId,
    before === null
      ? t("{0} is now last.", terminalText(taskId))
      : t("{0} is now before {1}.", terminalText(taskId), terminalText(before)),
  );
}

function changed(type: "add" | "remove" | "move", taskId: TaskId, words: string): Result<never> {
  return {
    end: "done",
    json: () => ({ type, taskId }),
    text: () => `${words}\n`,
  };
}

/** Returns the queued tasks' ids, and a Navigator that changes the queue. It asks no model. */
export async function openQueue({
  options,
  terminal,
}: Cli): Promise<{ readonly navigator: Navigator; readonly queued: readonly string[] }> {
  const root = await workspaceRoot(options.workspace);
  const services = localServices(root, "rooroo queue");
  const { navigator } = new Session({
    root,
    local: services,
    models: withoutProfiles({ model: "" }),
    approve: options.approve,
    concurrency: options.concurrency,
    startPlans: options.plans,
    approver: noApprover,
    redactor: terminal.redactor,
    show: () => undefined,
    onJournalError: () => undefined,
  });
  return { navigator, queued: await queuedTasks(services) };
}

async function queuedTasks({ files, lock }: LocalServices): Promise<string[]> {
  const modes = new Modes(files, new TimedPatterns());
  await modes.refresh();
  const queue = new QueueStore(files, lock, (name) => modes.named(name));
  return (await queue.entries()).map(({ taskId }) => taskId);
}

function named(given: string, ids: readonly string[]): string {
  const matches = ids.includes(given)
    ? [given]
    : ids.filter((id) => id.endsWith(given.toUpperCase()));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  throw only === undefined
    ? new WrongUse(
        "taskNotQueued",
        "No task {id} is queued. rooroo queue list shows those that are.",
        { id: given },
      )
    : new WrongUse(
        "queuedTaskAmbiguous",
        "Several queued tasks end with {id}: {tasks}. Give more of the id.",
        { id: given, tasks: matches.join(", ") },
      );
}
