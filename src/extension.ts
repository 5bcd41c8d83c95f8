import { env, pid } from "node:process";
import * as vscode from "vscode";
import type { Item } from "./core/conversation/state/items.js";
import { modeName } from "./core/experts/modeName.js";
import type { ConversationId, LongWork, TaskId } from "./core/ids.js";
import type { ModelChoice } from "./core/models/modelProfile.js";
import { once } from "./core/once.js";
import type { Clock } from "./core/ports/system.js";
import { Redactor } from "./core/text/redactor.js";
import { makeFolder } from "./node/files/directoryHandle.js";
import { DiskFileSystem } from "./node/files/diskFileSystem.js";
import { RandomIds } from "./node/randomIds.js";
import { SystemClock } from "./node/systemClock.js";
import { Drafts } from "./node/user/drafts.js";
import { ShownConversation } from "./node/user/shownConversation.js";
import { sharedFolder } from "./node/user/storageFolder.js";
import type { PanelParams } from "./protocol/messages.js";
import { localServices } from "./runtime/localServices.js";
import { codeActions } from "./vscode/attachments/codeActions.js";
import { Mentions } from "./vscode/attachments/mentions.js";
import { EarlierVersions } from "./vscode/changes/earlierVersions.js";
import { OpenReviews } from "./vscode/changes/openReviews.js";
import { PendingChanges } from "./vscode/changes/pendingChanges.js";
import { ChatParticipant } from "./vscode/chat/chatParticipant.js";
import type { Commands } from "./vscode/commands.js";
import { JobList } from "./vscode/jobs/jobList.js";
import { type JobsFeature, jobsFeature } from "./vscode/jobs/jobsFeature.js";
import { NoticeSources } from "./vscode/notices/noticeSources.js";
import { registerOwnTools } from "./vscode/ownTools/registerOwnTools.js";
import { ChatView } from "./vscode/panel/chatView.js";
import { ConversationEditors } from "./vscode/panel/conversationEditors.js";
import { PanelApprover } from "./vscode/panel/panelApprover.js";
import type { PanelPlace } from "./vscode/panel/panelConnection.js";
import type { PanelHandlerDependencies } from "./vscode/panel/panelHandlers.js";
import { registerCommands } from "./vscode/registerCommands.js";
import { RunList } from "./vscode/runs/runList.js";
import { type RunsFeature, runsFeature } from "./vscode/runs/runsFeature.js";
import { Settings } from "./vscode/settings/settings.js";
import { Status } from "./vscode/status/status.js";
import { Surfaces } from "./vscode/status/surfaces.js";
import type { QueuePlace } from "./vscode/tasks/queuePlaces.js";
import { TaskList } from "./vscode/tasks/taskList.js";
import { readableWindow } from "./vscode/text/readableWindow.js";
import { whenFirst } from "./vscode/timing/whenFirst.js";
import { Notices } from "./vscode/work/notices.js";
import type { Conversation } from "./vscode/workspace/conversation.js";
import { CurrentWorkspace } from "./vscode/workspace/currentWorkspace.js";
import { ResumableWork } from "./vscode/workspace/resumableWork.js";
import { namedWork, ResumeStore } from "./vscode/workspace/resumeStore.js";
import { showProblem } from "./vscode/workspace/showProblem.js";
import { WorkRequests } from "./vscode/workspace/workRequests.js";
import {
  type SessionLoader,
  type SessionServices,
  WorkspaceSession,
} from "./vscode/workspace/workspaceSession.js";

/** The parts of the extension that tests can access inside the editor. */
export interface TestApi {
  readonly workspace: CurrentWorkspace;
  readonly chat: ChatView;
  /** The conversation of the side bar. */
  readonly conversation: Conversation;
  readonly participant: ChatParticipant;
  readonly tasks: TaskList;
  readonly status: Status;
  readonly surfaces: Surfaces;
  readonly jobs: JobsFeature;
  readonly runs: RunsFeature;
  readonly settings: Settings;
}

