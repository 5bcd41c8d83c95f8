import { PendingMessages } from "../../core/agent/pendingMessages.js";
import type { TaskId } from "../../core/ids.js";
import { isUnitId, taskLock } from "../../core/navigator/tasks/taskIds.js";
import { TaskStore } from "../../core/navigator/tasks/taskStore.js";
import { tellExpert } from "../../core/navigator/tasks/tellExpert.js";
import { spoken } from "../../core/text/words.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { longWorks } from "../session/longWorks.js";
import { workspaceRoot } from "../session/settings.js";
import { terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";
import { taskNamed } from "./tasks.js";

/**
 * Leaves a message for the expert that works on a task, or for the agent at work for a job or run, in whichever process.
 * Throws {@link WrongUse} if there is nothing of this name, it has ended, or there is nothing to tell.
 *
 * @param to a task's id or a unique end of it, a job's name, a run's id, or the id of the session of one of their agents
 */
export async function tell(to: string, text: string, cli: Cli): Promise<Result<never>> {
  if (text.trim() === "") {
    throw new WrongUse("messageEmpty", "The message is empty. Say what to tell the expert.");
  }
  const { options, terminal } = cli;
  const services = localServices(await workspaceRoot(options.workspace), "rooroo tell");
  const { files, signer, clock, lock } = services;
  const unit = await agentNamed(to, services);
  const taskId = unit ?? (await taskNamed(to, files));
  const { redactor } = terminal;
  const told = await tellExpert(
    taskId,
    { text },
    {
      store: new TaskStore(files, clock, signer),
      experts: { messages: new PendingMessages({ ...services, redactor }) },
    },
  );
  if (told === "ended") {
    throw new WrongUse(
      "taskEnded",
      "Task {taskId} has ended, so nobody would read this. Send it as a new request: rooroo ask …",
      { taskId },
    );
  }
  const isAtWork = unit !== undefined || (await lock.holder(taskLock(taskId))) !== undefined;
  return {
    end: "done",
    json: () => ({ type: "tell", taskId, messageId: told.id, running: isAtWork }),
    text: () =>
      `${
        isAtWork
          ? t("The expert of {0} is told before its next turn.", terminalText(taskId))
          : t(
              "The expert of {0} is told when the task is resumed: it is not running now.",
              terminalText(taskId),
            )
      }\n`,
  };
}

/**
 * Returns the session of the agent at work that is meant; `undefined` if the name is none of long work or of an agent of
 * it. Throws {@link WrongUse} if nobody is at work, or several are.
 */
async function agentNamed(given: string, local: LocalServices): Promise<TaskId | undefined> {
  const isAgent = isUnitId(given);
  const works = (await longWorks(local)).filter(({ ref }) => isAgent || ref.name === given);
  if (works.length === 0 && !isAgent) return undefined;
  const meant = works
    .flatMap(({ agents }) => agents)
    .filter(({ taskId }) => !isAgent || taskId === given);
  const [only] = meant;
  if (only === undefined) {
    throw new WrongUse(
      "nobodyAtWork",
      "Nobody is at work for {to} now. Send it as a new request: rooroo ask …",
      { to: given },
    );
  }
  if (meant.length > 1) {
    throw new WrongUse(
      "severalAtWork",
      "Several are at work for {to}. Name one of them: {units}.",
      {
        to: given,
        units: meant.map(({ taskId, goal }) => `${taskId} (${spoken(goal, t)})`).join(", "),
      },
    );
  }
  return only.taskId;
}
