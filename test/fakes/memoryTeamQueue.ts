import type {
  KnownPlans,
  TeamAnswer,
  TeamAsk,
  TeamClaim,
  TeamPlan,
  TeamPlanStatus,
  TeamQueue,
  TeamTaskState,
  TeamWorker,
} from "../../src/core/ports/teamQueue.js";

interface Task {
  readonly id: string;
  readonly labels: readonly string[];
  state: TeamTaskState;
  attempt: number;
  /** The call of the model that the attempt is at. */
  call: number | undefined;
  /** The calls at which attempts have ended without a result, since a person was asked last. */
  deaths: number[];
  machine: string | undefined;
  wip: string | undefined;
  result: string | undefined;
  /** Whether it rests before the next attempt. */
  rests: boolean;
}

interface Plan {
  readonly plan: TeamPlan;
  state: TeamPlanStatus["state"];
  readonly tasks: Task[];
  /** The days since its sender has needed it no more. */
  forgotten?: number;
}

interface Ask extends TeamAsk {
  readonly taskId: string;
  answer: TeamAnswer | undefined;
  used: boolean;
}

/** A team's queue in this process. */
export class MemoryTeamQueue implements TeamQueue {
  readonly #plans: Plan[] = [];
  readonly #asks: Ask[] = [];
  /** The tasks whose workers do not beat any more, until {@link takeOver}. */
  readonly #silent = new Set<string>();
  readonly #ready = new Map<() => void, TeamWorker>();
  readonly #changed = new Set<(planId?: string) => void>();

  /** Makes a worker silent for so long that its task may be given to another. */
  silence({ taskId }: TeamClaim): void {
    this.#silent.add(taskId);
  }

