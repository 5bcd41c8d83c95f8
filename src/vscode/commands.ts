import * as vscode from "vscode";
import * as z from "zod";
import type { CommandId } from "../contributions/commands.js";
import { UserError } from "../core/errors.js";
import type { ConversationId, LongWork } from "../core/ids.js";
import type { MachineFacts } from "../core/navigator/overview/machineReport.js";
import type { Overview } from "../core/navigator/overview/overview.js";
import type { SandboxAbility } from "../core/ports/shell.js";
import type { TeamAddress } from "../core/team/teamAddress.js";
import { attachCommands } from "./attachments/attachCommands.js";
import { ChangeReview } from "./changes/changeReview.js";
import type { EarlierVersions } from "./changes/earlierVersions.js";
import type { OpenReviews } from "./changes/openReviews.js";
import { planPlaceCommands } from "./changes/planPlaceCommands.js";
import type { ImportMachine } from "./imports/importSettings.js";
import type { JobCommands, JobCommandSurroundings } from "./jobs/jobCommands.js";
import {
  type ModelAccess,
  type ModelCommandDependencies,
  modelCommands,
} from "./model/modelCommands.js";
import type { ChatView } from "./panel/chatView.js";
import { conversationCommands } from "./panel/conversationCommands.js";
import type { ConversationEditors } from "./panel/conversationEditors.js";
import type { ConversationPlaces } from "./panel/conversationPlaces.js";
import type { RunCommands, RunCommandSurroundings } from "./runs/runCommands.js";
import { taskCommands } from "./tasks/taskCommands.js";
import type { TaskList } from "./tasks/taskList.js";
import { forgetSettled, receiveIfAway, teamCommands } from "./team/teamCommands.js";
import {
  bound,
  type CommandHandler,
  type CommandHandlers,
  type CommandTable,
} from "./work/commandHandlers.js";
import type { RowPages } from "./work/row.js";
import type { showMoreRows } from "./work/showMoreRows.js";
import type { Waiting, WaitingSource } from "./work/waiting.js";
import type { CurrentWorkspace } from "./workspace/currentWorkspace.js";
import type { reviewGitConfig } from "./workspace/reviewGitConfig.js";
import type { reviewMcpServers } from "./workspace/reviewMcpServers.js";

/** Access to models, their servers, and facts about this machine. */
interface MachineAccess extends ModelAccess, ImportMachine {
  sandbox(folder: vscode.Uri): Promise<SandboxAbility>;
  machineFacts(folder: vscode.Uri, overview: Overview): Promise<MachineFacts>;
  /** The absolute path of the user's list of MCP servers. */
  readonly mcpList: string;
  /** Rejects with why a team's database cannot be used. */
  tryTeam(address: TeamAddress): Promise<void>;
  /** Returns the MCP servers that a workspace names, for a person to look at. */
  workspaceMcpServers(folder: vscode.Uri): Promise<Parameters<typeof reviewMcpServers>[0]>;
  /** Returns what the configuration of a workspace's repository says, for a person to look at. */
  gitConfig(folder: vscode.Uri): Promise<Parameters<typeof reviewGitConfig>[0]>;
}

export interface CommandDependencies extends ModelCommandDependencies {
  readonly workspace: CurrentWorkspace;
  /** Returns the id of the queued task that is selected in the tree. */
  readonly selectedTask: () => string | undefined;
  readonly focusedTask: () => Promise<string | undefined>;
  readonly chat: ChatView;
  readonly editors: ConversationEditors;
  readonly places: ConversationPlaces;
  readonly tasks: TaskList;
  /** The long work, kind by kind. */
  readonly works: readonly {
    readonly rows: Parameters<typeof showMoreRows>[3][number];
    readonly commands: (surroundings: WorkSurroundings) => Promise<CommandHandlers>;
  }[];
  /** Returns everything that waits for the user. */
  readonly waiting: WaitingSource["waiting"];
  readonly paging: RowPages;
  /** The view of all work. */
  readonly view: Parameters<typeof showMoreRows>[2] & {
    /** Reveals and selects a row. */
    readonly reveal: (row: string) => Promise<void>;
  };
  /** The reviews that can be opened, and what they show. */
  readonly reviews: { readonly open: OpenReviews; readonly earlier: EarlierVersions };
  /** Called when changes were kept, reverted or undone. */
  readonly onSettled: () => void;
  /** Called when files or a conversation were restored. */
  readonly onRestored: () => void;
  /** Opens the conversation that is in front as a document. */
  readonly openAccessibleView: () => Promise<void>;
  readonly runtime: () => Promise<MachineAccess>;
}

