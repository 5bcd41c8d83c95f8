import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { env, versions } from "node:process";
import * as vscode from "vscode";
import type { Approver } from "./core/approvals/approver.js";
import type { TaskChanges } from "./core/changes/taskChanges.js";
import { instructionProblems } from "./core/experts/instructions.js";
import type { ModelsWithoutTools } from "./core/experts/modelsWithoutTools.js";
import { askedModel, everyProfile, unknownProfile } from "./core/models/askedModel.js";
import { addressOf } from "./core/models/serverAddress.js";
import type { MachineFacts } from "./core/navigator/overview/machineReport.js";
import type { Overview } from "./core/navigator/overview/overview.js";
import { workspaceHealth } from "./core/navigator/overview/workspaceHealth.js";
import type { LanguageModel } from "./core/ports/model.js";
import type { SandboxAbility } from "./core/ports/shell.js";
import type { Redactor } from "./core/text/redactor.js";
import { words } from "./core/text/words.js";
import { makeFolder } from "./node/files/directoryHandle.js";
import { DiskFileSystem } from "./node/files/diskFileSystem.js";
import { findLocalServers, modelList } from "./node/model/modelList.js";
import { ServerModels } from "./node/model/serverModels.js";
import { findProgram, programFacts } from "./node/processes/findProgram.js";
import { findRipgrep } from "./node/search/createSearch.js";
import { OutputKeeper } from "./node/shell/outputKeeper.js";
import { ProcessShell } from "./node/shell/processShell.js";
import { terminalCommand } from "./node/shell/terminalCommand.js";
import { PermissionFile } from "./node/user/permissionFile.js";
import { mcpList, userFolder } from "./node/user/userFolder.js";
import { userPlaces } from "./node/user/userPlaces.js";
import { loadGitConfig, loadJobs, loadRuns, loadWorkspaceServers } from "./runtime/lazy.js";
import { localChanges } from "./runtime/localChanges.js";
import { Runtime } from "./runtime/runtime.js";
import { createProcessShell, createServices, type ServiceOptions } from "./runtime/services.js";
import { connectTeam, tryTeam } from "./runtime/teamConnection.js";
import type { ImportAccess } from "./vscode/imports/importSettings.js";
import { ChosenModel, Models } from "./vscode/model/chosenModel.js";
import type { Keys } from "./vscode/model/createKeys.js";
import { expertSettings } from "./vscode/settings/expertSettings.js";
import type { Settings } from "./vscode/settings/settings.js";
import { WindowTeam } from "./vscode/team/windowTeam.js";
import { t } from "./vscode/text/words.js";
import { EditorDiagnostics } from "./vscode/workspace/editorDiagnostics.js";
import { EditorTools } from "./vscode/workspace/editorTools.js";
import { TerminalShell } from "./vscode/workspace/terminalShell.js";
import { WindowView } from "./vscode/workspace/windowView.js";
import { WorkspaceDocuments } from "./vscode/workspace/workspaceDocuments.js";
import type {
  SessionLoader,
  SessionRuntime,
  SessionServices,
} from "./vscode/workspace/workspaceSession.js";

export interface WindowRuntimeOptions extends Keys {
  readonly settings: Settings;
  /** Learns each key when it is read. */
  readonly redactor: Redactor;
  readonly modelsWithoutTools: ModelsWithoutTools;
  /** The absolute path of the folder for data that is stored outside the workspaces. */
  readonly userData: string;
  /** The absolute path of the folder of VS Code's own files. */
  readonly editorFolder: string;
}

/**
 * The editor's part of the runtime: options and adapters from settings, keys and VS Code. With it most of the
 * product is loaded, so that it is imported when it is first needed.
 */
export class WindowRuntime {
  private readonly models: Models;
  /** The model for all modes that name no other. */
  readonly model: LanguageModel;
  readonly listModels = modelList;
  readonly findLocalServers = findLocalServers;

  constructor(private readonly options: WindowRuntimeOptions) {
    const { settings, modelKeys, webSearchKey } = options;
    // Learned at once: a command may print a key before any server has been called with it. A key that cannot be
    // read is reported when a server is called with it.
    const learn = (): void => {
      for (const { asked } of everyProfile(settings.models)) {
        modelKeys.read(asked).catch(() => undefined);
      }
      webSearchKey.read().catch(() => undefined);
    };
    learn();
    for (const { onDidChange } of [settings, modelKeys, webSearchKey]) onDidChange(learn);
    this.models = new Models(modelKeys, new ServerModels((profile) => modelKeys.read(profile)));
    this.model = new ChosenModel(this.models, () => askedModel(settings.models));
  }

  /** Returns whether commands can be sandboxed in a workspace, on this machine and with its settings. */
  async sandbox(folder: vscode.Uri): Promise<SandboxAbility> {
    const { settings } = this.options;
    if (settings.get("sandbox.enabled") === "off") {
      return { available: false, reason: words("The sandbox is switched off in your settings.") };
    }
    return commandShell(folder.fsPath, this.options).sandbox();
  }

