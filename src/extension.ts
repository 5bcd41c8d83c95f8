import { env, pid } from "node:process";
import * as vscode from "vscode";
import { Redactor } from "./core/redactor.js";
import { DiskFileSystem } from "./node/files/diskFileSystem.js";
import { FileLock } from "./node/locks/fileLock.js";
import { makeFolder } from "./node/files/makeFolder.js";
import { InstallationKey } from "./node/user/installationKey.js";
import { RandomIds } from "./node/randomIds.js";
import { SystemClock } from "./node/systemClock.js";
import { userFolder } from "./node/user/userFolder.js";
import { ApiKey, searchKey } from "./vscode/model/apiKey.js";
import { ApprovalNotice } from "./vscode/panel/approvalNotice.js";
import { ChangeReview } from "./vscode/changes/changeReview.js";
import { ChatView } from "./vscode/panel/chatView.js";
import { registerCommands } from "./vscode/commands.js";
import { Conversation } from "./vscode/panel/conversation.js";
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
import { Status } from "./vscode/status.js";
import { Surfaces } from "./vscode/tasks/surfaces.js";
import { TaskList } from "./vscode/tasks/taskList.js";
import { tellProblem } from "./vscode/tellProblem.js";
import { namedWork, ResumeStore } from "./vscode/work/resumeStore.js";
import { WorkspaceDocuments } from "./vscode/workspace/workspaceDocuments.js";
import { type SessionWorld, WorkspaceSession } from "./vscode/workspace/workspaceSession.js";
import type { Services, Workshop, WorkshopOptions } from "./workshop.js";

/** What tests can access inside the editor. */
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

let workspace: CurrentWorkspace | undefined;
let jobRuns: JobRuns | undefined;
let runsFeature: RunsFeature | undefined;

/** Wires the product together; everything heavy is loaded when it is first needed. */
export function activate(context: vscode.ExtensionContext): TestApi | undefined {
  const log = vscode.window.createOutputChannel("Rooroo", { log: true });
  const settings = new Settings(env);
  const redactor = new Redactor();
  const apiKey = new ApiKey(context.secrets, env, redactor);
  const webSearchKey = new ApiKey(context.secrets, env, redactor, searchKey);
  const clock = new SystemClock();
  const kept = context.globalStorageUri.fsPath;
  const workshop = workshopOf({ settings, apiKey, webSearchKey, redactor, kept });
  const storage = storageIn(context.storageUri);
  const conversation = new Conversation();
  const approver = new PanelApprover();
  const proposals = new ProposalEditor(context.storageUri, approver);
  workspace = new CurrentWorkspace(({ uri }) => {
    const world = sessionWorld(uri);
    const record = new ResumeStore(storage, log, "tasks.json", namedWork);
    const services: Services = {
      jobs: {
        create: (job) => jobsRun.create({ ...job, dirs: [] }),
        run: (name) => jobsRun.begin(name),
      },
      runs: { start: (request) => runs.start(request) },
    };
    const work = async () => (await workshop()).in(uri, world, approver, services);
    return new WorkspaceSession(uri, world, work, conversation, log, record, pid);
  });
  const tasks = new TaskList(workspace, log);
  const jobs = new JobList(workspace, log);
  const jobsRun = new JobRuns(workspace, jobs, settings, storage, log);
  const isChatShown = (): boolean => chat.isShown;
  const shared = { workspace, conversation, settings, log, isChatShown };
  const runs = new RunsFeature(shared, storage);
  const lists = { tasks, jobs, runs: runs.list };
  const status = new Status(workspace, settings, apiKey, lists, approver, pid);
  const offer = () => sandboxOffer(settings, workspace, workshop);
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
      const navigator = await workspace?.session?.navigator();
      await navigator?.moveInQueue(taskId, place);
    } catch (error) {
      await tellProblem(error, log);
    }
  });
  const review = new ChangeReview(workspace, tasks, (taskId) => conversation.goalOf(taskId));
  const selectedTask = () => surfaces.selectedTask;
  const keys = { apiKey, webSearchKey };
  const jobsView = new JobsView(jobs, approver, pid);
  const ofJobs = jobCommands({ workspace, runs: jobsRun, view: jobsView, settings });
  const others = { ...ofJobs, ...runs.commands };
  const parts = { workspace, workshop, selectedTask, chat, review, settings, ...keys, clock, log };

  context.subscriptions.push(log, settings, conversation, approver, workspace, tasks, status);
  const diagnostics = modeDiagnostics(workspace, tasks);
  context.subscriptions.push(proposals, new ApprovalNotice(approver, chat));
  context.subscriptions.push(surfaces, review, diagnostics, registerCommands(parts, others));
  const cards = followJobCards(jobs, workspace, conversation, vscode.l10n.t);
  context.subscriptions.push(jobs, jobsView, cards, jobDocuments(workspace, jobs), runs);
  surfaces.open();
  jobs.watch();
  runs.list.watch();
  void workspace.session?.startIfCutOff();
  void jobsRun.resume();
  jobRuns = jobsRun;
  runsFeature = runs;
  void (env["ROOROO_REVEAL"] === "1" && chat.focus());
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  const shown = { tasks, status, surfaces, jobs, jobsView, runs };
  return { workspace, chat, conversation, settings, ...shown };
}

/** Interrupts everything that runs, including the processes of commands; the next window resumes it. */
export async function deactivate(): Promise<void> {
  jobRuns?.dispose();
  runsFeature?.end();
  await workspace?.session?.suspend();
}

/** Returns a function that loads the workshop at its first call. */
function workshopOf(options: WorkshopOptions): () => Promise<Workshop> {
  let loading: Promise<Workshop> | undefined;
  const load = async () => {
    const { Workshop } = await import("./workshop.js");
    return new Workshop(options);
  };
  return () => (loading ??= load());
}

/**
 * Returns what an empty panel says about the sandbox; `null` without a workspace, or if the user has
 * already chosen a preset.
 */
async function sandboxOffer(
  settings: Settings,
  current: CurrentWorkspace | undefined,
  workshop: () => Promise<Workshop>,
): Promise<SandboxOffer | null> {
  const folder = current?.session?.folder;
  if (folder === undefined || settings.isPresetChosen) return null;
  const ability = await (await workshop()).sandbox(folder);
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
function sessionWorld(folder: vscode.Uri): SessionWorld {
  const root = folder.fsPath;
  const files = new DiskFileSystem(root);
  return {
    files,
    documents: new WorkspaceDocuments(files),
    signer: new InstallationKey(userFolder(env), root),
    lock: new FileLock(root, vscode.env.appName),
    clock: new SystemClock(),
    ids: new RandomIds(),
  };
}
