import { resolve } from "node:path";
import { env, versions } from "node:process";
import type * as vscode from "vscode";
import type { Approver } from "./core/approvals/approver.js";
import { noDocuments } from "./core/changes/noDocuments.js";
import { TaskChanges } from "./core/changes/taskChanges.js";
import type { JobService } from "./core/navigator/jobService.js";
import type { RunService } from "./core/navigator/runService.js";
import { Navigator } from "./core/navigator/navigator.js";
import { tasksFolder } from "./core/navigator/taskStore.js";
import type { NavigatorWorld } from "./core/navigator/world.js";
import type { MachineFacts } from "./core/machineReport.js";
import type { Overview } from "./core/navigator/overview.js";
import { workspaceHealth } from "./core/navigator/workspaceHealth.js";
import type { LanguageModel, SandboxAbility } from "./core/ports.js";
import type { Redactor } from "./core/redactor.js";
import { BashParser } from "./node/shell/bashParser.js";
import { LateCharts } from "./node/charts/lateCharts.js";
import { createSearch } from "./node/search/createSearch.js";
import { findProgram } from "./node/shell/findProgram.js";
import { programFacts } from "./node/shell/programFacts.js";
import { findLocalServers } from "./node/model/findLocalServers.js";
import { GrantFile } from "./node/user/grantFile.js";
import { LateWeb } from "./node/web/lateWeb.js";
import { modelList } from "./node/model/modelList.js";
import { ModelWindows } from "./node/model/modelWindows.js";
import { OpenAiModel } from "./node/model/openAiModel.js";
import { OutputKeeper } from "./node/shell/outputKeeper.js";
import { ProcessShell } from "./node/shell/processShell.js";
import { sandboxPlaces } from "./node/sandbox/sandboxPlaces.js";
import { SearchService } from "./node/web/searchService.js";
import { terminalCommand } from "./node/shell/terminalCommand.js";
import { TimedPatterns } from "./node/search/timedPatterns.js";
import { UsageFile } from "./node/user/usageFile.js";
import type { ApiKey } from "./vscode/model/apiKey.js";
import { ChosenModel, Models } from "./vscode/model/chosenModel.js";
import { EditorDiagnostics } from "./vscode/workspace/editorDiagnostics.js";
import { EditorTools } from "./vscode/workspace/editorTools.js";
import { modelOptions } from "./vscode/model/modelOptions.js";
import type { Settings } from "./vscode/settings/settings.js";
import { TerminalShell } from "./vscode/workspace/terminalShell.js";
import type { SessionWork, SessionWorld } from "./vscode/workspace/workspaceSession.js";

/** The services to which a window's Navigator hands long work. */
export interface Services {
  readonly jobs: JobService;
  readonly runs: RunService;
}

export interface WorkshopOptions {
  readonly settings: Settings;
  readonly apiKey: ApiKey;
  readonly webSearchKey: ApiKey;
  /** Learns each key when it is read. */
  readonly redactor: Redactor;
  /** The absolute path of the folder for data that is stored outside the workspaces. */
  readonly kept: string;
}

/**
 * Creates a window's Navigators and their dependencies. It is most of the product, and loaded when it
 * is first needed.
 */
export class Workshop {
  private readonly models: Models;
  /** The model for all modes that name no other. */
  readonly model: LanguageModel;
  readonly listModels = modelList;
  readonly findLocalServers = findLocalServers;

  constructor(private readonly options: WorkshopOptions) {
    const { settings, apiKey, webSearchKey } = options;
    // Learned at once: a command may print a key before any server has been called with it.
    for (const key of [apiKey, webSearchKey]) {
      const learn = (): void => {
        // An unreadable key is reported when a server is called with it.
        key.read().catch(() => undefined);
      };
      learn();
      key.onDidChange(learn);
    }
    const windows = new ModelWindows();
    this.models = new Models(
      (name, own) => new OpenAiModel(() => modelOptions(settings, apiKey, name, own), windows),
    );
    this.model = new ChosenModel(this.models, settings, apiKey);
  }

  /** Returns whether commands can be sandboxed in a workspace, on this machine and with its settings. */
  async sandbox(folder: vscode.Uri): Promise<SandboxAbility> {
    const { settings } = this.options;
    if (settings.read().sandbox.enabled === "off") {
      return { available: false, reason: "The sandbox is switched off in your settings." };
    }
    return commandShell(folder.fsPath, this.options).sandbox();
  }