/** Interrupts everything that runs in this window. Set by {@link activate}. */
let suspend: (() => Promise<void>) | undefined;

/**
 * Wires the product together; everything heavy is loaded when it is first needed.
 *
 * @param clock another one than the machine's, for tests; VS Code gives none
 */
export function activate(
  context: vscode.ExtensionContext,
  clock: Clock = new SystemClock(),
): TestApi | undefined {
  readableWindow(vscode.window);
  const basis = createBasis(context, clock);
  const { settings, drafts } = basis;
  const session = createSession(basis);
  const { workspace } = session;
  const lists = createLists(basis, session);
  const { tasks, status } = lists;
  /** Receives the pages' answers to long work. It is filled below, since long work shows itself in the pages. */
  const works: Works = {};
  const pages = createPages(basis, session, lists, works);
  const { chat, editors } = pages;
  // Registered first, so that VS Code creates the page's frame while the rest is being registered.
  context.subscriptions.push(vscode.window.registerWebviewViewProvider(ChatView.id, chat), chat);
  const { jobs, runs } = createWorks(basis, session, lists, pages);
  works.job = jobs;
  works.run = runs;
  const surfaces = createSurfaces(basis, session, lists, [jobs, runs]);
  const participant = new ChatParticipant(
    workspace,
    vscode.Uri.joinPath(context.extensionUri, "media", "rooroo.svg"),
  );
  context.subscriptions.push(
    followRequests(session, { jobs, runs }),
    ...followTasks(basis, session, lists),
    ...registerEntries(basis, session, lists, pages, [jobs, runs], surfaces),
    participant,
    registerOwnTools(workspace),
    vscode.window.registerWebviewPanelSerializer(ConversationEditors.viewType, editors),
  );
  surfaces.open();
  void workspace.session?.resume();
  for (const one of [jobs, runs]) void one.start();
  suspend = async () => {
    for (const one of [jobs, runs]) one.end();
    await Promise.all([drafts.flush(), workspace.session?.suspend()]);
  };
  void (env["ROOROO_REVEAL"] === "1" && chat.focus());
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return {
    workspace,
    chat,
    participant,
    settings,
    tasks,
    status,
    surfaces,
    jobs,
    runs,
    get conversation() {
      return workspace.require().conversations.current;
    },
  };
}

/** Creates what needs no workspace: settings, keys, storage, and the loader of the runtime. */
function createBasis(context: vscode.ExtensionContext, clock: Clock) {
  const log = vscode.window.createOutputChannel("Rooroo", { log: true });
  const settings = new Settings(env, context.extension.packageJSON);
  const redactor = new Redactor();
  const keys = once(async () => {
    const { createKeys } = await import("./vscode/model/createKeys.js");
    return createKeys(context.secrets, env, redactor);
  });
  const modelsWithoutTools = once(async () => {
    const { ModelsWithoutTools } = await import("./core/experts/modelsWithoutTools.js");
    return new ModelsWithoutTools(clock);
  });
  const runtime = once(async () => {
    const { WindowRuntime } = await import("./windowRuntime.js");
    return new WindowRuntime({
      settings,
      ...(await keys()),
      redactor,
      modelsWithoutTools: await modelsWithoutTools(),
      userData: context.globalStorageUri.fsPath,
      editorFolder: vscode.env.appRoot,
    });
  });
  const own = context.storageUri?.fsPath;
  const folder = own && sharedFolder(own);
  const storage = storageIn(folder);
  const drafts = new Drafts(folder, storage, clock);
  const shown = new ShownConversation(folder, storage);
  // Each window records its own work: another one must not take it for interrupted.
  const resumeStore = new ResumeStore(storageIn(own), log);
  context.subscriptions.push(log, settings);
  const stores = { drafts, shown, resumeStore };
  return { context, log, settings, keys, clock, runtime, modelsWithoutTools, ...stores };
}
type Basis = ReturnType<typeof createBasis>;