  send(plan: TeamPlan): Promise<boolean> {
    if (this.#plans.some((one) => one.plan.id === plan.id)) return Promise.resolve(false);
    const tasks = plan.tasks.map(({ id, labels }, place): Task => {
      const state = place === 0 ? "queued" : "waiting";
      const rest = { machine: undefined, call: undefined, wip: undefined, result: undefined };
      return { id, labels, state, attempt: 0, deaths: [], rests: false, ...rest };
    });
    const added: Plan = { plan, state: "open", tasks };
    this.#plans.push(added);
    if (tasks[0] !== undefined) this.#tellReady(added, tasks[0]);
    return Promise.resolve(true);
  }

  claim(worker: TeamWorker, most: number): Promise<readonly TeamClaim[]> {
    const claims: TeamClaim[] = [];
    for (let claim = this.#claim(worker); claim !== undefined; claim = this.#claim(worker)) {
      claims.push(claim);
      if (claims.length === most) break;
    }
    return Promise.resolve(claims);
  }

  onReady(worker: TeamWorker, heard: () => void): () => void {
    this.#ready.set(heard, worker);
    queueMicrotask(heard);
    return () => this.#ready.delete(heard);
  }

  onChanged(heard: (planId?: string) => void): () => void {
    this.#changed.add(heard);
    queueMicrotask(heard);
    return () => this.#changed.delete(heard);
  }

  async beat(claims: readonly TeamClaim[]): Promise<ReadonlySet<TeamClaim>> {
    const held = new Set<TeamClaim>();
    for (const claim of claims) {
      if (!(await this.#fenced(claim, () => true))) continue;
      this.#silent.delete(claim.taskId);
      held.add(claim);
    }
    return held;
  }

  asksModel(claim: TeamClaim, call: number): Promise<boolean> {
    return this.#fenced(claim, (_plan, task) => {
      task.call = call;
      return true;
    });
  }

  saved(claim: TeamClaim, commit: string): Promise<boolean> {
    return this.#fenced(claim, (_plan, task) => {
      task.wip = commit;
      return true;
    });
  }

  ask(claim: TeamClaim, ask: TeamAsk, commit: string): Promise<boolean> {
    return this.#fenced(claim, (plan, task) => {
      this.#asks.push({ ...ask, taskId: task.id, answer: undefined, used: false });
      task.state = "asking";
      task.call = undefined;
      task.deaths = [];
      task.wip = commit;
      this.#tellChanged(plan);
      return true;
    });
  }

  useAnswer(claim: TeamClaim, askId: string): Promise<boolean> {
    return this.#fenced(claim, (_plan, task) => {
      const ask = this.#asks.find(({ id, taskId }) => id === askId && taskId === task.id);
      if (ask?.answer === undefined || ask.used) return false;
      ask.used = true;
      return true;
    });
  }

  settle(claim: TeamClaim, end: "done" | "failed", commit: string): Promise<boolean> {
    return this.#fenced(claim, (plan, task) => {
      this.#end(plan, task, end, commit);
      const next = plan.tasks.find(({ state }) => state === "queued");
      if (next !== undefined && String(next.labels) !== String(task.labels)) {
        this.#tellReady(plan, next);
      }
      return true;
    });
  }

  release(claim: TeamClaim, { stopped }: { stopped: boolean }): Promise<boolean> {
    return this.#fenced(claim, (plan, task) => {
      task.state = "queued";
      task.rests = !stopped;
      if (stopped) task.call = undefined;
      countDeath(task);
      if (stopped) this.#tellReady(plan, task);
      return true;
    });
  }

  answer(askId: string, answer: TeamAnswer): Promise<boolean> {
    const ask = this.#asks.find(({ id, kind }) => id === askId && kind === answer.kind);
    if (ask === undefined || ask.answer !== undefined) return Promise.resolve(false);
    ask.answer = answer;
    for (const plan of this.#plans) {
      const task = plan.tasks.find(({ id }) => id === ask.taskId);
      if (task?.state !== "asking") continue;
      task.state = "queued";
      this.#tellChanged(plan);
      this.#tellReady(plan, task);
    }
    return Promise.resolve(true);
  }

  cancel(planId: string): Promise<boolean> {
    const found = this.#plans.find(({ plan, state }) => plan.id === planId && state === "open");
    if (found !== undefined) {
      found.state = "cancelled";
      this.#tellChanged(found);
    }
    return Promise.resolve(found !== undefined);
  }

  plans(ids: readonly string[]): Promise<KnownPlans> {
    const wanted = ids.flatMap((id) => this.#plans.filter(({ plan }) => plan.id === id));
    const plans = wanted.map(({ plan, state, tasks }) => ({
      ...plan,
      state,
      progress: tasks.map((task) => ({
        id: task.id,
        state: task.state,
        attempt: task.attempt,
        machine: task.machine,
        commit: task.result ?? task.wip,
        asks: this.#asks
          .filter(({ taskId, answer }) => taskId === task.id && answer === undefined)
          .map(({ id, kind, subject }) => ({ id, kind, subject })),
      })),
    }));
    return Promise.resolve({ plans, odd: [] });
  }

  forget(planId: string): Promise<void> {
    const found = this.#plans.find(({ plan, state }) => plan.id === planId && state !== "open");
    if (found !== undefined) found.forgotten ??= 0;
    return Promise.resolve();
  }

  /** Lets days pass. */
  age(days: number): void {
    for (const one of this.#plans) if (one.forgotten !== undefined) one.forgotten += days;
  }

  clean(days: number): Promise<void> {
    const kept = this.#plans.filter(({ forgotten = 0 }) => forgotten <= days);
    this.#plans.splice(0, Infinity, ...kept);
    return Promise.resolve();
  }

  takeOver(): Promise<void> {
    for (const plan of this.#plans) {
      for (const task of plan.tasks) {
        if (!this.#silent.delete(task.id) || task.state !== "running") continue;
        task.state = "queued";
        countDeath(task);
        this.#tellReady(plan, task);
      }
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #claim({ machine, repositories, labels }: TeamWorker): TeamClaim | undefined {
    for (const one of this.#plans) {
      if (one.state !== "open" || !repositories.includes(one.plan.repository)) continue;
      const task = one.tasks.find(({ state, rests }) => state === "queued" && !rests);
      if (!task?.labels.every((label) => labels.includes(label))) continue;
      task.state = "running";
      task.attempt++;
      task.machine = machine;
      return this.#claimOf(one, task);
    }
    return undefined;
  }

  #tellReady({ plan }: Plan, { labels }: Task): void {
    for (const [heard, worker] of this.#ready) {
      const { repositories, labels: own } = worker;
      if (!repositories.includes(plan.repository)) continue;
      if (labels.every((label) => own.includes(label))) heard();
    }
  }

  #tellChanged({ plan }: Plan): void {
    for (const heard of this.#changed) heard(plan.id);
  }

  #end(plan: Plan, task: Task, end: "done" | "failed", commit: string | undefined): void {
    task.state = end;
    task.result = commit;
    const next = end === "done" && plan.tasks.find(({ state }) => state === "waiting");
    if (next) {
      next.state = "queued";
      return;
    }
    plan.state = end;
    this.#tellChanged(plan);
  }

  #claimOf({ plan, tasks }: Plan, { id, attempt, deaths, wip }: Task): TeamClaim {
    const before = tasks.slice(
      0,
      tasks.findIndex((one) => one.id === id),
    );
    const from = wip ?? before.findLast(({ result }) => result !== undefined)?.result ?? plan.base;
    const answers = this.#asks.flatMap(({ taskId, used, answer, id: ask, kind, subject }) =>
      taskId === id && !used && answer !== undefined ? [{ id: ask, kind, subject, answer }] : [],
    );
    const most = Math.max(0, ...deaths.map((at) => deaths.filter((one) => one === at).length));
    return { plan, taskId: id, attempt, from, deaths: most, answers };
  }

  #fenced(
    { taskId, attempt }: TeamClaim,
    work: (plan: Plan, task: Task) => boolean,
  ): Promise<boolean> {
    for (const plan of this.#plans) {
      const task = plan.tasks.find(({ id }) => id === taskId);
      if (task?.state !== "running" || task.attempt !== attempt || plan.state !== "open") continue;
      return Promise.resolve(work(plan, task));
    }
    return Promise.resolve(false);
  }
}

/** Counts an attempt that has ended without a result, at the call that it was at, if it was at one. */
function countDeath(task: Task): void {
  if (task.call !== undefined) task.deaths.push(task.call);
  task.call = undefined;
}
