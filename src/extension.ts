import { env, pid } from "node:process";
import * as vscode from "vscode";
import { Redactor } from "./core/text/redactor.js";
import { DiskFileSystem } from "./node/files/diskFileSystem.js";
import { makeFolder } from "./node/files/directoryHandle.js";
import { RandomIds } from "./node/randomIds.js";
import { SystemClock } from "./node/systemClock.js";
import { once } from "./runtime/late.js";
import { localServices } from "./runtime/localServices.js";
import { ApiKey, searchKey } from "./vscode/model/apiKey.js";
import { ApprovalNotice } from "./vscode/panel/approvalNotice.js";
import { ChangeReview } from "./vscode/changes/changeReview.js";
import { ChatView } from "./vscode/panel/chatView.js";
import { registerCommands } from "./vscode/commands.js";
import { Conversation } from "./vscode/workspace/conversation.js";
import { CurrentWorkspace } from "./vscode/workspace/currentWorkspace.js";
import { jobCommands } from "./vscode/jobs/jobCommands.js";
import { jobDocuments } from "./vscode/jobs/jobDocuments.js";
import { JobList } from "./vscode/jobs/jobList.js";
import { followJobCards } from "./vscode/jobs/jobCards.js";
import { JobRuns } from "./vscode/jobs/jobRuns.js";
import { JobsView } from "./vscode/jobs/jobsView.js";
import { modeDiagnostics } from "./vscode/tasks/modeDiagnostics.js";
import { PanelApprover } from "./vscode/panel/panelApprover.js";
import { panelHandlers } from "./vscode/panel/panelHandlers.js";
import { ProposalEditor } from "./vscode/panel/proposalEditor.js";
import { RunsFeature } from "./vscode/runs/runsFeature.js";
import type { SandboxOffer } from "./protocol/messages.js";
import { Settings } from "./vscode/settings/settings.js";
import { Status } from "./vscode/status/status.js";
import { Surfaces } from "./vscode/status/surfaces.js";
import { TaskList } from "./vscode/tasks/taskList.js";
import { showProblem } from "./vscode/workspace/showProblem.js";
import { ResumableWork } from "./vscode/workspace/resumableWork.js";
import { namedWork, ResumeStore } from "./vscode/workspace/resumeStore.js";
import { WorkspaceDocuments } from "./vscode/workspace/workspaceDocuments.js";
import {
  type SessionLoader,
  type SessionServices,
  WorkspaceSession,
} from "./vscode/workspace/workspaceSession.js";
import { WorkRequests } from "./vscode/workspace/workRequests.js";
import type { WindowRuntime } from "./windowRuntime.js";

/** The parts of the extension that tests can access inside the editor. */
export interface TestApi {
  readonly workspace: CurrentWorkspace;
  readonly chat: ChatView;
  readonly conversation: Conversation;
  readonly tasks: TaskList;
  readonly status: Status;
  readonly surfaces: Surfaces;
  readonly jobs: JobList;
  readonly jobsView: JobsView;
  readonly runs: RunsFeature;
  readonly settings: Settings;
}

/** Interrupts everything that runs in this window. Set by {@link activate}. */
let suspend: (() => Promise<void>) | undefined;