/** A message of a conversation, as the panel's page names it. */
const checkpointPlace = z.object({ conversation: z.string(), checkpoint: z.string() });

/** Returns what a command does. Rejects with a {@link UserError} that says why it can do nothing now. */
export type Commands = (id: CommandId) => Promise<CommandHandler>;

/** What the commands for long work need of the window. */
type WorkSurroundings = JobCommandSurroundings & RunCommandSurroundings;

/** The commands that are not for long work. */
type OtherCommand = Exclude<CommandId, keyof JobCommands | keyof RunCommands>;

/** Takes a handler for each of these commands, and no others: what is missing or unknown does not compile. */
function complete<H extends Readonly<Record<OtherCommand, CommandHandler>>>(
  handlers: H & Readonly<Record<Exclude<keyof H, OtherCommand>, never>>,
): Readonly<Record<OtherCommand, CommandHandler>> {
  return handlers;
}

/** What the commands here use. */
interface Context extends CommandDependencies {
  readonly review: ChangeReview;
}

/** Returns the conversation of the active editor or the side bar. */
function inFront({ editors, workspace }: Context): ConversationId {
  return (editors.active ?? workspace.require().conversations.current).id;
}

const table = {
  "rooroo.focusChat": ({ chat }) => chat.focus(),
  "rooroo.allow": ({ chat }) => chat.decide("allow"),
  "rooroo.deny": ({ chat }) => chat.decide("deny"),
  "rooroo.showWaiting": async (context) => {
    const asking = context.tasks.overview.tasks.filter(({ state }) => state === "needsYou");
    await context.places.showFirst(asking, context.waiting().filter(isLongWork));
  },
  "rooroo.showMoreRows": async (context, row) => {
    const { showMoreRows } = await import("./work/showMoreRows.js");
    await showMoreRows(
      row,
      context.paging,
      context.view,
      context.works.map(({ rows }) => rows),
    );
  },
  "rooroo.newRequest": ({ chat }, text) => chat.focus(typeof text === "string" ? text : undefined),
  "rooroo.selectMode": ({ chat }) => chat.openMenu("mode"),
  "rooroo.selectApprovals": ({ chat }) => chat.openMenu("approvals"),
  "rooroo.showEarlierMessages": async ({ workspace }) => {
    if (await workspace.require().showConversation()) return;
    throw new UserError(
      "conversationBusy",
      "Earlier messages can only be shown while nothing is running. Try again then.",
    );
  },
  "rooroo.keepOrRevertChanges": ({ review }, argument) => review.keepOrRevert(argument),
  "rooroo.keepChangeHere": ({ review }) => review.here("keep"),
  "rooroo.revertChangeHere": ({ review }) => review.here("revert"),
  "rooroo.undoTask": async ({ review }, argument) => {
    await review.undo(argument);
  },
  "rooroo.restore": async (context, argument) => {
    const session = context.workspace.require();
    const { restore } = await import("./changes/restore.js");
    const place = checkpointPlace.safeParse(argument).data ?? { conversation: inFront(context) };
    if (await restore(session, place)) context.onRestored();
  },
  "rooroo.finishRestore": async (context, id) => {
    const { settleRestore } = await import("./changes/restore.js");
    await settleRestore(context.workspace.require(), "finish", id, inFront(context));
    context.onRestored();
  },
  "rooroo.undoRestore": async (context, id) => {
    const { settleRestore } = await import("./changes/restore.js");
    await settleRestore(context.workspace.require(), "undo", id, inFront(context));
    context.onRestored();
  },
  "rooroo.writeCommitMessage": async ({ workspace }, argument) => {
    const session = workspace.require();
    const { writeCommitMessage } = await import("./sourceControl/writeCommitMessage.js");
    await writeCommitMessage(session, argument);
  },
  "rooroo.reviewMyChanges": async ({ workspace, chat }, argument) => {
    const session = workspace.require();
    const { chooseChanges } = await import("./sourceControl/reviewMyChanges.js");
    const changes = await chooseChanges(session, argument);
    if (changes === undefined) return;
    await chat.focus();
    void session.run((navigator) => navigator.act({ action: "review", changes }));
  },
  "rooroo.clearFindings": async () => {
    const { clearFindings } = await import("./sourceControl/reviewFindings.js");
    clearFindings();
  },
  "rooroo.openChart": async (_, argument) => {
    const { openChart } = await import("./workspace/showPage.js");
    await openChart(argument);
  },
  "rooroo.openPageSource": async () => {
    const { pageInFront } = await import("./workspace/showPage.js");
    const uri = pageInFront();
    if (uri) await vscode.commands.executeCommand("vscode.open", uri, { preview: true });
  },
  "rooroo.openAccessibleView": (context) => context.openAccessibleView(),
  "rooroo.openWalkthrough": async () => {
    const id = "rooroo.rooroo-navigator#start";
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", id, false);
  },
  "rooroo.openSettings": async () => {
    const filter = "@ext:rooroo.rooroo-navigator";
    await vscode.commands.executeCommand("workbench.action.openSettings", filter);
  },
  "rooroo.manageApprovals": async ({ workspace }) => {
    const { permissions } = await workspace.require().navigator();
    const { manageApprovals } = await import("./settings/manageApprovals.js");
    await manageApprovals(await permissions.list());
  },
  "rooroo.selectTools": async ({ settings }) => {
    const { selectTools } = await import("./workspace/selectTools.js");
    await selectTools(settings);
  },
  "rooroo.openMcpServers": async ({ runtime }) => {
    const { openMcpServers } = await import("./workspace/openMcpServers.js");
    await openMcpServers((await runtime()).mcpList);
  },
  "rooroo.reviewMcpServers": async ({ workspace, runtime }) => {
    const { folder } = workspace.require();
    const { reviewMcpServers } = await import("./workspace/reviewMcpServers.js");
    await reviewMcpServers(await (await runtime()).workspaceMcpServers(folder));
  },
  "rooroo.reviewGitConfiguration": async ({ workspace, runtime }) => {
    const { folder } = workspace.require();
    const { reviewGitConfig } = await import("./workspace/reviewGitConfig.js");
    await reviewGitConfig(await (await runtime()).gitConfig(folder));
  },
  "rooroo.importSettings": async ({ workspace, runtime }) => {
    const { importSettings } = await import("./imports/importSettings.js");
    await importSettings(await runtime(), workspace.session?.folder);
  },
  "rooroo.useSandbox": async ({ workspace, settings, runtime }) => {
    const { folder } = workspace.require();
    const { useSandbox } = await import("./settings/useSandbox.js");
    await useSandbox(settings, await (await runtime()).sandbox(folder));
  },
  "rooroo.checkMachine": async ({ workspace, runtime }) => {
    const session = workspace.require();
    const facts = await (await runtime()).machineFacts(session.folder, await session.overview());
    const { checkMachine } = await import("./workspace/checkMachine.js");
    await checkMachine(facts);
  },
} satisfies CommandTable<Context>;