/** Creates the current workspace, whose session begins when a folder is open and trusted. */
function createSession({ context, log, clock, runtime, drafts, shown, resumeStore }: Basis) {
  const approver = new PanelApprover();
  const requests = new WorkRequests();
  const workspace = new CurrentWorkspace(({ uri }) => {
    const services = sessionServices(uri, clock);
    const loader: SessionLoader = {
      runtime: async (given) => (await runtime()).open(uri, services, approver, given),
      changes: async () => (await runtime()).changes(services),
    };
    const work = new ResumableWork(resumeStore.record("task", namedWork));
    const kept = { shown, drafts };
    return new WorkspaceSession(uri, services, loader, requests, kept, log, work, pid);
  });
  context.subscriptions.push(approver, requests, workspace);
  return { workspace, approver, requests };
}
type Session = ReturnType<typeof createSession>;

/** Creates the lists of tasks and long work, the reviews of what was changed, and what tells how all of it stands. */
function createLists(basis: Basis, { workspace, approver }: Session) {
  const { context, log, settings, keys, clock, modelsWithoutTools } = basis;
  const tasks = new TaskList(workspace, log, clock);
  const jobs = new JobList(workspace, log, clock);
  const runs = new RunList(workspace, settings, log, clock);
  const changes = new PendingChanges(workspace, tasks, clock);
  const readState = async (models: ModelChoice) => {
    const { modelState } = await import("./vscode/model/modelState.js");
    const withoutTools = await modelsWithoutTools();
    withoutTools.onChange = status.refresh;
    return modelState(models, (await keys()).modelKeys, withoutTools);
  };
  const status = new Status(
    workspace,
    settings,
    readState,
    context.secrets,
    { tasks, works: [jobs, runs] },
    approver,
    changes,
    pid,
    clock,
  );
  const open = new OpenReviews(tasks);
  const earlier = new EarlierVersions(() => workspace.session?.changes());
  /** Updates what shows files and tasks after a person has restored an earlier state. */
  const onRestored = (): void => {
    changes.refresh();
    tasks.refresh();
    earlier.refresh();
  };
  context.subscriptions.push(tasks, changes, status, open, earlier);
  const paging = new Map<string, number>();
  return { tasks, jobs, runs, paging, changes, status, reviews: { open, earlier }, onRestored };
}
type Lists = ReturnType<typeof createLists>;

/** The long work of a window, by its kinds; empty until it is created. */
type Works = Partial<Record<LongWork["kind"], Pick<JobsFeature | RunsFeature, "answer">>>;

/** Creates what does long work in this window, kind by kind. */
function createWorks(
  { context, settings, clock, resumeStore }: Basis,
  { workspace, approver }: Session,
  { jobs, runs, paging, status }: Lists,
  { chat, editors, places }: Pages,
): { readonly jobs: JobsFeature; readonly runs: RunsFeature } {
  const notices = new Notices({
    isLookedAt: (conversation): boolean => {
      const visible = [chat.visible, ...editors.visible];
      if (!vscode.window.state.focused) return false;
      return conversation === undefined
        ? visible.some((one) => one !== undefined)
        : visible.includes(conversation);
    },
    show: () => settings.get("notifications.show"),
    memento: context.workspaceState,
  });
  const window = { workspace, settings, approver, resumeStore, places, notices, clock, pid };
  const shown = { ...window, waiting: status, pages: paging };
  const works = {
    jobs: jobsFeature({ ...shown, list: jobs }),
    runs: runsFeature({ ...shown, list: runs }),
  };
  const sources = new NoticeSources(notices, workspace, approver);
  context.subscriptions.push(works.jobs, works.runs, sources);
  return works;
}