/** Wires the product together; everything heavy is loaded when it is first needed. */
export function activate(context: vscode.ExtensionContext): TestApi | undefined {
  const log = vscode.window.createOutputChannel("Rooroo", { log: true });
  const settings = new Settings(env);
  const redactor = new Redactor();
  const apiKey = new ApiKey(context.secrets, env, redactor);
  const webSearchKey = new ApiKey(context.secrets, env, redactor, searchKey);
  const clock = new SystemClock();
  const userData = context.globalStorageUri.fsPath;
  const runtime = once(async () => {
    const { WindowRuntime } = await import("./windowRuntime.js");
    return new WindowRuntime({
      settings,
      apiKey,
      webSearchKey,
      redactor,
      userData,
      editorFolder: vscode.env.appRoot,
    });
  });
  const underWay = new ResumeStore(storageIn(context.storageUri), log);
  const conversation = new Conversation();
  const approver = new PanelApprover();
  const proposals = new ProposalEditor(context.storageUri, approver);
  const requests = new WorkRequests();
  const workspace = new CurrentWorkspace(({ uri }) => {
    const services = sessionServices(uri);
    const loader: SessionLoader = {
      runtime: async (given) => (await runtime()).open(uri, services, approver, given),
      changes: async () => (await runtime()).changes(services),
    };
    const work = new ResumableWork(underWay.record("tasks", namedWork));
    return new WorkspaceSession(uri, services, loader, requests, conversation, log, work, pid);
  });
  const tasks = new TaskList(workspace, log, clock);
  const jobs = new JobList(workspace, log, clock);
  const jobRuns = new JobRuns(workspace, jobs, settings, underWay);
  const isChatShown = (): boolean => chat.isShown;
  const runs = new RunsFeature({
    workspace,
    conversation,
    settings,
    log,
    clock,
    underWay,
    isChatShown,
  });
  const lists = { tasks, jobs, runs: runs.list };
  const status = new Status(workspace, settings, apiKey, lists, approver, pid, clock);
  const offer = () => sandboxOffer(settings, workspace, runtime);
  const chat = new ChatView({
    extensionUri: context.extensionUri,
    conversation,
    status,
    workspace,
    handlers: panelHandlers(workspace, approver, proposals, runs, offer),
    ids: new RandomIds(),
  });
  // Registered first, so that VS Code creates the page's frame while the rest is being registered.
  context.subscriptions.push(vscode.window.registerWebviewViewProvider(ChatView.id, chat), chat);
  const surfaces = new Surfaces(tasks, status, async (taskId, place) => {
    try {
      const navigator = await workspace.session?.navigator();
      await navigator?.moveInQueue(taskId, place);
    } catch (error) {
      await showProblem(error, log);
    }
  });
  const review = new ChangeReview(workspace, tasks, conversation);
  const selectedTask = () => surfaces.selectedTask;
  const keys = { apiKey, webSearchKey };
  const jobsView = new JobsView(jobs, approver, pid);
  const ofJobs = jobCommands({ workspace, runs: jobRuns, view: jobsView, settings, review });
  const others = { ...ofJobs, ...runs.commands };
  const parts = { workspace, runtime, selectedTask, chat, review, settings, ...keys, clock, log };

  context.subscriptions.push(log, settings, conversation, approver, workspace, tasks, status);
  const diagnostics = modeDiagnostics(workspace, tasks, clock);
  context.subscriptions.push(proposals, new ApprovalNotice(approver, chat));
  context.subscriptions.push(surfaces, review, diagnostics, registerCommands(parts, others));
  const cards = followJobCards(jobs, workspace, conversation, vscode.l10n.t);
  context.subscriptions.push(jobs, jobsView, cards, jobDocuments(workspace, jobs, clock), runs);
  context.subscriptions.push(
    requests,
    requests.onDidRequestJob((name) => void workspace.session?.run(() => jobRuns.begin(name))),
    requests.onDidRequestRun((request) => void workspace.session?.run(() => runs.start(request))),
  );
  surfaces.open();
  jobs.watch();
  runs.list.watch();
  void workspace.session?.resume();
  void jobRuns.resume();
  suspend = async () => {
    jobRuns.dispose();
    runs.end();
    await workspace.session?.suspend();
  };
  void (env["ROOROO_REVEAL"] === "1" && chat.focus());
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  const shown = { tasks, status, surfaces, jobs, jobsView, runs };
  return { workspace, chat, conversation, settings, ...shown };
}

/** Interrupts everything that runs, including the processes of commands; the next window resumes it. */
export async function deactivate(): Promise<void> {
  await suspend?.();
}

/**
 * Returns what an empty panel says about the sandbox; `null` without a workspace, or if the user has
 * already chosen a preset.
 */
async function sandboxOffer(
  settings: Settings,
  current: CurrentWorkspace,
  runtime: () => Promise<WindowRuntime>,
): Promise<SandboxOffer | null> {
  const folder = current.session?.folder;
  if (folder === undefined || settings.isPresetChosen) return null;
  const ability = await (await runtime()).sandbox(folder);
  return ability.available ? { name: ability.name } : { reason: ability.reason };
}

/** Opens the extension's storage folder for this workspace, which VS Code does not create itself. */
function storageIn(uri: vscode.Uri | undefined): DiskFileSystem | undefined {
  if (uri === undefined) return undefined;
  // If the folder cannot be created, the first write reports it.
  makeFolder(uri.fsPath).catch(() => undefined);
  return new DiskFileSystem(uri.fsPath);
}

/** Creates the services that a session needs from the start. */
function sessionServices(folder: vscode.Uri): SessionServices {
  const local = localServices(folder.fsPath, vscode.env.appName);
  return { ...local, documents: new WorkspaceDocuments(local.files) };
}
