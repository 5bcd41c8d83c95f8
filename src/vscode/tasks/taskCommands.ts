import * as vscode from "vscode";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { ConversationPlaces } from "../panel/conversationPlaces.js";
import { answerTask } from "../team/answerTask.js";
import { t } from "../text/words.js";
import { answerQuestion } from "../work/choose.js";
import type { CommandHandlers } from "../work/commandHandlers.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { OpenDocuments } from "../workspace/openDocuments.js";
import { choosePlan, chooseTask } from "./chooseTask.js";
import { queuedTasks } from "./queueOrder.js";
import { stepPlace } from "./queuePlaces.js";

type TaskCommand = (argument: unknown) => Promise<void>;

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

/** Returns the commands for tasks, plans and the queue. Each takes a tree row, an id, or nothing. */
export function taskCommands({
  workspace,
  places,
  selectedTask,
  focusedTask,
}: TaskCommandDependencies) {
  const documents = () => {
    const session = workspace.require();
    return new OpenDocuments(session.folder, session.files);
  };
  const showReport = async (task: TaskView): Promise<void> => {
    const { showTaskReport } = await import("./taskReport.js");
    await showTaskReport(task, workspace.require().files);
  };
  /** Returns a command for one task, which reads the tasks from the files when it runs. */
  const withTask =
    (fits: (task: TaskView) => boolean, work: (task: TaskView) => Promise<void>): TaskCommand =>
    async (argument) => {
      const overview = await workspace.require().overview();
      const task = await chooseTask(argument, overview.tasks, fits);
      if (task) await work(task);
    };

  /** Returns a command that a key of the list runs for the focused queued task, if there is one. */
  const ofFocus =
    (command: TaskCommand): TaskCommand =>
    async (argument) => {
      const about = argument === focus ? await focusedTask() : argument;
      if (argument !== focus || about !== undefined) await command(about);
    };

  const move = (step: "up" | "down" | "head"): TaskCommand => {
    const command = withTask(
      (task) => task.state === "queued",
      async ({ taskId }) => {
        const session = workspace.require();
        const queue = queuedTasks((await session.overview()).tasks);
        const place = stepPlace(queue, taskId, step);
        if (place !== undefined) await (await session.navigator()).queue.move(taskId, place);
      },
    );
    return ofFocus((argument) => command(argument ?? selectedTask()));
  };

  const proceed = async (how: { one: boolean }): Promise<void> => {
    const session = workspace.require();
    await session.run((navigator) => navigator.proceed(how, session.conversations.current.id));
  };

  return {
    "rooroo.proceed": async () => {
      await proceed({ one: false });
    },
    "rooroo.proceedOne": async () => {
      await proceed({ one: true });
    },
    "rooroo.stop": async () => {
      await workspace.require().run((navigator) => navigator.stop());
    },
    "rooroo.answer": withTask(
      (task) => task.question !== undefined,
      async ({ taskId, question }) => {
        const answer = question && (await answerQuestion(question));
        if (answer === undefined) return;
        await answerTask(workspace.require(), taskId, answer);
      },
    ),
    "rooroo.resumeTask": withTask(
      ({ state }) => state === "interrupted" || state === "failed",
      async ({ taskId }) => {
        await workspace.require().run((navigator) => navigator.resume(taskId));
      },
    ),
    "rooroo.adoptTask": withTask(
      ({ state }) => state === "foreign",
      async ({ taskId }) => {
        await workspace.require().run((navigator) => navigator.adopt(taskId));
      },
    ),
    "rooroo.removeFromQueue": ofFocus(
      withTask(
        (task) => task.state === "queued" || task.isRequest === true,
        async ({ taskId, goal }) => {
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
      async (task) => {
        if (await places.showTask(task.taskId, task.conversation)) return;
        if (task.reportPath !== undefined) await showReport(task);
        else if (task.contextPath !== undefined) await documents().context(task, true);
      },
    ),
    "rooroo.runNext": move("head"),
    "rooroo.moveUp": move("up"),
    "rooroo.moveDown": move("down"),
    "rooroo.openPlan": async (argument) => {
      const { plans } = await workspace.require().overview();
      const plan = await choosePlan(argument, plans);
      if (plan) await documents().file(plan.path);
    },
    "rooroo.openContext": withTask(
      (task) => task.contextPath !== undefined,
      (task) => documents().context(task),
    ),
    "rooroo.openReport": withTask((task) => task.reportPath !== undefined, showReport),
    "rooroo.openQueue": (line) => documents().queue(typeof line === "number" ? line : undefined),
    "rooroo.openActivityLog": () => documents().activityLog(),
  } satisfies CommandHandlers;
}
