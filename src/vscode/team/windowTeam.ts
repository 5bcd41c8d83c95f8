import type * as vscode from "vscode";
import { anyExpert } from "../../core/documents/queue.js";
import { saidBy, UserError } from "../../core/errors.js";
import type { ConversationId, TaskId } from "../../core/ids.js";
import type {
  AwayPlan,
  AwayTask,
  Overview,
  TaskView,
} from "../../core/navigator/overview/overview.js";
import { PlanTasks } from "../../core/navigator/queue/planTasks.js";
import { QueueStore } from "../../core/navigator/queue/queueStore.js";
import { TaskStore } from "../../core/navigator/tasks/taskStore.js";
import { oddRowError } from "../../core/team/oddRow.js";
import { SentPlans } from "../../core/team/sentPlans.js";
import type { TeamAddress } from "../../core/team/teamAddress.js";
import { saidIn } from "../../core/team/teamAsk.js";
import type { OpenPlan, TeamLink } from "../../core/team/teamLink.js";
import { TeamWatch } from "../../core/team/teamWatch.js";
import { spoken } from "../../core/text/words.js";
import type { TeamSecrets } from "../model/teamSecrets.js";
import { t } from "../text/words.js";
import { NotOpenError } from "../workspace/currentWorkspace.js";
import type { SessionServices } from "../workspace/workspaceSession.js";
import { type AwayAsk, TeamCards, type TeamCardsOptions } from "./teamCards.js";

interface Connection {
  readonly plans: TeamLink;
  close(): Promise<void>;
}

export interface WindowTeamOptions extends Pick<
  TeamCardsOptions,
  "conversations" | "approver" | "emit"
> {
  readonly local: SessionServices;
  readonly secrets: Pick<TeamSecrets, "read" | "onDidChange">;
  /** Loads what speaks with the database, and opens it. */
  readonly connect: (address: TeamAddress) => Promise<Connection>;
  readonly isLookedAt: () => boolean;
}

/** What is known of a plan that was sent. */
interface About {
  readonly goal: string;
  readonly conversation: ConversationId | undefined;
  readonly tasks: ReadonlyMap<TaskId, { readonly mode: string; readonly goal: string }>;
}

/** The plans of a window's folder that other machines work on. Nothing is connected before one was sent. */
export class WindowTeam implements vscode.Disposable {
  readonly #sent: SentPlans;
  readonly #watch: TeamWatch;
  readonly #cards: TeamCards;
  readonly #tasks: PlanTasks;
  readonly #store: TaskStore;
  readonly #about = new Map<string, Promise<About>>();
  readonly #subscription: vscode.Disposable;
  #connection: Promise<Connection> | undefined;
  #isOver = false;
  #latest: readonly AwayPlan[] = [];