/** Creates the pages that show conversations: the view in the side bar, and editors. */
function createPages(basis: Basis, session: Session, { status, onRestored }: Lists, works: Works) {
  const { context, settings, runtime, drafts } = basis;
  const { workspace, approver } = session;
  const mentions = new Mentions(workspace);
  const restoreToEdit: PanelHandlerDependencies["restoreToEdit"] = async (session, place) => {
    const { restoreToEdit } = await import("./vscode/changes/restore.js");
    const isDone = await restoreToEdit(session, place);
    if (isDone) onRestored();
    return isDone;
  };
  const panel = once(async () => {
    const [{ approvalChoice, panelHandlers }, { ProposalEditor }] = await Promise.all([
      import("./vscode/panel/panelHandlers.js"),
      import("./vscode/panel/proposalEditor.js"),
    ]);
    const proposals = new ProposalEditor(context.storageUri, approver);
    context.subscriptions.push(proposals);
    const panelDependencies = {
      workspace,
      approver,
      proposals,
      answerWork: async ({ ref, id, answer }: PanelParams<"answerWork">) =>
        works[ref.kind]?.answer(ref.name, id, answer),
      choice: approvalChoice(settings, workspace, runtime),
      mentions,
      restoreToEdit,
    };
    return (place: PanelPlace) => panelHandlers(panelDependencies, place);
  });
  const handlers = async (place: PanelPlace) => (await panel())(place);
  const { extensionUri } = context;
  const ids = new RandomIds();
  const readRest = (id: ConversationId) => workspace.require().conversations.readRest(id);
  const pageDependencies = { extensionUri, status, workspace, drafts, handlers, ids, readRest };
  const chat = new ChatView(pageDependencies);
  const editors = new ConversationEditors(pageDependencies);
  context.subscriptions.push(mentions, editors);
  const places = once(async () => {
    const { ConversationPlaces } = await import("./vscode/panel/conversationPlaces.js");
    return new ConversationPlaces(workspace, chat, editors);
  });
  return { chat, editors, places };
}
type Pages = ReturnType<typeof createPages>;

/** Creates the trees and what they tell beside them: the badge, the status bar, the context keys. */
function createSurfaces(
  { context, log, settings, clock }: Basis,
  { workspace }: Session,
  { tasks, status, paging }: Lists,
  works: readonly (JobsFeature | RunsFeature)[],
): Surfaces {
  const moveInQueue = async (taskId: TaskId, place: QueuePlace): Promise<void> => {
    try {
      const navigator = await workspace.session?.navigator();
      await navigator?.queue.move(taskId, place);
    } catch (error) {
      await showProblem(error, log);
    }
  };
  const surfaces = new Surfaces({ tasks, works, status, settings, paging, clock, moveInQueue });
  context.subscriptions.push(surfaces);
  return surfaces;
}

/** The scheme of the addresses of conversations as documents to read: see `AccessibleView`. */
const conversationScheme = "rooroo-conversation";

/** Registers the ways in which a person calls the extension: commands, code actions, links, the walkthrough. */
function registerEntries(
  { context, log, settings, keys, runtime, clock, modelsWithoutTools }: Basis,
  { workspace }: Session,
  { tasks, paging, changes, status, reviews, onRestored }: Lists,
  { chat, editors, places }: Pages,
  works: readonly (JobsFeature | RunsFeature)[],
  surfaces: Surfaces,
): { dispose(): unknown }[] {
  const accessibleView = once(async () => {
    const { AccessibleView } = await import("./vscode/panel/accessibleView.js");
    const view = new AccessibleView(workspace, conversationText, clock);
    context.subscriptions.push(view);
    return view;
  });
  // One that was open before a reload asks for its text at once.
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isText = (input: unknown) =>
    input instanceof vscode.TabInputText && input.uri.scheme === conversationScheme;
  if (tabs.some(({ input }) => isText(input))) void accessibleView();
  const openAccessibleView = async (): Promise<void> => {
    const { conversations } = workspace.require();
    await (await accessibleView()).open((editors.active ?? conversations.current).id);
  };
  const commands = once(async (): Promise<Commands> => {
    const { commands } = await import("./vscode/commands.js");
    return commands({
      workspace,
      chat,
      editors,
      places: await places(),
      tasks,
      works,
      waiting: (kind) => status.waiting(kind),
      paging,
      view: surfaces.view,
      reviews,
      onSettled: changes.refresh,
      onRestored,
      selectedTask: () => surfaces.selectedTask,
      focusedTask: () => surfaces.focusedTask(),
      openAccessibleView,
      settings,
      keys,
      modelsWithoutTools,
      runtime,
      clock,
    });
  });
  const handleUri = async (uri: vscode.Uri): Promise<void> => {
    const { openLink } = await import("./vscode/panel/openLink.js");
    await openLink(uri, chat, log);
  };
  return [
    codeActions(),
    registerCommands(context.extension.packageJSON, commands, log),
    vscode.window.registerUriHandler({ handleUri }),
    whenFirst(
      status.onDidChange,
      () => true,
      async () => {
        const { WalkthroughProgress } = await import("./vscode/walkthrough/walkthroughProgress.js");
        return new WalkthroughProgress({ workspace, status, tasks, memento: context.globalState });
      },
    ),
  ];
}

