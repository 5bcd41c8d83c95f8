import * as vscode from "vscode";
import type { JobOverview } from "../../core/jobs/jobOverview.js";
import type { JobList } from "./jobList.js";
import { type JobNode, jobRows } from "./jobRows.js";
import { jobTreeItem } from "./jobTreeItem.js";
import type { PanelApprover } from "../panel/panelApprover.js";
import { RowTree } from "../work/rowTree.js";

/** The "Jobs" view, with the number of open questions as its badge. */
export class JobsView implements vscode.Disposable {
  readonly tree = new RowTree<JobNode>(jobTreeItem);
  private readonly view: vscode.TreeView<string>;
  private readonly subscriptions: vscode.Disposable[];

  /** @param pid the id of this window's process */
  constructor(list: JobList, approver: PanelApprover, pid: number) {
    const show = () => {
      this.tree.show(jobRows(list.overview, { pid, waiting: approver.waitingTasks }));
      this.view.badge = badge(list.overview);
    };
    this.view = vscode.window.createTreeView("rooroo.jobs", { treeDataProvider: this.tree });
    this.subscriptions = [
      list.onDidChange(show),
      approver.onDidAsk(show),
      approver.onDidSettle(show),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        list.watch();
      }),
    ];
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.view.dispose();
    this.tree.dispose();
  }

  /** Reveals a job in the tree, if it is listed. */
  async reveal(stem: string): Promise<void> {
    const row = `job:${stem}`;
    if (this.tree.node(row) !== undefined) {
      await this.view.reveal(row, { select: true, focus: false, expand: true });
    }
  }
}

function badge(jobs: readonly JobOverview[]): vscode.ViewBadge | undefined {
  const open = jobs
    .filter(({ state }) => state !== "done")
    .flatMap(({ questions }) => questions.filter(({ answer }) => answer === null));
  if (open.length === 0) return undefined;
  return { value: open.length, tooltip: vscode.l10n.t("{0} questions of jobs wait", open.length) };
}