  /** Returns facts about this machine and the state of a workspace. */
  async machineFacts(folder: vscode.Uri, overview: Overview): Promise<MachineFacts> {
    const { settings, modelKeys } = this.options;
    const root = folder.fsPath;
    const { profile, asked } = askedModel(settings.models);
    const files = new DiskFileSystem(root);
    const [git, ripgrep, shell, sandbox, key, notes] = await Promise.all([
      programFacts(findProgram(["git"], root)),
      programFacts(findRipgrep(root, this.options.editorFolder)),
      programFacts(new ProcessShell(root).path),
      this.sandbox(folder),
      asked && modelKeys.read(asked),
      instructionProblems(files, userPlaces(env), overview.experts),
    ]);
    return {
      node: versions.node,
      git,
      ripgrep,
      shell,
      sandbox,
      model:
        asked === undefined
          ? { problem: unknownProfile(profile).message }
          : asked.model === ""
            ? { problem: t("No model is chosen. Choose one with Rooroo: Select Model.") }
            : { name: asked.model, server: addressOf(asked), hasKey: key !== undefined },
      workspace: workspaceHealth(root, overview, notes),
    };
  }

  /** The absolute path of the user's list of MCP servers. */
  readonly mcpList = mcpList(env);

  /** Returns the MCP servers that a workspace names, for a person to look at. */
  async workspaceMcpServers(folder: vscode.Uri) {
    const root = folder.fsPath;
    const { userData, mcpInputs: inputs } = this.options;
    const permissions = new PermissionFile(userData, root);
    return loadWorkspaceServers({ root, env, permissions, inputs }, await this.sandbox(folder));
  }

  /** Returns what the configuration of a workspace's repository says, for a person to look at. */
  async gitConfig(folder: vscode.Uri) {
    const root = folder.fsPath;
    const permissions = new PermissionFile(this.options.userData, root);
    return loadGitConfig({ files: new DiskFileSystem(root), permissions });
  }

  /** Finds out whether a team's database can be used. Throws a `UserError` that says why not. */
  readonly tryTeam = tryTeam;

  /** Returns the places of this machine that an import of other tools' settings reads and writes. */
  importAccess(folder: vscode.Uri | undefined): ImportAccess {
    const home = homedir();
    return {
      files: new DiskFileSystem(folder?.fsPath ?? home),
      own: new DiskFileSystem(userFolder(env)),
      makeOwn: () => makeFolder(userFolder(env)),
      home,
      // The extensions of this window keep their files beside ours.
      storage: [dirname(this.options.userData)],
    };
  }

  /** Returns the changes of tasks in a folder, as its files have them at this moment. */
  changes({ files, signer, clock }: SessionServices): TaskChanges {
    const documents = new WorkspaceDocuments(files);
    return localChanges(files.absolute(""), { files, signer, clock, documents });
  }

  /**
   * Creates the runtime of a session in a folder.
   *
   * @param own the session's own services
   * @param given the receiver of events, and the services to which the Navigator hands jobs and runs
   */
  open(
    folder: vscode.Uri,
    own: SessionServices,
    approver: Approver,
    { conversations, ...given }: Parameters<SessionLoader["runtime"]>[0],
  ): SessionRuntime {
    const { settings, redactor, team: secrets } = this.options;
    const local = { ...own, documents: new WorkspaceDocuments(own.files) };
    const options = { ...this.serviceOptions(folder), ...given, local, approver };
    const { end, ...services } = createServices(options);
    const { navigator, dependencies } = new Runtime(services);
    const team = new WindowTeam({
      conversations,
      approver,
      local,
      secrets,
      emit: given.emit,
      connect: (address) => connectTeam(address, { root: folder.fsPath, local, redactor }),
      isLookedAt: () => vscode.window.state.focused,
    });
    return {
      navigator,
      team,
      overview: async () => team.overview(await navigator.overview()),
      dependencies,
      jobs: () => loadJobs(dependencies),
      runs: (say) => loadRuns(dependencies, () => settings.runsDirectory, say),
      end,
    };
  }

  private serviceOptions(
    folder: vscode.Uri,
  ): Omit<ServiceOptions, "local" | "approver" | "emit" | "works"> {
    const { settings, webSearchKey, redactor, userData, mcpInputs, modelsWithoutTools } =
      this.options;
    const root = folder.fsPath;
    const diagnostics = new EditorDiagnostics(folder);
    return {
      root,
      userData,
      mcpInputs,
      redactor,
      modelsWithoutTools,
      model: this.model,
      modelNamed: (name) => {
        return new ChosenModel(this.models, () => {
          const { profile, asked } = askedModel(settings.models);
          return { profile, asked: asked && { ...asked, model: name } };
        });
      },
      modelFor: (slug) => new ChosenModel(this.models, () => askedModel(settings.models, slug)),
      settings: () => expertSettings(settings),
      shell: commandShell(root, this.options),
      editorFolder: this.options.editorFolder,
      web: () => {
        const web = { privateHosts: settings.get("web.privateHosts") };
        const provider = settings.get("web.search.provider");
        if (provider === "none") return web;
        const address = settings.get("web.search.address");
        return { ...web, search: { provider, address, apiKey: () => webSearchKey.read() } };
      },
      diagnostics,
      editor: new WindowView(folder, diagnostics),
      hostTools: new EditorTools(() => settings.get("tools.vscode")),
    };
  }
}

/**
 * Returns the shell for commands: it uses processes, or terminals if the user wants to see commands
 * run.
 */
function commandShell(root: string, { settings, userData }: WindowRuntimeOptions): TerminalShell {
  const processes = createProcessShell(root, [userData]);
  const terminals = {
    processes,
    shellPath: () => processes.path,
    folder: (path: string) => resolve(root, path),
    command: () => terminalCommand(root),
    keep: (path: string | undefined, onLimit: (limit: string) => void) =>
      new OutputKeeper({ root, path, onLimit }),
  };
  return new TerminalShell(terminals, () => settings.get("commands.runIn") === "terminal");
}
