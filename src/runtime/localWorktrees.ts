import { readdirSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { anyExpert } from "../core/documents/queue.js";
import { UserError } from "../core/errors.js";
import { leftArtifacts, shellWithArtifacts } from "../core/experts/carriedArtifacts.js";
import type { ExpertSettings } from "../core/experts/expertSettings.js";
import { completeReport } from "../core/experts/report.js";
import { repositoryProblem } from "../core/experts/repositoryProblem.js";
import type { WorkspaceHost } from "../core/experts/workspaceHost.js";
import { worktreeFiles } from "../core/experts/worktreeFiles.js";
import { PlanTasks } from "../core/navigator/queue/planTasks.js";
import { QueueStore } from "../core/navigator/queue/queueStore.js";
import { resilientFiles } from "../core/navigator/recovery/resilientFiles.js";
import { TaskStore } from "../core/navigator/tasks/taskStore.js";
import { PlanWorktreeStore } from "../core/navigator/worktrees/planWorktree.js";
import { PlanWorktrees } from "../core/navigator/worktrees/planWorktrees.js";
import { setUpWorktree } from "../core/navigator/worktrees/worktreeSetup.js";
import type { EditorDocuments } from "../core/ports/editor.js";
import type { FileSystem } from "../core/ports/files.js";
import type { Shell } from "../core/ports/shell.js";
import { KeyedQueue } from "../core/text/keyedQueue.js";
import type { Redactor } from "../core/text/redactor.js";
import { DiskFileSystem } from "../node/files/diskFileSystem.js";
import { GitWorktrees } from "../node/git/gitWorktrees.js";
import { ProcessGit } from "../node/git/processGit.js";
import { allWorktrees } from "../node/git/worktreesFolder.js";
import { WorkerPdf } from "../node/pdf/workerPdf.js";
import { sandboxPlaces } from "../node/sandbox/sandboxPlaces.js";
import { createSearch } from "../node/search/createSearch.js";
import { BashParser } from "../node/shell/bashParser.js";
import { ProcessShell } from "../node/shell/processShell.js";
import { localChanges, localSnapshots } from "./localChanges.js";
import type { LocalServices } from "./localServices.js";
import { redactedShell } from "./redactedShell.js";

/** The first port of the first plan, and the number of ports that each plan has. */
const firstPort = 20_000;
const portsOfPlan = 100;

type WorktreeSettings = Pick<ExpertSettings, "worktreeSetup" | "sandbox">;

export interface WorktreeOptions {
  /** The workspace folder's absolute path. */
  readonly root: string;
  readonly local: Pick<LocalServices, "files" | "signer" | "lock" | "clock"> & {
    readonly documents?: EditorDocuments;
  };
  readonly redactor: Redactor;
  /** Returns the user's current settings. Absent: the defaults. */
  readonly settings?: () => WorktreeSettings;
  /** Absolute paths of further folders that sandboxed commands must not see. */
  readonly hidden?: readonly string[];
  readonly editorFolder?: string | undefined;
}

/** Returns the worktrees of a workspace's plans. */
export function localWorktrees(options: WorktreeOptions): PlanWorktrees {
  const { root, local, settings = (): WorktreeSettings => ({}) } = options;
  const { clock, signer, lock } = local;
  const files = resilientFiles(local.files);
  const taskStore = new TaskStore(files, clock, signer);
  const tasks = new PlanTasks({
    files,
    lock,
    store: taskStore,
    // Which experts there are does not matter here.
    queue: new QueueStore(files, lock, anyExpert),
  });
  return new PlanWorktrees({
    store: new PlanWorktreeStore(files, clock, signer),
    worktrees: new GitWorktrees(root, allWorktrees(env)),
    lock,
    changes: localChanges(root, local),
    hostAt: (place, number) => worktreeHost(place, number, { ...options, files }),
    setUp: async (host) => {
      const { worktreeSetup: command = "", sandbox } = settings();
      if (command.trim() !== "") await setUpWorktree(host, { command, sandbox });
    },
    checkRepository: () => checkRepository(files),
    tasks,
    changesAt: (place) => localChanges(place, { ...local, files: filesAt(place, files) }),
    listLanding: async (taskId, planId) => {
      const goal = `Land: ${(await tasks.goalOf(planId)) ?? planId}`;
      const record = { taskId, parentTaskId: null, planId: null, mode: "rooroo-developer", goal };
      const conversation = await tasks.conversationOf(planId);
      await taskStore.create({ ...record, single: true, conversation }, `${goal}\n`);
      const message = `What ${planId} changed in its worktree was put into the folder.`;
      await taskStore.writeReport(taskId, completeReport({ status: "Done", message }));
    },
  });
}

/** Returns the files of a worktree, with the user's own `.rooroo`. */
function filesAt(place: string, main: FileSystem): FileSystem {
  return resilientFiles(worktreeFiles(new DiskFileSystem(place), main));
}

/** Returns a worktree as the place where tasks work: nothing of the editor's, which shows the user's folder. */
function worktreeHost(
  place: string,
  number: number,
  { root, redactor, editorFolder, hidden = [], files }: WorktreeOptions & { files: FileSystem },
): WorkspaceHost {
  const sandbox = sandboxPlaces(env, hidden);
  const shell = new ProcessShell(place, {
    sandbox: {
      ...sandbox,
      // Commands must not find by its other path what the rules for the folder hide from them.
      get hidden() {
        return [...(sandbox.hidden ?? []), ...besidesRepository(root)];
      },
    },
  });
  const search = () => createSearch(place, editorFolder);
  const checkout = new DiskFileSystem(place);
  const own = withPorts(redactedShell(shell, redactor), number);
  return {
    files: filesAt(place, files),
    parser: new BashParser(),
    search: {
      matches: (query, signal) => search().matches(query, signal),
      files: (query, signal) => search().files(query, signal),
      ignored: (paths) => search().ignored(paths),
    },
    pdf: new WorkerPdf(),
    shell: own,
    shellOf: (folder) => shellWithArtifacts(own, folder, { checkout, main: files }),
    leftOf: (folder) => leftArtifacts(folder, { checkout, main: files }),
    git: new ProcessGit(place),
    snapshots: localSnapshots(place),
    writes: new KeyedQueue(),
  };
}

/** Returns the absolute paths of all that is in the user's folder, except for the repository itself. */
function besidesRepository(root: string): string[] {
  try {
    const names = readdirSync(root).filter((name) => name !== ".git");
    return names.map((name) => join(root, name));
  } catch {
    return [root];
  }
}

/** Returns the shell, whose commands are told which ports are their plan's own. */
function withPorts(shell: Shell, number: number): Shell {
  const sandbox = shell.sandbox?.bind(shell);
  const ports = { ROOROO_PORT_BASE: String(firstPort + (number - 1) * portsOfPlan) };
  return {
    get description() {
      return shell.description;
    },
    ...(sandbox === undefined ? {} : { sandbox }),
    run: (request, signal) => shell.run({ ...request, env: { ...ports, ...request.env } }, signal),
    endOrphaned: () => shell.endOrphaned(),
  };
}

async function checkRepository(files: FileSystem): Promise<void> {
  const problem = await repositoryProblem(files);
  if (problem === undefined) return;
  throw new UserError(
    "repositoryUnsafe",
    "{problem} So plans cannot have worktrees here; work without isolation.",
    { problem },
  );
}
