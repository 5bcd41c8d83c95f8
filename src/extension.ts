import { env, pid } from "node:process";
import * as vscode from "vscode";
import { DiskFileSystem } from "./node/diskFileSystem.js";
import { FileLock } from "./node/fileLock.js";
import { RandomIds } from "./node/randomIds.js";
import { SystemClock } from "./node/systemClock.js";
import { ApiKey, searchKey } from "./vscode/apiKey.js";
import { ApprovalNotice } from "./vscode/approvalNotice.js";
import { ChangeReview } from "./vscode/changeReview.js";
import { ChatView } from "./vscode/chatView.js";
import { registerCommands } from "./vscode/commands.js";
import { Conversation } from "./vscode/conversation.js";
import { CurrentWorkspace } from "./vscode/currentWorkspace.js";
import { ModeDiagnostics } from "./vscode/modeDiagnostics.js";
import { PanelApprover } from "./vscode/panelApprover.js";
import { panelHandlers } from "./vscode/panelHandlers.js";
import { ProposalEditor } from "./vscode/proposalEditor.js";
import { Settings } from "./vscode/settings.js";
import { Status } from "./vscode/status.js";
import { Surfaces } from "./vscode/surfaces.js";
import { TaskList } from "./vscode/taskList.js";
import { tellProblem } from "./vscode/tellProblem.js";
import { WorkMark } from "./vscode/workMark.js";
import { WorkspaceDocuments } from "./vscode/workspaceDocuments.js";
import { type SessionWorld, WorkspaceSession } from "./vscode/workspaceSession.js";
import type { Workshop, WorkshopOptions } from "./workshop.js";

/** What tests reach inside of the editor. */
export interface TestApi {
  readonly workspace: CurrentWorkspace;
  readonly chat: ChatView;
  readonly conversation: Conversation;
  readonly tasks: TaskList;
  readonly status: Status;
  readonly surfaces: Surfaces;
  readonly settings: Settings;
}

let workspace: CurrentWorkspace | undefined;

/** Wires the product together; everything heavy begins when it is first needed. */
export function activate(context: vscode.ExtensionContext): TestApi | undefined {
  const log = vscode.window.createOutputChannel("Rooroo", { log: true });
  const settings = new Settings(env);
  const apiKey = new ApiKey(context.secrets, env);
  const webSearchKey = new ApiKey(context.secrets, env, searchKey);
  const clock = new SystemClock();
  const kept = context.globalStorageUri.fsPath;
  const workshop = workshopOf({ settings, apiKey, webSearchKey, kept });
  const conversation = new Conversation();
  const approver = new PanelApprover();
  const proposals = new ProposalEditor(context.storageUri, approver);
  workspace = new CurrentWorkspace(({ uri }) => {
    const world = sessionWorld(uri);
    const mark = new WorkMark(context.storageUri, log);
    const work = async () => (await workshop()).in(uri, world, approver);
    return new WorkspaceSession(uri, world, work, conversation, log, mark, pid);
  });
  const tasks = new TaskList(workspace, log);
  const status = new Status(workspace, settings, apiKey, tasks, pid);
  const chat = new ChatView({
    ...{ extensionUri: context.extensionUri, conversation, status, workspace },
    ...{ handlers: panelHandlers(workspace, approver, proposals), ids: new RandomIds() },
  });
  // First, so that VS Code makes the page's frame while the rest is being registered.
  context.subscriptions.push(vscode.window.registerWebviewViewProvider(ChatView.id, chat), chat);
  const surfaces = new Surfaces(tasks, status, async (taskId, place) => {
    try {
      const navigator = await workspace?.session?.navigator();
      await navigator?.moveInQueue(taskId, place);
    } catch (error) {
      await tellProblem(error, log);
    }
  });
  const review = new ChangeReview(workspace, tasks);
  const selectedTask = () => surfaces.selectedTask;
  const keys = { apiKey, webSearchKey };
  const parts = { workspace, workshop, selectedTask, chat, review, settings, ...keys, clock, log };

  context.subscriptions.push(log, settings, conversation, approver, workspace, tasks, status);
  const diagnostics = new ModeDiagnostics(tasks, () => workspace?.session?.folder);
  context.subscriptions.push(proposals, new ApprovalNotice(approver, chat));
  context.subscriptions.push(surfaces, review, diagnostics, registerCommands(parts));
  surfaces.open();
  void workspace.session?.startIfCutOff();
  void (env["ROOROO_REVEAL"] === "1" && chat.focus());
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return { workspace, chat, conversation, tasks, status, surfaces, settings };
}

/** What runs is broken off, commands' processes included, and goes on in the next window. */
export async function deactivate(): Promise<void> {
  await workspace?.session?.suspend();
}

/** Loads the workshop when it is first asked for. */
function workshopOf(options: WorkshopOptions): () => Promise<Workshop> {
  let loading: Promise<Workshop> | undefined;
  const load = async () => {
    const { Workshop } = await import("./workshop.js");
    return new Workshop(options);
  };
  return () => (loading ??= load());
}

/** What a session needs before there is anything to do. */
function sessionWorld(folder: vscode.Uri): SessionWorld {
  const root = folder.fsPath;
  const files = new DiskFileSystem(root);
  return {
    ...{ files, documents: new WorkspaceDocuments(files) },
    lock: new FileLock(root, vscode.env.appName),
    clock: new SystemClock(),
    ids: new RandomIds(),
  };
}