  /** Returns facts about this machine and the state of a workspace. */
  async machineFacts(folder: vscode.Uri, overview: Overview): Promise<MachineFacts> {
    const { settings, apiKey } = this.options;
    const root = folder.fsPath;
    const { ripgrepPath, model } = settings.read();
    const [git, ripgrep, shell, sandbox, key] = await Promise.all([
      programFacts(findProgram(["git"], root)),
      programFacts(ripgrepPath === "" ? findProgram(["rg"], root) : ripgrepPath),
      programFacts(new ProcessShell(root).path),
      this.sandbox(folder),
      apiKey.read(),
    ]);
    return {
      node: versions.node,
      git,
      ripgrep,
      shell,
      sandbox,
      model:
        this.model.name === ""
          ? { problem: "No model is chosen. Choose one with Rooroo: Select Model." }
          : { name: this.model.name, server: model.baseUrl, hasKey: key !== undefined },
      workspace: workspaceHealth(root, overview),
    };
  }

  /**
   * Creates the services that do a session's work in a folder.
   *
   * @param world the session's own services
   */
  in(folder: vscode.Uri, world: SessionWorld, approver: Approver, services: Services): SessionWork {
    const { files, signer, clock, documents = noDocuments } = world;
    return {
      navigator: (emit) => {
        return new Navigator({ ...this.world(folder, world, approver, emit), ...services });
      },
      changes: () => new TaskChanges({ files, signer, clock, documents }, tasksFolder),
      jobs: async (navigator) => {
        const { experts, files: own, lock, publisher } = navigator.shared;
        const { Jobs } = await import("./core/jobs/jobs.js");
        return new Jobs({ experts, files: own, lock, publisher });
      },
      runs: async (navigator, say) => {
        const { experts, files: own, lock, publisher } = navigator.shared;
        const [{ Runs }, { findLayout }] = await Promise.all([
          import("./core/runs/runs.js"),
          import("./core/runs/runLayout.js"),
        ]);
        const { settings } = this.options;
        return new Runs({
          experts,
          files: own,
          lock,
          layout: () => findLayout(own, settings.runsDirectory),
          publisher,
          say,
        });
      },
    };
  }

  private world(
    folder: vscode.Uri,
    world: SessionWorld,
    approver: Approver,
    emit: NavigatorWorld["emit"],
  ): NavigatorWorld {
    const { settings, apiKey, webSearchKey, redactor, kept } = this.options;
    const root = folder.fsPath;
    const search = () => createSearch(root, settings.read().ripgrepPath);
    return {
      ...world,
      approver,
      emit,
      redactor,
      model: this.model,
      modelNamed: (name) => this.models.get(name),
      modelFor: (slug) => new ChosenModel(this.models, settings, apiKey, slug),
      settings: () => {
        const values = settings.read();
        return { ...values, contextTokens: values.model.contextTokens };
      },
      shell: commandShell(root, this.options),
      parser: new BashParser(),
      search: {
        matches: (query, signal) => search().matches(query, signal),
        files: (query, signal) => search().files(query, signal),
        ignored: (paths) => search().ignored(paths),
      },
      patterns: new TimedPatterns(),
      web: new LateWeb(() => settings.read().web),
      webSearch: () => {
        const { provider, address } = settings.read().web.search;
        if (provider === "none") return undefined;
        return new SearchService({ provider, address, apiKey: () => webSearchKey.read() });
      },
      charts: new LateCharts(),
      diagnostics: new EditorDiagnostics(folder),
      hostTools: new EditorTools(() => settings.read().editorTools),
      grantStore: new GrantFile(kept, root),
      usageLog: new UsageFile(kept),
    };
  }
}

/**
 * Returns the shell for commands: it uses processes, or terminals if the user wants to see commands
 * run.
 */
function commandShell(root: string, { settings, kept }: WorkshopOptions): TerminalShell {
  const processes = new ProcessShell(root, { sandbox: sandboxPlaces(env, [kept]) });
  const world = {
    processes,
    shellPath: () => processes.path,
    folder: (path: string) => resolve(root, path),
    command: () => terminalCommand(root),
    keep: (path: string | undefined, onLimit: (limit: string) => void) =>
      new OutputKeeper({ root, path, onLimit }),
  };
  return new TerminalShell(world, () => settings.read().runIn === "terminal");
}