  constructor(private readonly options: WindowTeamOptions) {
    const { local, secrets, emit, isLookedAt } = options;
    const { files, signer, clock, lock, ids } = local;
    this.#sent = new SentPlans(files, signer);
    this.#store = new TaskStore(files, clock, signer);
    const queue = new QueueStore(files, lock, anyExpert);
    this.#tasks = new PlanTasks({ files, lock, store: this.#store, queue });
    this.#watch = new TeamWatch({
      sent: () => this.#sent.all(),
      link: async () => (await this.#connected())?.plans,
      clock,
      isLookedAt,
      onChange: () => {
        emit({ type: "tasksChanged", at: clock.now().toISOString() });
      },
    });
    this.#cards = new TeamCards({
      ...options,
      clock,
      ids,
      answer: async (ask, said) => {
        const isFirst = await (await this.link()).answer(ask, said);
        void this.#watch.look();
        return isFirst;
      },
    });
    this.#subscription = secrets.onDidChange(() => {
      void this.#reconnect();
    });
  }

  dispose(): void {
    void this.end();
  }

  /** Ends what is followed, and the connection, for a window that closes. Nothing of it is told. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#subscription.dispose();
    this.#watch.stop();
    this.#cards.dispose();
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.then((one) => one.close()).catch(() => undefined);
  }

  /** Returns access to the team. Throws a `UserError` if there is no address, or the database cannot be used. */
  async link(): Promise<TeamLink> {
    const connection = await this.#connected();
    if (connection !== undefined) return connection.plans;
    throw new NotOpenError(
      "teamDatabaseUnset",
      "No team database is set, so there is nobody to send plans to. Set one with “Set Team Database…”.",
      { label: t("Set Team Database…"), command: "rooroo.setTeamDatabase" },
    );
  }

  /** Asks the team how far the plans are, at once. */
  async refresh(): Promise<void> {
    await this.#watch.restart();
    const { problem } = this.#watch;
    if (problem instanceof Error) throw problem;
  }

  /** Has the team forget plans that have landed or were discarded here, if it can be reached. */
  async tidy(): Promise<void> {
    if (!(await this.#sent.all()).some(({ phase }) => phase === "received")) return;
    const connection = await this.#connected().catch(() => undefined);
    await connection?.plans.tidy();
  }

  /** Adds what is away to what is here, and shows in the conversations how far it is. */
  async overview(here: Overview): Promise<Overview> {
    const open = await this.#watch.plans();
    this.#latest = await Promise.all(open.map((one) => this.#view(one)));
    const asks = this.#asks();
    const isCurrent = !this.#watch.isUnset && this.#watch.problem === undefined;
    await this.#cards.show(this.#latest, asks, isCurrent);
    if (this.#latest.length === 0) return here;
    const ids = new Set(this.#latest.map(({ planId }) => planId));
    const places = (here.places ?? []).filter(({ planId }) => !ids.has(planId));
    return {
      ...here,
      places,
      tasks: [...here.tasks, ...asks.map((ask) => this.#asking(ask))],
      away: this.#latest,
    };
  }

  /** Answers the question of a task that is away. Returns `false` if no task with this id is. */
  async answer(taskId: TaskId, text: string): Promise<boolean> {
    const isAway = this.#latest.some(({ tasks }) => tasks.some((task) => task.taskId === taskId));
    if (!isAway) return false;
    const ask = this.#asks().find((one) => one.taskId === taskId && one.asked.kind === "question");
    if (ask === undefined) {
      throw new UserError(
        "teamQuestionGone",
        "This question does not wait for an answer any more.",
      );
    }
    await this.#cards.answer(ask, text);
    return true;
  }

  #asks(): AwayAsk[] {
    return this.#watch.asks.flatMap((ask) => {
      const plan = this.#latest.find(({ planId }) => planId === ask.planId);
      const task = plan?.tasks.find(({ taskId }) => taskId === ask.taskId);
      if (plan === undefined || task === undefined) return [];
      const { machine = "?", attempt = 1, mode } = task;
      return [{ ...ask, machine, attempt, mode, conversation: plan.conversation }];
    });
  }

  #asking({ taskId, planId, asked, machine, attempt, mode, conversation }: AwayAsk): TaskView {
    const { id: questionId, kind, title: text, suggestions = [] } = asked;
    const plan = this.#latest.find((one) => one.planId === planId);
    return {
      taskId,
      mode,
      goal: plan?.tasks.find((task) => task.taskId === taskId)?.goal ?? taskId,
      state: "needsYou",
      planId,
      ...(conversation === undefined ? {} : { conversation }),
      ...(kind === "question"
        ? { question: { questionId, text, suggestions } }
        : { message: saidIn(asked, "title") }),
      away: { machine, attempt },
      changedAt: 0,
    };
  }

  async #view({ plan, status, odd: [row] = [] }: OpenPlan): Promise<AwayPlan> {
    const about = await this.#aboutPlan(plan.planId, plan.tasks);
    const tasks = plan.tasks.map(({ id: taskId }): AwayTask => {
      const found = status?.progress.find(({ id }) => id === taskId);
      const { mode = "", goal = taskId } = about.tasks.get(taskId) ?? {};
      if (found === undefined) return { taskId, mode, goal, state: "unknown" };
      const { state, machine, attempt } = found;
      return { taskId, mode, goal, state, ...(machine !== undefined && { machine, attempt }) };
    });
    const { isUnset } = this.#watch;
    const problem = this.#watch.problem ?? (row && oddRowError(row));
    const said =
      problem !== undefined
        ? spoken(saidBy(problem), t)
        : isUnset
          ? t("No team database is set.")
          : undefined;
    return {
      planId: plan.planId,
      goal: about.goal,
      ...(about.conversation !== undefined && { conversation: about.conversation }),
      state: status?.state ?? "unknown",
      ...(said !== undefined && { problem: said }),
      tasks,
    };
  }

  #aboutPlan(planId: string, sent: readonly { readonly id: TaskId }[]): Promise<About> {
    const found = this.#about.get(planId) ?? this.#readAbout(planId, sent);
    this.#about.set(planId, found);
    return found;
  }

  async #readAbout(planId: string, sent: readonly { readonly id: TaskId }[]): Promise<About> {
    const tasks = new Map<TaskId, { mode: string; goal: string }>();
    for (const { id } of sent) {
      const record = await this.#store.readRecord(id);
      if (record) tasks.set(id, { mode: record.mode, goal: record.goal });
    }
    return {
      goal: (await this.#tasks.goalOf(planId)) ?? [...tasks.values()][0]?.goal ?? planId,
      conversation: await this.#tasks.conversationOf(planId),
      tasks,
    };
  }

  async #connected(): Promise<Connection | undefined> {
    if (this.#connection === undefined) {
      const { secrets, connect } = this.options;
      const address = await secrets.read();
      if (address === undefined || this.#isOver) return undefined;
      this.#connection ??= connect(address);
    }
    const opening = this.#connection;
    try {
      return await opening;
    } catch (error) {
      if (this.#connection === opening) this.#connection = undefined;
      throw error;
    }
  }

  /** Takes the address that is stored now. */
  async #reconnect(): Promise<void> {
    const before = this.#connection;
    this.#connection = undefined;
    await before?.then((one) => one.close()).catch(() => undefined);
    await this.#watch.restart();
  }
}
