import * as vscode from "vscode";
import { UserError } from "../core/errors.js";
import type { MachineFacts } from "../core/navigator/machineReport.js";
import type { Overview, TaskView } from "../core/navigator/overview.js";
import type { Clock, LanguageModel, SandboxAbility } from "../core/ports.js";
import { answerQuestion } from "./work/choose.js";
import type { ApiKey } from "./model/apiKey.js";
import type { ChangeReview } from "./changes/changeReview.js";
import type { ChatView } from "./panel/chatView.js";
import type { FindLocalServers } from "./model/chooseServer.js";
import { choosePlan, chooseTask } from "./tasks/chooseTask.js";
import type { CurrentWorkspace } from "./workspace/currentWorkspace.js";
import { OpenDocuments } from "./workspace/openDocuments.js";
import { queuedTasks, stepPlace } from "./tasks/queueOrder.js";
import type { ListModels } from "./model/selectModel.js";
import { selectTools } from "./workspace/selectTools.js";
import type { Settings } from "./settings/settings.js";
import { tellProblem } from "./tellProblem.js";

/** Access to models, their servers, and facts about this machine. */
interface ModelAccess {
  readonly listModels: ListModels;
  readonly findLocalServers: FindLocalServers;
  /** The model for all modes that name no other. */
  readonly model: LanguageModel;
  sandbox(folder: vscode.Uri): Promise<SandboxAbility>;
  machineFacts(folder: vscode.Uri, overview: Overview): Promise<MachineFacts>;
}

export interface CommandParts {
  readonly workspace: CurrentWorkspace;
  /** Returns the id of the queued task that is selected in the tree. */
  readonly selectedTask: () => string | undefined;
  readonly chat: ChatView;
  readonly review: ChangeReview;
  readonly settings: Settings;
  readonly apiKey: ApiKey;
  readonly webSearchKey: ApiKey;
  /** Loads the code that calls models' servers. */
  readonly runtime: () => Promise<ModelAccess>;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}

type Command = (argument: unknown, more?: unknown) => Promise<void>;
type Commands = Record<`rooroo.${string}`, Command>;

/**
 * Registers every command of the manifest, by its id. An error is shown to the user.
 *
 * @param others commands that are created elsewhere
 */
export function registerCommands(parts: CommandParts, others: Commands): vscode.Disposable {
  const registered = Object.entries({ ...commands(parts), ...others }).map(([id, command]) =>
    vscode.commands.registerCommand(id, async (argument: unknown, more: unknown) => {
      try {
        await command(argument, more);
      } catch (error) {
        await tellProblem(error, parts.log);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}

function commands(parts: CommandParts): Commands {
  const { workspace, runtime, selectedTask, chat, review, settings, apiKey, webSearchKey } = parts;
  const documents = () => {
    const session = workspace.require();
    return new OpenDocuments(session.folder, session.files);
  };
  /** Returns a command for one task, which reads the tasks from the files when it runs. */
  const withTask =
    (fits: (task: TaskView) => boolean, work: (task: TaskView) => Promise<void>): Command =>
    async (argument) => {
      const overview = await workspace.require().overview();
      const task = await chooseTask(argument, overview.tasks, fits);
      if (task) await work(task);
    };

  const move = (step: "up" | "down" | "head"): Command => {
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
    "rooroo.focusChat": () => chat.focus(),
    "rooroo.newRequest": (text) => chat.focus(typeof text === "string" ? text : undefined),
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
    "rooroo.showEarlierMessages": async () => {
      if (await workspace.require().showConversation()) return;
      throw new UserError(
        "conversationBusy",
        "Earlier messages can only be shown while nothing is running. Try again then.",
      );
    },
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
    "rooroo.reviewChanges": (argument) => review.open(argument),
    "rooroo.keepOrRevertChanges": (argument) => review.keepOrRevert(argument),
    "rooroo.keepChangeHere": () => review.here("keep"),
    "rooroo.revertChangeHere": () => review.here("revert"),
    "rooroo.undoTask": (argument) => review.undo(argument),
    "rooroo.openQueue": (line) => documents().queue(typeof line === "number" ? line : undefined),
    "rooroo.openActivityLog": () => documents().activityLog(),
    "rooroo.openChart": async (argument) => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      const open = tab instanceof vscode.TabInputText ? tab.uri : undefined;
      const uri = argument instanceof vscode.Uri ? argument : open;
      if (uri === undefined || !/\.html?$/i.test(uri.path)) {
        throw new UserError("noChartOpen", "Open the chart's file first: it ends in .html.");
      }
      const { showPage } = await import("./workspace/showPage.js");
      await showPage(uri);
    },
    "rooroo.openPageSource": async () => {
      const { pageInFront } = await import("./workspace/showPage.js");
      const uri = pageInFront();
      if (uri) await vscode.commands.executeCommand("vscode.open", uri, { preview: true });
    },
    "rooroo.openSettings": async () => {
      const filter = "@ext:rooroo.rooroo-navigator";
      await vscode.commands.executeCommand("workbench.action.openSettings", filter);
    },
    "rooroo.manageApprovals": async () => {
      const { grants } = await workspace.require().navigator();
      const { manageApprovals } = await import("./settings/manageApprovals.js");
      await manageApprovals(await grants.list());
    },
    "rooroo.selectModel": async () => {
      const { listModels, findLocalServers } = await runtime();
      const { selectModel } = await import("./model/selectModel.js");
      await selectModel(settings, apiKey, listModels, findLocalServers);
    },
    "rooroo.testConnection": async () => {
      const { testConnection } = await import("./model/testConnection.js");
      await testConnection((await runtime()).model, parts.clock);
    },
    "rooroo.setApiKey": () => apiKey.ask(),
    "rooroo.setWebSearchKey": () => webSearchKey.ask(),
    "rooroo.selectTools": () => selectTools(settings),
    "rooroo.useSandbox": async () => {
      const { folder } = workspace.require();
      const { useSandbox } = await import("./settings/useSandbox.js");
      await useSandbox(settings, await (await runtime()).sandbox(folder));
    },
    "rooroo.checkMachine": async () => {
      const session = workspace.require();
      const facts = await (await runtime()).machineFacts(session.folder, await session.overview());
      const { checkMachine } = await import("./workspace/checkMachine.js");
      await checkMachine(facts);
    },
  };
}