/** Shows the Navigator the jobs and runs, begins those for which it asks, and takes its answers to them. */
function followRequests(
  { workspace, requests }: Session,
  { jobs, runs }: { readonly jobs: JobsFeature; readonly runs: RunsFeature },
): vscode.Disposable {
  requests.works = () => [...jobs.list.works, ...runs.list.works];
  return vscode.Disposable.from(
    requests.onDidRequest(({ work, conversation, begun }) => {
      const begin = () =>
        work.kind === "job"
          ? jobs.begin(work.job, conversation, begun)
          : runs.begin(work.run, conversation, begun);
      void workspace.session?.run(begin);
    }),
    requests.onDidAnswer(({ ref, id, answer, taken }) => {
      const feature = ref.kind === "job" ? jobs : runs;
      taken(feature.answer(ref.name, id, answer));
    }),
  );
}

/** Returns what shows the tasks' problems, findings and cards, once there is something to show. */
function followTasks(
  { clock }: Basis,
  { workspace }: Session,
  { tasks }: Lists,
): vscode.Disposable[] {
  const isStarted = (): boolean => workspace.session?.isStarted === true;
  return [
    whenFirst(
      tasks.onDidChange,
      ({ modeProblems }) => modeProblems.length > 0,
      async () => {
        const { modeDiagnostics } = await import("./vscode/tasks/modeDiagnostics.js");
        return modeDiagnostics(workspace, tasks, clock);
      },
    ),
    whenFirst(
      workspace.onDidEmit,
      ({ event }) => event.type === "sessionEnded" && event.findings !== undefined,
      async ({ event }) => {
        const { ReviewFindings } = await import("./vscode/sourceControl/reviewFindings.js");
        const findings = new ReviewFindings(workspace);
        findings.take(event);
        return findings;
      },
    ),
    whenFirst(tasks.onDidChange, isStarted, async () => {
      const { followPlanCards } = await import("./vscode/tasks/planCards.js");
      return followPlanCards(tasks, workspace);
    }),
  ];
}

/** Interrupts everything that runs, including the processes of commands; the next window resumes it. */
export async function deactivate(): Promise<void> {
  await suspend?.();
}

/** Returns a conversation as a document. */
async function conversationText(title: string, items: readonly Item[]): Promise<string> {
  const { conversationMarkdown } =
    await import("./core/conversation/state/conversationMarkdown.js");
  return conversationMarkdown(title, items, modeName);
}

/** Opens the extension's storage folder for this workspace, which VS Code does not create itself. */
function storageIn(folder: string | undefined): DiskFileSystem | undefined {
  if (folder === undefined) return undefined;
  // If the folder cannot be created, the first write reports it.
  makeFolder(folder).catch(() => undefined);
  return new DiskFileSystem(folder);
}

/** Creates the services that a session needs from the start. */
function sessionServices(folder: vscode.Uri, clock: Clock): SessionServices {
  return { ...localServices(folder.fsPath, vscode.env.appName), clock };
}
