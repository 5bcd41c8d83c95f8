import type { TaskView } from "../../core/navigator/overview.js";
import { answerQuestion } from "../work/choose.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { OpenDocuments } from "../workspace/openDocuments.js";
import { choosePlan, chooseTask } from "./chooseTask.js";
import { queuedTasks, stepPlace } from "./queueOrder.js";

type TaskCommand = (argument: unknown) => Promise<void>;

/**
 * Returns the commands for tasks, plans and the queue. Each takes a tree row, an id, or nothing.
 *
 * @param selectedTask returns the id of the queued task that is selected in the tree
 */
export function taskCommands(workspace: CurrentWorkspace, selectedTask: () => string | undefined) {
  const documents = () => {
    const session = workspace.require();
    return new OpenDocuments(session.folder, session.files);
  };
  /** Returns a command for one task, which reads the tasks from the files when it runs. */
  const withTask =
    (fits: (task: TaskView) => boolean, work: (task: TaskView) => Promise<void>): TaskCommand =>
    async (argument) => {
      const overview = await workspace.require().overview();
      const task = await chooseTask(argument, overview.tasks, fits);
      if (task) await work(task);
    };

  const move = (step: "up" | "down" | "head"): TaskCommand => {
    const command = withTask(
      (task) => task.state === "queued",
      async ({ taskId }) => {
        const session = workspace.require();
        const queue = queuedTasks((await session.overview()).tasks);
        const place = stepPlace(queue, taskId, step);
        if (place !== undefined) await (await session.navigator()).moveInQueue(taskId, place);
      },
    );
    // A key binding in the tree passes no argument; it applies to the selected task.
    return (argument) => command(argument ?? selectedTask());
  };

  return {
    "rooroo.proceed": async () => {
      await workspace.require().run((navigator) => navigator.proceed());
    },
    "rooroo.proceedOne": async () => {
      await workspace.require().run((navigator) => navigator.proceed({ one: true }));
    },
    "rooroo.stop": async () => {
      await workspace.require().run((navigator) => navigator.stop());
    },
    "rooroo.answer": withTask(
      (task) => task.question !== undefined,
      async ({ taskId, question }) => {
        const answer = question && (await answerQuestion(question));
        if (answer === undefined) return;
        await workspace.require().run((navigator) => navigator.answer(taskId, answer));
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
    "rooroo.removeFromQueue": withTask(
      (task) => task.state === "queued",
      async ({ taskId }) => {
        await (await workspace.require().navigator()).removeFromQueue(taskId);
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
    "rooroo.openReport": withTask(
      (task) => task.reportPath !== undefined,
      (task) => documents().report(task),
    ),
    "rooroo.openQueue": (line) => documents().queue(typeof line === "number" ? line : undefined),
    "rooroo.openActivityLog": () => documents().activityLog(),
  } satisfies Record<`rooroo.${string}`, TaskCommand>;
}
