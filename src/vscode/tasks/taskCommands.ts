import * as vscode from "vscode";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { ConversationPlaces } from "../panel/conversationPlaces.js";
import { answerTask } from "../team/answerTask.js";
import { t } from "../text/words.js";
import { answerQuestion } from "../work/choose.js";
import { bound, type CommandTable, type ContextHandler } from "../work/commandHandlers.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { OpenDocuments } from "../workspace/openDocuments.js";
import { choosePlan, chooseTask } from "./chooseTask.js";
import { queuedTasks } from "./queueOrder.js";
import { stepPlace } from "./queuePlaces.js";

/** The argument of a key binding of the list: the command is about the focused row, or about nothing. */
const focus = "focus";

interface TaskCommandDependencies {
  readonly workspace: CurrentWorkspace;
  readonly places: ConversationPlaces;
  /** Returns the id of the queued task that is selected in the tree. */
  readonly selectedTask: () => string | undefined;
  /** Returns the id of the queued task whose row has the keyboard's focus. */
  readonly focusedTask: () => Promise<string | undefined>;
}

type TaskHandler = ContextHandler<TaskCommandDependencies>;

/** Returns a command for one task, which reads the tasks from the files when it runs. */
function withTask(
  fits: (task: TaskView) => boolean,
  work: (context: TaskCommandDependencies, task: TaskView) => Promise<void>,
): TaskHandler {
  return async (context, argument) => {
    const overview = await context.workspace.require().overview();
    const task = await chooseTask(argument, overview.tasks, fits);
    if (task) await work(context, task);
  };
}

/** Returns a command that a key of the list runs for the focused queued task, if there is one. */
function ofFocus(command: TaskHandler): TaskHandler {
  return async (context, argument) => {
    const about = argument === focus ? await context.focusedTask() : argument;
    if (argument !== focus || about !== undefined) await command(context, about);
  };
}

function move(step: "up" | "down" | "head"): TaskHandler {
  const command = withTask(
    (task) => task.state === "queued",
    async ({ workspace }, { taskId }) => {
      const session = workspace.require();
      const queue = queuedTasks((await session.overview()).tasks);
      const place = stepPlace(queue, taskId, step);
      if (place !== undefined) await (await session.navigator()).queue.move(taskId, place);
    },
  );
  return ofFocus((context, argument) => command(context, argument ?? context.selectedTask()));
}

async function proceed(workspace: CurrentWorkspace, how: { one: boolean }): Promise<void> {
  const session = workspace.require();
  await session.run((navigator) => navigator.proceed(how, session.conversations.current.id));
}

async function showReport(workspace: CurrentWorkspace, task: TaskView): Promise<void> {
  const { showTaskReport } = await import("./taskReport.js");
  await showTaskReport(task, workspace.require().files);
}

const table = {
  "rooroo.proceed": ({ workspace }) => proceed(workspace, { one: false }),
  "rooroo.proceedOne": ({ workspace }) => proceed(workspace, { one: true }),
  "rooroo.stop": async ({ workspace }) => {
    await workspace.require().run((navigator) => navigator.stop());
  },
  "rooroo.answer": withTask(
    (task) => task.question !== undefined,
    async ({ workspace }, { taskId, question }) => {
      const answer = question && (await answerQuestion(question));
      if (answer === undefined) return;
      await answerTask(workspace.require(), taskId, answer);
    },
  ),
  "rooroo.resumeTask": withTask(
    ({ state }) => state === "interrupted" || state === "failed",
    async ({ workspace }, { taskId }) => {
      await workspace.require().run((navigator) => navigator.resume(taskId));
    },
  ),
  "rooroo.adoptTask": withTask(
    ({ state }) => state === "foreign",
    async ({ workspace }, { taskId }) => {
      await workspace.require().run((navigator) => navigator.adopt(taskId));
    },
  ),
  "rooroo.removeFromQueue": ofFocus(
    withTask(
      (task) => task.state === "queued" || task.isRequest === true,
      async ({ workspace }, { taskId, goal }) => {
        const session = workspace.require();
        const navigator = await session.navigator();
        const removed = await navigator.queue.remove(taskId);
        if (removed === undefined) return;
        const undo = t("Undo");
        const said = t("Removed from the queue: {0}", goal);
        // The command has ended when the task is removed; the message may stay for long.
        void vscode.window.showInformationMessage(said, undo).then(async (chosen) => {
          if (chosen === undo) await session.run(() => navigator.queue.putBack(removed));
        });
      },
    ),
  ),
  "rooroo.showTask": withTask(
    () => true,
    async ({ workspace, places }, task) => {
      if (await places.showTask(task.taskId, task.conversation)) return;
      if (task.reportPath !== undefined) await showReport(workspace, task);
      else if (task.contextPath !== undefined)
        await new OpenDocuments(workspace.require()).context(task, true);
    },
  ),
  "rooroo.runNext": move("head"),
  "rooroo.moveUp": move("up"),
  "rooroo.moveDown": move("down"),
  "rooroo.openPlan": async ({ workspace }, argument) => {
    const { plans } = await workspace.require().overview();
    const plan = await choosePlan(argument, plans);
    if (plan) await new OpenDocuments(workspace.require()).file(plan.path);
  },
  "rooroo.openContext": withTask(
    (task) => task.contextPath !== undefined,
    ({ workspace }, task) => new OpenDocuments(workspace.require()).context(task),
  ),
  "rooroo.openReport": withTask(
    (task) => task.reportPath !== undefined,
    ({ workspace }, task) => showReport(workspace, task),
  ),
  "rooroo.openQueue": ({ workspace }, line) =>
    new OpenDocuments(workspace.require()).queue(typeof line === "number" ? line : undefined),
  "rooroo.openEarlierFile": async ({ workspace }, path) => {
    const { earlier = [], earlierFiles = [] } = await workspace.require().overview();
    const all = earlier.flatMap(({ files, planPath }) => [...files, planPath]);
    const known = [...all, ...earlierFiles].find((one) => one === path);
    if (known === undefined) return;
    await new OpenDocuments(workspace.require()).file(known, undefined, true);
  },
  "rooroo.openActivityLog": ({ workspace }) => new OpenDocuments(workspace.require()).activityLog(),
} satisfies CommandTable<TaskCommandDependencies>;

/** Returns the commands for tasks, plans and the queue. Each takes a tree row, an id, or nothing. */
export function taskCommands(dependencies: TaskCommandDependencies) {
  return bound(table, dependencies);
}
