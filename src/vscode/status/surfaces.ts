import * as vscode from "vscode";
import type { LongWork, TaskId } from "../../core/ids.js";
import type { Clock } from "../../core/ports/system.js";
import type { Settings } from "../settings/settings.js";
import { QueueDragAndDrop } from "../tasks/queueOrder.js";
import type { QueuePlace } from "../tasks/queuePlaces.js";
import type { TaskList } from "../tasks/taskList.js";
import { t } from "../text/words.js";
import type { RowPages } from "../work/row.js";
import { RowTree } from "../work/rowTree.js";
import type { WorkRows } from "../work/workRows.js";
import { WorkView } from "../work/workView.js";
import { ContextKeys } from "./contextKeys.js";
import type { Status } from "./status.js";
import { StatusBar } from "./statusBar.js";

/** A kind of long work, whose rows are a group of the "Tasks" view. */
interface OtherWork {
  readonly kind: LongWork["kind"];
  readonly rows: Pick<WorkRows<unknown>, "group" | "onDidDraw" | "show">;
}

interface SurfaceDependencies {
  readonly tasks: TaskList;
  readonly works: readonly OtherWork[];
  readonly status: Status;
  readonly settings: Settings;
  readonly paging: RowPages;
  readonly clock: Clock;
  readonly moveInQueue: (taskId: TaskId, place: QueuePlace) => Promise<void>;
}

/** Keeps the "Tasks" view with all its groups, its badge, the status bar and the context keys up to date. */
export class Surfaces implements vscode.Disposable {
  readonly tree = new RowTree();
  readonly dragAndDrop: QueueDragAndDrop;
  readonly statusBar = new StatusBar();
  readonly view: WorkView<TaskList["overview"]>;
  private readonly keys = new ContextKeys();
  private readonly subscriptions: vscode.Disposable[];
  private readonly tasks: TaskList;
  private readonly works: readonly OtherWork[];
  private readonly status: Status;

  constructor({ tasks, works, status, settings, paging, clock, moveInQueue }: SurfaceDependencies) {
    this.tasks = tasks;
    this.works = works;
    this.status = status;
    const atWork = (overview: TaskList["overview"]) =>
      overview.tasks.filter(({ state }) => state === "running").length;
    this.dragAndDrop = new QueueDragAndDrop(this.tree, tasks, moveInQueue);
    this.view = new WorkView({
      id: "rooroo.tasks",
      list: tasks,
      tree: this.tree,
      redrawOn: [
        status.onDidChange,
        settings.onDidChange,
        ...works.map(({ rows }) => rows.onDidDraw),
      ],
      hasRows: ({ tasks, problems, away = [] }) =>
        away.length +
          tasks.length +
          problems.length +
          works.reduce((sum, { rows }) => sum + rows.group.rows.byId.size, 0) >
        0,
      load: async () => {
        const [{ taskRows }, { groupedRows }] = await Promise.all([
          import("../tasks/taskRows.js"),
          import("../work/groupedRows.js"),
        ]);
        return (overview) => {
          const rows = taskRows(overview, t, clock.now().getTime(), paging);
          const own = { rows, needsYou: status.waiting("task").length, running: atWork(overview) };
          const groups = [
            { kind: "task", ...own } as const,
            ...works.map(({ kind, rows: others }) => ({ kind, ...others.group })),
          ];
          return groupedRows(groups, t);
        };
      },
      needsYou: () => status.waiting().length,
      running: atWork,
      dragAndDrop: this.dragAndDrop,
    });
    const show = (): void => {
      this.show();
    };
    const over = new AbortController();
    void this.followTime(clock, over.signal);
    const ends = new vscode.Disposable(() => {
      over.abort();
    });
    this.subscriptions = [ends, tasks.onDidChange(show), status.onDidChange(show)];
  }

  /** Shows what is already known, and the rest once it has been read. */
  open(): void {
    this.show();
    this.status.refresh();
    this.tasks.watch();
  }

  /** Reveals and selects a row, if there is one with this id. */
  async reveal(id: string): Promise<void> {
    await this.view.reveal(id);
  }

  /** The id of the queued task that is selected in the tree. */
  get selectedTask(): string | undefined {
    return this.dragAndDrop.queuedTask(this.view.selected?.id);
  }

  /** Returns the id of the queued task whose row has the keyboard's focus, if there is one. */
  async focusedTask(): Promise<string | undefined> {
    const { focusedRow } = await import("../work/focusedRow.js");
    return this.dragAndDrop.queuedTask(await focusedRow(this.view));
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.view.dispose();
    this.statusBar.dispose();
  }

  /** Draws the rows again once a minute: what they say of times goes on while nothing else changes. */
  private async followTime(clock: Clock, signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        await clock.sleep(60_000, signal);
        // This view is drawn with them.
        if (vscode.window.state.focused) for (const { rows } of this.works) rows.show();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private show(): void {
    this.statusBar.show(this.status.current, this.tasks.overview.tasks);
    void this.keys.show(this.status.current);
  }
}
