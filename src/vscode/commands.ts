import * as vscode from "vscode";
import { UserError } from "../core/errors.js";
import type { MachineFacts } from "../core/navigator/machineReport.js";
import type { Overview } from "../core/navigator/overview.js";
import type { SandboxAbility } from "../core/ports/shell.js";
import type { ChangeReview } from "./changes/changeReview.js";
import type { ChatView } from "./panel/chatView.js";
import type { CurrentWorkspace } from "./workspace/currentWorkspace.js";
import { type ModelAccess, type ModelCommandParts, modelCommands } from "./model/modelCommands.js";
import { taskCommands } from "./tasks/taskCommands.js";
import { selectTools } from "./workspace/selectTools.js";
import { showProblem } from "./workspace/showProblem.js";

/** Access to models, their servers, and facts about this machine. */
interface MachineAccess extends ModelAccess {
  sandbox(folder: vscode.Uri): Promise<SandboxAbility>;
  machineFacts(folder: vscode.Uri, overview: Overview): Promise<MachineFacts>;
}

export interface CommandParts extends ModelCommandParts {
  readonly workspace: CurrentWorkspace;
  /** Returns the id of the queued task that is selected in the tree. */
  readonly selectedTask: () => string | undefined;
  readonly chat: ChatView;
  readonly review: ChangeReview;
  readonly runtime: () => Promise<MachineAccess>;
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
        await showProblem(error, parts.log);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}

function commands(parts: CommandParts): Commands {
  const { workspace, runtime, chat, review, settings } = parts;
  return {
    ...taskCommands(workspace, parts.selectedTask),
    ...modelCommands(parts),
    "rooroo.focusChat": () => chat.focus(),
    "rooroo.newRequest": (text) => chat.focus(typeof text === "string" ? text : undefined),
    "rooroo.showEarlierMessages": async () => {
      if (await workspace.require().showConversation()) return;
      throw new UserError(
        "conversationBusy",
        "Earlier messages can only be shown while nothing is running. Try again then.",
      );
    },
    "rooroo.reviewChanges": (argument) => review.open(argument),
    "rooroo.keepOrRevertChanges": (argument) => review.keepOrRevert(argument),
    "rooroo.keepChangeHere": () => review.here("keep"),
    "rooroo.revertChangeHere": () => review.here("revert"),
    "rooroo.undoTask": async (argument) => {
      await review.undo(argument);
    },
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
      const { permissions } = await workspace.require().navigator();
      const { manageApprovals } = await import("./settings/manageApprovals.js");
      await manageApprovals(await permissions.list());
    },
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
