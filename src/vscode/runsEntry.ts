import * as vscode from "vscode";
import * as z from "zod";
import type { FileSystem } from "../core/ports.js";
import type { Outcome } from "../core/navigator/outcome.js";
import type { RunsOverview } from "../core/runs/runOverview.js";
import { ResumeList } from "./resumeList.js";
import { RowTree } from "./rowTree.js";
import type { RunBoard } from "./runBoard.js";
import type { RunNode } from "./runRows.js";
import type { RunsPart, RunsParts } from "./runsPart.js";

type RunCommand = keyof RunsPart["commands"];
type Commands = Record<RunCommand, (argument: unknown) => Promise<void>>;

/** Of every command about runs. */
const commandIds: readonly RunCommand[] = [
  ...(["rooroo.startRun", "rooroo.confirmRun", "rooroo.changeProposal"] as const),
  ...(["rooroo.cancelRun", "rooroo.resumeRun", "rooroo.stopRun"] as const),
  ...(["rooroo.openRunOutputs", "rooroo.openProposal", "rooroo.openRunReport"] as const),
  "rooroo.openRunTable",
];

/** What a window has of runs before there are any: the view, and commands that load the rest. */
export class RunsEntry implements RunBoard, vscode.Disposable {
  overview: RunsOverview = { runs: [], problems: [] };
  private readonly changed = new vscode.EventEmitter<RunsOverview>();
  readonly onDidChange = this.changed.event;
  readonly tree: RowTree<RunNode>;
  private part: RunsPart | undefined;
  private loading: Promise<RunsPart> | undefined;
  private readonly view: vscode.TreeView<string>;
  private readonly mark: ResumeList<{ readonly name: string }>;
  private readonly subscriptions: vscode.Disposable[] = [];

  /** @param storage the extension's storage folder for this workspace */
  constructor(
    private readonly parts: Omit<RunsParts, "mark" | "tree">,
    storage: FileSystem | undefined,
  ) {
    const { log } = parts;
    this.mark = new ResumeList(storage, log, "runs.json", z.object({ name: z.string() }));
    this.tree = new RowTree((node) => this.part?.draw(node) ?? new vscode.TreeItem(""));
    this.view = vscode.window.createTreeView("rooroo.runs", { treeDataProvider: this.tree });
    this.subscriptions.push(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.watch();
      }),
      parts.settings.onDidChange(() => void this.loadIfAny()),
    );
  }

  get commands(): Commands {
    const command = (id: RunCommand) => async (argument: unknown) => {
      // Says why, where nothing can be done here.
      this.parts.workspace.require();
      await (await this.load()).commands[id](argument);
    };
    return Object.fromEntries(commandIds.map((id) => [id, command(id)])) as Commands;
  }

  /** Looks whether there are runs, now and whenever some come. */
  watch(): void {
    const { session } = this.parts.workspace;
    if (session === undefined) return;
    const look = () => void this.loadIfAny();
    // Files that come together with their folder can be missed.
    const pattern = new vscode.RelativePattern(
      session.folder,
      "**/{multiverse,db,process_runs.md}",
    );
    const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, true);
    watcher.onDidCreate(look);
    this.subscriptions.push(watcher, vscode.window.onDidChangeWindowState(look));
    look();
  }

  /** Loads what works on runs; throws `NotOpenError`. */
  load(): Promise<RunsPart> {
    this.parts.workspace.require();
    return (this.loading ??= this.make());
  }

  /** Begins a run, in the background. */
  async start(request: string): Promise<Outcome> {
    await (await this.load()).driver.start(request);
    return { status: "done" };
  }

  /** From now on what ends is cut off: the process ends, not the work. */
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

  private async make(): Promise<RunsPart> {
    const { RunsPart } = await import("./runsPart.js");
    const part = new RunsPart({ ...this.parts, mark: this.mark, tree: this.tree });
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
