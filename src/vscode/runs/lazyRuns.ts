import * as vscode from "vscode";
import * as z from "zod";
import type { FileSystem } from "../../core/ports.js";
import type { Outcome } from "../../core/navigator/outcome.js";
import type { RunsOverview } from "../../core/runs/runOverview.js";
import { ResumeStore } from "../work/resumeStore.js";
import { RowTree } from "../work/rowTree.js";
import type { RunViewModel } from "./runViewModel.js";
import type { RunNode } from "./runRows.js";
import type { RunsFeature, RunsFeatureOptions } from "./runsFeature.js";

type RunCommand = keyof RunsFeature["commands"];
type Commands = Record<RunCommand, (argument: unknown) => Promise<void>>;

/** The ids of all commands about runs. */
const commandIds: readonly RunCommand[] = [
  ...(["rooroo.startRun", "rooroo.confirmRun", "rooroo.changeProposal"] as const),
  ...(["rooroo.cancelRun", "rooroo.resumeRun", "rooroo.stopRun"] as const),
  ...(["rooroo.openRunOutputs", "rooroo.openProposal", "rooroo.openRunReport"] as const),
  "rooroo.openRunTable",
];

/** The part of the runs feature that every window has: the view, and commands that load the rest. */
export class LazyRuns implements RunViewModel, vscode.Disposable {
  overview: RunsOverview = { runs: [], problems: [] };
  private readonly changed = new vscode.EventEmitter<RunsOverview>();
  readonly onDidChange = this.changed.event;
  readonly tree: RowTree<RunNode>;
  private part: RunsFeature | undefined;
  private loading: Promise<RunsFeature> | undefined;
  private readonly view: vscode.TreeView<string>;
  private readonly mark: ResumeStore<{ readonly name: string }>;
  private readonly subscriptions: vscode.Disposable[] = [];
  private isChatShown = () => false;

  /** @param storage the extension's storage folder for this workspace */
  constructor(
    private readonly parts: Omit<RunsFeatureOptions, "mark" | "tree" | "isChatShown">,
    storage: FileSystem | undefined,
  ) {
    const { log } = parts;
    this.mark = new ResumeStore(storage, log, "runs.json", z.object({ name: z.string() }));
    this.tree = new RowTree((node) => this.part?.draw(node) ?? new vscode.TreeItem(""));
    this.view = vscode.window.createTreeView("rooroo.runs", { treeDataProvider: this.tree });
    this.subscriptions.push(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.watch(this.isChatShown);
      }),
      parts.settings.onDidChange(() => void this.loadIfAny()),
    );
  }

  get commands(): Commands {
    const command = (id: RunCommand) => async (argument: unknown) => {
      // Throws the error that explains why nothing can run here.
      this.parts.workspace.require();
      await (await this.load()).commands[id](argument);
    };
    return Object.fromEntries(commandIds.map((id) => [id, command(id)])) as Commands;
  }

  /**
   * Loads the rest if there are runs, now or as soon as some appear.
   *
   * @param isChatShown returns whether the user sees the conversation
   */
  watch(isChatShown: () => boolean): void {
    this.isChatShown = isChatShown;
    const { session } = this.parts.workspace;
    if (session === undefined) return;
    const look = () => void this.loadIfAny();
    // VS Code can miss files that are created together with their folder.
    const pattern = new vscode.RelativePattern(
      session.folder,
      "**/{multiverse,db,process_runs.md}",
    );
    const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, true);
    watcher.onDidCreate(look);
    this.subscriptions.push(watcher, vscode.window.onDidChangeWindowState(look));
    look();
  }

  /** Loads the rest of the runs feature. Throws `NotOpenError`. */
  load(): Promise<RunsFeature> {
    this.parts.workspace.require();
    return (this.loading ??= this.make());
  }

  /** Starts a run in the background. */
  async start(request: string): Promise<Outcome> {
    await (await this.load()).driver.start(request);
    return { status: "done" };
  }

  /** From now on, a run that ends counts as interrupted: it stays marked for the next window to resume. */
  end(): void {
    this.part?.driver.dispose();
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.part?.dispose();
    this.view.dispose();
    this.tree.dispose();
    this.changed.dispose();
  }

  private async make(): Promise<RunsFeature> {
    const { RunsFeature } = await import("./runsFeature.js");
    const part = new RunsFeature({
      ...this.parts,
      mark: this.mark,
      tree: this.tree,
      isChatShown: () => this.isChatShown(),
    });
    this.part = part;
    part.list.onDidChange((overview) => {
      this.overview = overview;
      this.view.badge = badge(overview);
      this.changed.fire(overview);
    });
    part.open();
    return part;
  }

  private async loadIfAny(): Promise<void> {
    const { workspace, settings } = this.parts;
    const { session } = workspace;
    if (session === undefined || this.loading !== undefined) return;
    const given = settings.runsDirectory;
    const roots = given === undefined ? ["", "multiverse/"] : [`${given}/`];
    const found = await Promise.all(
      roots.map((root) => session.files.stat(`${root}db/process_runs.md`).catch(() => undefined)),
    );
    if (found.some((entry) => entry !== undefined)) await this.load();
  }
}

function badge({ runs }: RunsOverview): vscode.ViewBadge | undefined {
  const value = runs.filter(({ state }) => state === "needsYou").length;
  if (value === 0) return undefined;
  return { value, tooltip: vscode.l10n.t("{0} runs wait for your word", value) };
}
