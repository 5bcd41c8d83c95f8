import type { LandedFile, MayWrite, TaskChanges } from "../../changes/taskChanges.js";
import { saidBy, UserError } from "../../errors.js";
import type { LeftBehind } from "../../experts/report.js";
import type { WorkspaceHost } from "../../experts/workspaceHost.js";
import type { TaskId } from "../../ids.js";
import type { HeldLock, Lock } from "../../ports/locks.js";
import type { FileNotCarried, Landing, WorktreePlan, Worktrees } from "../../ports/worktrees.js";
import type { Words } from "../../text/words.js";
import type { PlanTasks, UnfinishedTask } from "../queue/planTasks.js";
import { landingId } from "./landingId.js";
import type { PlanPlace } from "./planPlace.js";
import type { PlanWorktree, PlanWorktreeStore } from "./planWorktree.js";
import { worktreeLimits } from "./worktreeLimits.js";
import { worktreeName } from "./worktreeRecord.js";
import { type ToldOfWorktree, worktreeRecovery } from "./worktreeRecovery.js";

interface Services {
  readonly store: PlanWorktreeStore;
  readonly worktrees: Worktrees;
  readonly lock: Lock;
  /** Throws a {@link UserError} if git may run programs that the repository's configuration names. */
  checkRepository(): Promise<void>;
  /** Lists a landing among the tasks, so that what it changed is reviewed and undone. */
  listLanding(taskId: TaskId, planId: string): Promise<void>;
  /** The user's files, where landed changes are written, recorded and undone. */
  readonly changes: Pick<TaskChanges, "land">;
  readonly tasks: Pick<PlanTasks, "planOf" | "unfinished" | "atRest" | "leftBehind">;
  /** Returns what tasks have changed in the worktree with this absolute path. */
  changesAt(root: string): TaskChanges;
  /**
   * Returns the host of a plan's tasks.
   *
   * @param root the absolute path of its folder
   * @param number the plan's own number
   */
  hostAt(root: string, number: number): WorkspaceHost;
  /** Prepares a worktree that was just made, as by installing what the project needs. Rejects if that fails. */
  setUp(host: WorkspaceHost, planId: string): Promise<void>;
}

/** The most plans that have worktrees at a time. */
const mostWorktrees = 10;

/** What became of landing a plan. */
export type LandedPlan =
  | {
      readonly type: "landed" | "partly";
      readonly files: readonly LandedFile[];
      readonly leftOut: readonly FileNotCarried[];
      /** The plan's tasks that have not ended: the worktree stays for them. */
      readonly unfinished: readonly UnfinishedTask[];
    }
  | Extract<Landing, { type: "conflicts" }>;

const nothingLeft: LandedPlan = { type: "landed", files: [], leftOut: [], unfinished: [] };

/**
 * The worktrees of plans: made before a plan's first task, shared by its tasks, landed by a person, removed. Each step
 * can be made again after a crash: its record says how far the plan is, and it is written after what it says.
 */
export class PlanWorktrees {
  readonly #hosts = new Map<string, WorkspaceHost>();

  constructor(private readonly services: Services) {}

  /**
   * Has a plan work in a worktree of its own.
   *
   * @param about what works there if that is no plan
   * @param tell is told, before anything is done, what is done only in part
   * @throws {UserError} with why that cannot be, before anything is done
   */
  async ask(planId: string, about?: string, tell?: (text: Words) => void): Promise<void> {
    const { store, worktrees, lock } = this.services;
    if ((await store.read(planId)) !== undefined) return;
    await this.services.checkRepository();
    const limits = await worktrees.check();
    if (tell !== undefined) for (const text of worktreeLimits(limits)) tell(text);
    await lock.exclusively("worktrees", async () => {
      if ((await store.read(planId)) !== undefined) return;
      const taken = new Set((await store.all()).filter(isOpen).map(({ number }) => number));
      if (taken.size >= mostWorktrees) throw tooMany();
      let number = 1;
      while (taken.has(number)) number++;
      await store.write({
        planId,
        ...(about === undefined ? {} : { about }),
        number,
        phase: "asked",
      });
    });
  }

