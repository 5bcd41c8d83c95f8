import { resolve } from "node:path";
import { env, pid } from "node:process";
import * as vscode from "vscode";
import { BashParser } from "./node/bashParser.js";
import { createSearch } from "./node/createSearch.js";
import { DiskFileSystem } from "./node/diskFileSystem.js";
import { GrantFile } from "./node/grantFile.js";
import { findLocalServers } from "./node/findLocalServers.js";
import { FileLock } from "./node/fileLock.js";
import { HttpWeb } from "./node/httpWeb.js";
import { modelList } from "./node/modelList.js";
import { ModelWindows } from "./node/modelWindows.js";
import { OpenAiModel } from "./node/openAiModel.js";
import { OutputKeeper } from "./node/outputKeeper.js";
import { ProcessShell } from "./node/processShell.js";
import { RandomIds } from "./node/randomIds.js";
import { SearchService } from "./node/searchService.js";
import { SystemClock } from "./node/systemClock.js";
import { terminalCommand } from "./node/terminalCommand.js";
import { TimedPatterns } from "./node/timedPatterns.js";
import { UsageFile } from "./node/usageFile.js";
import { ApiKey, searchKey } from "./vscode/apiKey.js";
import { ApprovalNotice } from "./vscode/approvalNotice.js";
import { ChangeReview } from "./vscode/changeReview.js";
import { ChatView } from "./vscode/chatView.js";
import { registerCommands } from "./vscode/commands.js";
import { ChosenModel, Models } from "./vscode/chosenModel.js";
import { Conversation } from "./vscode/conversation.js";
import { CurrentWorkspace } from "./vscode/currentWorkspace.js";
import { EditorDiagnostics } from "./vscode/editorDiagnostics.js";
import { EditorTools } from "./vscode/editorTools.js";
import { ModeDiagnostics } from "./vscode/modeDiagnostics.js";
import { modelOptions } from "./vscode/modelOptions.js";
import { PanelApprover } from "./vscode/panelApprover.js";
import { panelHandlers } from "./vscode/panelHandlers.js";
import { ProposalEditor } from "./vscode/proposalEditor.js";
import { Settings } from "./vscode/settings.js";
import { Status } from "./vscode/status.js";
import { Surfaces } from "./vscode/surfaces.js";
import { TaskList } from "./vscode/taskList.js";
import { TerminalShell } from "./vscode/terminalShell.js";
import { tellProblem } from "./vscode/tellProblem.js";
import { WorkMark } from "./vscode/workMark.js";
import { WorkspaceDocuments } from "./vscode/workspaceDocuments.js";
import { type SessionWorld, WorkspaceSession } from "./vscode/workspaceSession.js";

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
  const models = modelsOf(settings, apiKey);
  const conversation = new Conversation();
  const approver = new PanelApprover();
  const proposals = new ProposalEditor(context.storageUri, approver);
  workspace = new CurrentWorkspace(({ uri }) => {
    const kept = context.globalStorageUri.fsPath;
    const world = machine(uri, kept, settings, models, webSearchKey);
    const mark = new WorkMark(context.storageUri, log);
    return new WorkspaceSession(uri, world, conversation, settings, approver, log, mark, pid);
  });
  const tasks = new TaskList(workspace, log);
  const status = new Status(workspace, settings, apiKey, tasks, pid);
  const chat = new ChatView({
    ...{ extensionUri: context.extensionUri, conversation, status, workspace },
    ...{ handlers: panelHandlers(workspace, approver, proposals), ids: new RandomIds() },
  });
  const surfaces = new Surfaces(tasks, status, async (taskId, place) => {
    const moved = workspace?.session?.navigator.moveInQueue(taskId, place);
    await moved?.catch((error: unknown) => tellProblem(error, log));
  });
  const review = new ChangeReview(workspace, tasks);
  const selectedTask = () => surfaces.selectedTask;
  const asking = { listModels: modelList, findLocalServers, model: models.model, clock };
  const keys = { apiKey, webSearchKey };
  const commands = { workspace, selectedTask, chat, review, settings, ...keys, ...asking, log };

  context.subscriptions.push(log, settings, conversation, approver, workspace, tasks, status);
  const diagnostics = new ModeDiagnostics(tasks, () => workspace?.session?.folder);
  context.subscriptions.push(proposals, new ApprovalNotice(approver, chat));
  context.subscriptions.push(chat, surfaces, review, diagnostics, registerCommands(commands));
  context.subscriptions.push(vscode.window.registerWebviewViewProvider(ChatView.id, chat));
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

type ChosenModels = Pick<SessionWorld, "model"> & Required<Pick<SessionWorld, "modelFor">>;

/** One model for all, and one for each mode whose settings differ. */
function modelsOf(settings: Settings, apiKey: ApiKey): ChosenModels {
  const windows = new ModelWindows();
  const models = new Models(
    (name, own) => new OpenAiModel(() => modelOptions(settings, apiKey, name, own), windows),
  );
  return {
    model: new ChosenModel(models, settings, apiKey),
    modelFor: (slug) => new ChosenModel(models, settings, apiKey, slug),
  };
}

/** Processes of its own, or terminals where the person wants to see them. */
function commandShell(root: string, settings: Settings): TerminalShell {
  const processes = new ProcessShell(root);
  const world = {
    processes,
    shellPath: () => processes.path,
    folder: (path: string) => resolve(root, path),
    command: () => terminalCommand(root),
    keep: (path: string | undefined) => new OutputKeeper(path && resolve(root, path)),
  };
  return new TerminalShell(world, () => settings.read().runIn === "terminal");
}

function machine(
  folder: vscode.Uri,
  kept: string,
  settings: Settings,
  models: ChosenModels,
  webSearchKey: ApiKey,
): SessionWorld {
  const root = folder.fsPath;
  const search = () => createSearch(root, settings.read().ripgrepPath);
  const files = new DiskFileSystem(root);
  return {
    ...{ files, documents: new WorkspaceDocuments(files) },
    ...models,
    shell: commandShell(root, settings),
    parser: new BashParser(),
    search: {
      matches: (query, signal) => search().matches(query, signal),
      files: (query, signal) => search().files(query, signal),
    },
    patterns: new TimedPatterns(),
    web: new HttpWeb(() => settings.read().web),
    webSearch: () => {
      const { provider, address } = settings.read().web.search;
      if (provider === "none") return undefined;
      return new SearchService({ provider, address, apiKey: () => webSearchKey.read() });
    },
    diagnostics: new EditorDiagnostics(folder),
    hostTools: new EditorTools(() => settings.read().editorTools),
    grantStore: new GrantFile(kept, root),
    usageLog: new UsageFile(kept),
    lock: new FileLock(root, vscode.env.appName),
    clock: new SystemClock(),
    ids: new RandomIds(),
  };
}