/** Returns the handlers of all commands of the manifest. Those for long work are loaded when one of them is called. */
export function commands(dependencies: CommandDependencies): Commands {
  const { workspace, runtime, chat, editors, tasks, works, settings, view } = dependencies;
  const review = new ChangeReview({ ...dependencies, ...dependencies.reviews });
  const handlers = complete({
    ...bound(table, { ...dependencies, review }),
    ...taskCommands(dependencies),
    ...planPlaceCommands({
      workspace,
      review,
      onSettled: dependencies.onSettled,
      receive: (argument) => receiveIfAway(argument, workspace),
      onOver: () => void forgetSettled(workspace),
    }),
    ...teamCommands({
      workspace,
      settings,
      keys: dependencies.keys,
      tryTeam: async (address) => (await runtime()).tryTeam(address),
    }),
    ...modelCommands(dependencies),
    ...attachCommands(workspace, chat),
    ...conversationCommands({
      workspace,
      chat,
      editors,
      tasks: () => tasks.overview.tasks,
      clock: dependencies.clock,
    }),
  });
  const isOther = (id: CommandId): id is OtherCommand => Object.hasOwn(handlers, id);
  const surroundings = { review, reveal: (row: string) => view.reveal(row) };
  return async (id) => {
    if (isOther(id)) return handlers[id];
    // One after the other: a kind of work is not loaded for the commands of the one before it.
    for (const work of works) {
      const handler = (await work.commands(surroundings))[id];
      if (handler !== undefined) return handler;
    }
    throw new Error(`Nothing handles the command ${id}.`);
  };
}

function isLongWork(one: Waiting): one is Waiting & LongWork {
  return one.kind !== "task";
}