  /**
   * Returns where the tasks of a plan work; `undefined`: in the user's folder. Makes the worktree if need be.
   *
   * @throws {UserError} if the plan is over, or its worktree cannot be made or is gone
   */
  async hostOf(planId: string): Promise<WorkspaceHost | undefined> {
    const found = await this.services.store.read(planId);
    if (found === undefined) return undefined;
    const { made, number } =
      found.phase === "asked"
        ? await this.#make(planId)
        : await this.#alone(planId, async () => this.#updated(await this.#record(planId)));
    if (made === undefined || found.phase === "landed" || found.phase === "discarded") {
      throw new UserError("planOver", "The plan {planId} is over: its worktree was removed.", {
        planId,
      });
    }
    const host = this.#hosts.get(planId) ?? this.services.hostAt(made.root, number);
    if ((await host.files.stat(""))?.kind !== "folder") throw gone(planId, made.root);
    this.#hosts.set(planId, host);
    return host;
  }

  async #make(planId: string): Promise<PlanWorktree> {
    const { store, worktrees } = this.services;
    return this.#alone(planId, async () => {
      const found = await this.#record(planId);
      // Another process may have made it meanwhile.
      if (found.phase !== "asked") return found;
      await this.services.checkRepository();
      await worktrees.check();
      const name = worktreeName(planId);
      const base = await worktrees.base(name);
      const { root, bytes } = await worktrees.make({ name, base });
      await this.services.setUp(this.services.hostAt(root, found.number), planId);
      const record = { ...found, phase: "ready" as const, made: { base, root, bytes } };
      await store.write(record);
      return record;
    });
  }

  /**
   * Gives a plan, which was asked for one, a worktree with what was made of it elsewhere.
   *
   * @param base the commit that the work began with
   * @param result the commit with what came of it
   */
  async receive(planId: string, base: string, result: string): Promise<void> {
    const { store, worktrees } = this.services;
    await this.#alone(planId, async () => {
      const found = await this.#record(planId);
      if (found.phase !== "asked") return;
      await this.services.checkRepository();
      await worktrees.check();
      const plan = { name: worktreeName(planId), base };
      const { root, bytes } = await worktrees.make(plan);
      await worktrees.fill(plan, result);
      await store.write({ ...found, phase: "ready", made: { base, root, bytes } });
    });
  }

  /** Returns the open plans as lists show them; a conflict of two is told of both. */
  async places(): Promise<readonly PlanPlace[]> {
    const open = await this.open();
    const ids = new Set(open.map(({ planId }) => planId));
    return open.map(({ planId, about, phase, made, conflicts = [] }): PlanPlace => {
      const own = conflicts.filter((one) => one.with === null || ids.has(one.with));
      const others = open.flatMap((other) =>
        own.some((one) => one.with === other.planId)
          ? []
          : (other.conflicts ?? []).flatMap((one) =>
              one.with === planId ? [{ with: other.planId, paths: one.paths }] : [],
            ),
      );
      const state = phase === "asked" || phase === "landing" ? phase : "ready";
      return {
        planId,
        ...(about === undefined ? {} : { about }),
        phase: state,
        ...(made === undefined ? {} : { made: { root: made.root, bytes: made.bytes } }),
        conflicts: [...own, ...others],
      };
    });
  }

  /** Looks what landing a plan will conflict with, and records it. Does nothing for a plan without a worktree. */
  async look(planId: string): Promise<void> {
    const { store } = this.services;
    if ((await store.read(planId))?.phase !== "ready") return;
    const main = await this.preview(planId);
    const found = await this.conflicts(planId);
    const mine = main.type === "conflicts" ? [...main.paths] : [];
    const own = mine.length === 0 ? [] : [{ with: null, paths: mine }];
    const others = [...found].flatMap(([other, paths]) => {
      const theirs = paths.filter((path) => !mine.includes(path));
      return theirs.length === 0 ? [] : [{ with: other, paths: theirs }];
    });
    await this.#alone(planId, async () => {
      const now = await this.#record(planId);
      if (now.phase === "ready") await store.write({ ...now, conflicts: [...own, ...others] });
    });
  }

  /** Returns the plans whose worktrees are neither landed nor discarded. */
  async open(): Promise<readonly PlanWorktree[]> {
    return (await this.services.store.all()).filter(isOpen);
  }

  /** Returns the plan's tasks that have not ended. */
  unfinished(planId: string): Promise<readonly UnfinishedTask[]> {
    return this.services.tasks.unfinished(planId);
  }

  /** Returns the files of the plan's tasks that stayed where the tasks worked, and so do not land, by the tasks' ids. */
  leftBehind(planId: string): Promise<ReadonlyMap<TaskId, LeftBehind>> {
    return this.services.tasks.leftBehind(planId);
  }

  /** Returns what landing the plan would do at this moment. */
  async preview(planId: string): Promise<Landing> {
    await this.services.checkRepository();
    const found = await this.#alone(planId, async () => this.#updated(await this.#record(planId)));
    return this.services.worktrees.landing(planOf(found));
  }

  /** Returns the files in which a plan will conflict with other open plans, by their ids. */
  async conflicts(planId: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const others = (await this.services.store.all()).filter(
      (one) => one.planId !== planId && one.made !== undefined && isOpen(one),
    );
    if (others.length === 0) return new Map();
    const plan = planOf(await this.#record(planId));
    const found = await this.services.worktrees.conflicts(plan, others.map(planOf));
    const ids = new Map(others.map((one) => [worktreeName(one.planId), one.planId]));
    return new Map([...found].map(([name, paths]) => [ids.get(name) ?? name, paths]));
  }

  /**
   * Lands a plan: writes its changes into the user's folder, as changes that can be reviewed and undone. If some files
   * or tasks are left, the worktree stays, and landing again takes what is left.
   *
   * @param isConfirmed whether the plan lands although some of its tasks have not ended
   * @throws {UserError} if one of its tasks runs, or has not ended and that is not confirmed
   */
  async land(
    planId: string,
    { mayWrite, isConfirmed = false }: { mayWrite: MayWrite; isConfirmed?: boolean },
  ): Promise<LandedPlan> {
    const { store, tasks } = this.services;
    const land = async (): Promise<LandedPlan> => {
      const found = await this.#record(planId);
      if (found.phase === "landed") return nothingLeft;
      const unfinished = await tasks.unfinished(planId);
      if (unfinished.length > 0 && !isConfirmed) throw notEnded(planId, unfinished);
      const landed = await this.#land(found, landingId(planId), { mayWrite, unfinished });
      if (landed.type !== "conflicts") {
        await this.services.listLanding(landingId(planId), planId);
        await this.#close(found, landed);
      }
      return landed;
    };
    const landed = await this.#alone(planId, () =>
      this.#unused(planId, () => tasks.atRest(planId, land)),
    );
    if ((await store.read(planId))?.phase === "landed") await this.#remove(planId);
    return landed;
  }

  /** Lands what a session that {@link use}s the worktree has done, as changes of this session. Protected files are left. */
  async landFor(session: TaskId, planId: string): Promise<LandedPlan> {
    const land = async (): Promise<LandedPlan> => {
      const found = await this.#record(planId);
      if (found.phase === "landed") return nothingLeft;
      const mayWrite = () => Promise.resolve(false);
      const landed = await this.#land(found, session, { mayWrite, unfinished: [] });
      if (landed.type !== "conflicts") await this.#close(found, landed);
      return landed;
    };
    const landed = await this.#alone(planId, land);
    if (landed.type === "landed") await this.#remove(planId);
    return landed;
  }

  async #land(
    found: PlanWorktree,
    as: TaskId,
    options: { readonly mayWrite: MayWrite; readonly unfinished: readonly UnfinishedTask[] },
  ): Promise<LandedPlan> {
    const { store, worktrees, changes } = this.services;
    const { mayWrite, unfinished } = options;
    await this.services.checkRepository();
    const settled = await this.#updated(found);
    // What another plan lands meanwhile must count for this one.
    return this.services.lock.exclusively("landing", async () => {
      const landing = await worktrees.landing(planOf(settled));
      if (landing.type === "conflicts") return landing;
      await store.write({ ...settled, phase: "landing" });
      const files = await changes.land(as, landing.files, mayWrite);
      const { leftOut } = landing;
      const hasAll = leftOut.length === 0 && files.every(({ type }) => type === "landed");
      return { type: hasAll ? "landed" : "partly", files, leftOut, unfinished };
    });
  }

  /** Records that the plan has landed: as a whole, or so that what is left can land later. */
  async #close({ planId }: PlanWorktree, landed: LandedPlan): Promise<void> {
    const isWhole = landed.type === "landed" && landed.unfinished.length === 0;
    const found = await this.#record(planId);
    await this.services.store.write({ ...found, phase: isWhole ? "landed" : "ready" });
  }

  /**
   * Brings what is in the user's folder by now into the worktree. Returns the files, from the repository's root, that have
   * conflict markers there, because both have changed the same lines.
   *
   * @throws {UserError} if one of the plan's tasks runs
   */
  async update(planId: string): Promise<readonly string[]> {
    const update = () => this.#update(planId);
    return this.#alone(planId, () =>
      this.#unused(planId, () => this.services.tasks.atRest(planId, update)),
    );
  }

  /** Does the same as {@link update} for the session that {@link use}s the worktree. */
  async updateFor(planId: string): Promise<readonly string[]> {
    return this.#alone(planId, () => this.#update(planId));
  }

  async #update(planId: string): Promise<readonly string[]> {
    const { store, worktrees } = this.services;
    await this.services.checkRepository();
    const found = await this.#updated(await this.#record(planId));
    const updating = await worktrees.planUpdate(planOf(found));
    await store.write({ ...found, updating });
    await this.#updated({ ...found, updating });
    return updating.conflicts;
  }

  /** Completes an update of the worktree that was begun, and returns the record then. */
  async #updated({ updating, ...found }: PlanWorktree): Promise<PlanWorktree> {
    const { made, planId } = found;
    if (updating === undefined || made === undefined) return found;
    await this.services.worktrees.update(worktreeName(planId), updating);
    const settled = { ...found, made: { ...made, base: updating.base } };
    await this.services.store.write(settled);
    return settled;
  }

  /** Returns whether the plan had a worktree that has landed or was discarded. */
  async isOver(planId: string): Promise<boolean> {
    const found = await this.services.store.read(planId);
    return found !== undefined && !isOpen(found);
  }

  /**
   * Returns what worktrees here do only in part.
   *
   * @throws {UserError} with why none can be made
   */
  async check(): Promise<readonly Words[]> {
    await this.services.checkRepository();
    return worktreeLimits(await this.services.worktrees.check());
  }

  /**
   * Holds the worktree for a session that is no task of the plan, so that nobody lands or discards it meanwhile.
   *
   * @throws {UserError} if somebody holds it
   */
  async use(planId: string): Promise<HeldLock> {
    const own = await this.services.lock.tryHold(useLock(planId));
    if ("held" in own) return own.held;
    throw new UserError(
      "worktreeInUse",
      "The worktree of {planId} is in use by {holder}. Stop that first, or wait until it has ended.",
      { planId, holder: own.holder.label },
    );
  }

  async #unused<T>(planId: string, work: () => Promise<T>): Promise<T> {
    const held = await this.use(planId);
    try {
      return await work();
    } finally {
      await held.release();
    }
  }

  /**
   * Returns where a task's changes are reviewed and undone, if it worked in a worktree; `undefined`: in the user's
   * folder.
   *
   * @throws {UserError} that says what became of them, if the worktree is gone
   */
  async changesOf(taskId: TaskId): Promise<TaskChanges | undefined> {
    const planId = await this.services.tasks.planOf(taskId);
    const found = planId === undefined ? undefined : await this.services.store.read(planId);
    if (planId === undefined || found?.made === undefined) return undefined;
    if (found.phase === "landed") {
      throw new UserError(
        "planHasLanded",
        "{taskId} worked in the worktree of {planId}, which has landed: its changes are among those of {landing}, which can be undone.",
        { taskId, planId, landing: landingId(planId) },
      );
    }
    if (found.phase === "discarded") {
      throw new UserError(
        "planWasDiscarded",
        "{taskId} worked in the worktree of {planId}, which was discarded with all that was changed there.",
        { taskId, planId },
      );
    }
    return this.services.changesAt(found.made.root);
  }

  /** Gives up a plan's worktree, with all that was done in it. Throws a {@link UserError} if one of its tasks runs. */
  async discard(planId: string): Promise<void> {
    const { store, tasks } = this.services;
    const discard = async (): Promise<void> => {
      const found = await this.#record(planId);
      if (found.phase !== "landed") await store.write({ ...found, phase: "discarded" });
    };
    await this.#alone(planId, () => this.#unused(planId, () => tasks.atRest(planId, discard)));
    await this.#remove(planId);
  }

  /** Removes what a process that was killed did not, and returns what the user is to be told. */
  async recover(): Promise<readonly ToldOfWorktree[]> {
    const { store, worktrees } = this.services;
    const records = await store.all();
    const left = await worktrees.left();
    const told: ToldOfWorktree[] = [];
    for (const step of worktreeRecovery(records, left)) {
      if (step.type === "tellOrphan") told.push(step);
      else if (await this.#isAtWork(step.planId)) continue;
      else if (step.type === "remove") told.push(...(await this.#removeLeft(step)));
      else told.push(step);
    }
    return told;
  }

  async #removeLeft({
    planId,
    hasLanded,
  }: {
    readonly planId: string;
    readonly hasLanded: boolean;
  }): Promise<ToldOfWorktree[]> {
    try {
      await this.#remove(planId);
    } catch (error) {
      // The others are told of although this one stays.
      if (!(error instanceof UserError)) throw error;
      return [{ type: "tellKept", planId, problem: saidBy(error) }];
    }
    return hasLanded ? [{ type: "tellLanded", planId }] : [];
  }

  /** Returns the names of worktrees of this folder that no plan knows. */
  async orphans(): Promise<readonly string[]> {
    const steps = worktreeRecovery(
      await this.services.store.all(),
      await this.services.worktrees.left(),
    );
    return steps.flatMap((step) => (step.type === "tellOrphan" ? [step.name] : []));
  }

  /** Removes a worktree that no plan knows. */
  async removeOrphan(name: string): Promise<void> {
    if ((await this.orphans()).includes(name)) await this.services.worktrees.remove(name);
  }

  async #remove(planId: string): Promise<void> {
    const { made, number } = (await this.services.store.read(planId)) ?? {};
    const isMade = made !== undefined && number !== undefined;
    const host =
      this.#hosts.get(planId) ?? (isMade ? this.services.hostAt(made.root, number) : undefined);
    this.#hosts.delete(planId);
    await host?.shell.endOrphaned();
    await this.services.worktrees.remove(worktreeName(planId));
  }

  async #record(planId: string): Promise<PlanWorktree> {
    const found = await this.services.store.read(planId);
    if (found !== undefined) return found;
    throw new UserError("planNotIsolated", "The plan {planId} has no worktree here.", { planId });
  }

  /** Returns whether a process makes or lands the plan's worktree at this moment. */
  async #isAtWork(planId: string): Promise<boolean> {
    return (await this.services.lock.holder(worktreeLock(planId))) !== undefined;
  }

  #alone<T>(planId: string, work: () => Promise<T>): Promise<T> {
    return this.services.lock.exclusively(worktreeLock(planId), work);
  }
}

