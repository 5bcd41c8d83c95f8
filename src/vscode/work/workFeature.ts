import type * as vscode from "vscode";
import type { ConversationId, LongWork } from "../../core/ids.js";
import type { Outcome } from "../../core/navigator/tasks/outcome.js";
import { once } from "../../core/once.js";
import type { Beginning } from "../../core/work/requestedWork.js";
import type { Work, WorkAnswer } from "../../core/work/work.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { namedWork, type ResumeStore } from "../workspace/resumeStore.js";
import type { CommandHandlers } from "./commandHandlers.js";
import type { WaitingSource } from "./waiting.js";
import type { WatchedList } from "./watchedList.js";
import { WorkRows, type WorkRowsOptions } from "./workRows.js";

/** A list of one kind of long work. */
export interface WorkList {
  readonly works: readonly Work[];
  readonly onDidChange: vscode.Event<unknown>;
}

/**
 * What does one kind of long work in a window, and the commands for it.
 *
 * @typeParam Order what a person says of work that is to begin
 * @typeParam Surroundings what the commands need of the window
 */
export interface WorkController<Order, Surroundings> extends vscode.Disposable {
  /** Goes on with what a crash or a reload has interrupted. */
  resume(): Promise<void>;
  /**
   * Begins work in the background, shown in this conversation or else the side bar's.
   *
   * @param begun the request as it was written down, ended when the work's own records show it
   */
  begin(order: Order, conversation: ConversationId | undefined, begun: Beginning): Promise<void>;
  /**
   * Answers what the page shows of a piece of work. Throws a `UserError` if that is not asked any more.
   *
   * @param id the question's or the proposal's
   */
  answer(name: string, id: string, answer: WorkAnswer): Promise<void>;
  commands(surroundings: Surroundings): CommandHandlers;
  /** Ends this window's part: work that ends later counts as interrupted and stays recorded for the next window. */
  end(): void;
}

interface WorkFeatureOptions<Model, Order, Surroundings> {
  readonly kind: LongWork["kind"];
  readonly list: WatchedList<Model> & WorkList;
  readonly workspace: CurrentWorkspace;
  readonly waiting: WaitingSource;
  readonly resumeStore: ResumeStore;
  readonly rows: Pick<WorkRowsOptions<Model>, "hasRows" | "load" | "redrawOn">;
  /** Loads what does the work; called once at most. */
  readonly load: (
    feature: WorkFeature<Model, Order, Surroundings>,
  ) => Promise<WorkController<Order, Surroundings>>;
  /** What else there is for the kind of work while the window is open. */
  readonly also?: readonly vscode.Disposable[];
}

/**
 * One kind of long work in a window: its list, and its rows as a group of the "Tasks" view. What does the work is loaded
 * when a command is called, or when there is something to do.
 */
export class WorkFeature<Model, Order, Surroundings> implements vscode.Disposable {
  readonly kind: LongWork["kind"];
  readonly list: WatchedList<Model> & WorkList;
  readonly rows: WorkRows<Model>;
  /** Loads what does the work. */
  readonly controller: () => Promise<WorkController<Order, Surroundings>>;
  private loaded: WorkController<Order, Surroundings> | undefined;

  constructor(private readonly options: WorkFeatureOptions<Model, Order, Surroundings>) {
    const { kind, list, waiting, rows, load } = options;
    this.kind = kind;
    this.list = list;
    this.rows = new WorkRows({
      ...rows,
      list,
      redrawOn: [waiting.onDidChange, ...(rows.redrawOn ?? [])],
      needsYou: () => waiting.waiting(kind).length,
      running: () => list.works.filter(({ isAtWork }) => isAtWork).length,
    });
    this.controller = once(async () => {
      this.loaded = await load(this);
      await this.loaded.resume();
      return this.loaded;
    });
  }

  /** Shows what there is, and goes on with what a crash or a reload has interrupted. */
  async start(): Promise<void> {
    this.list.watch();
    const interrupted = await this.options.resumeStore.record(this.kind, namedWork).read();
    if (interrupted.length > 0) await this.controller();
  }

  /** Does the same as {@link WorkController.begin}. Throws `NotOpenError`, which explains why nothing can run here. */
  async begin(
    order: Order,
    conversation: ConversationId | undefined,
    begun: Beginning,
  ): Promise<Outcome> {
    try {
      this.options.workspace.require();
      await (await this.controller()).begin(order, conversation, begun);
    } catch (error) {
      await begun.end();
      throw error;
    }
    return { status: "done" };
  }

  /** Does the same as {@link WorkController.answer}. Throws `NotOpenError`. */
  async answer(name: string, id: string, answer: WorkAnswer): Promise<void> {
    this.options.workspace.require();
    await (await this.controller()).answer(name, id, answer);
  }

  /** Returns the commands for this kind of work. Throws `NotOpenError`. */
  async commands(surroundings: Surroundings): Promise<CommandHandlers> {
    this.options.workspace.require();
    return (await this.controller()).commands(surroundings);
  }

  /** Does the same as {@link WorkController.end}. */
  end(): void {
    this.loaded?.end();
  }

  dispose(): void {
    this.loaded?.dispose();
    for (const one of [...(this.options.also ?? []), this.rows, this.list]) one.dispose();
  }
}