function worktreeLock(planId: string): string {
  return `worktree-${worktreeName(planId)}`;
}

function useLock(planId: string): string {
  return `worktree-use-${worktreeName(planId)}`;
}

function isOpen({ phase }: PlanWorktree): boolean {
  return phase !== "landed" && phase !== "discarded";
}

/** @throws {UserError} if the plan has no worktree, yet or any more */
function planOf(record: PlanWorktree): WorktreePlan {
  const { planId, made } = record;
  if (made === undefined || !isOpen(record)) {
    throw new UserError(
      "planNotBegun",
      "The plan {planId} has no worktree at this moment, so there is nothing to land.",
      { planId },
    );
  }
  return { name: worktreeName(planId), base: made.base };
}

function notEnded(planId: string, unfinished: readonly UnfinishedTask[]): UserError {
  const tasks = unfinished.map(({ taskId, is }) => `${taskId} (${is})`).join(", ");
  return new UserError(
    "planNotEnded",
    "These tasks of {planId} have not ended: {tasks}. Answer, resume or remove them first. Or land what there is by now: the worktree then stays for them.",
    { planId, tasks },
  );
}

function tooMany(): UserError {
  return new UserError(
    "tooManyWorktrees",
    "{most} plans have worktrees, which is the most that there may be at a time. Land or discard one, then resume the task.",
    { most: mostWorktrees },
  );
}

function gone(planId: string, root: string): UserError {
  return new UserError(
    "worktreeGone",
    "The worktree of the plan {planId} is not at {root} any more. Put it back there, or discard the plan.",
    { planId, root },
  );
}
