import { join } from "node:path";
import { env } from "node:process";
import { parseJson } from "../core/documents/parseJson.js";
import { anyExpert, type QueueEntry } from "../core/documents/queue.js";
import { isUserError, UserError } from "../core/errors.js";
import { receiveArtifacts } from "../core/experts/artifacts.js";
import { type Report, report } from "../core/experts/report.js";
import type { TaskId } from "../core/ids.js";
import { KeptImages } from "../core/images/keptImages.js";
import { QueueStore } from "../core/navigator/queue/queueStore.js";
import { planIdOf, planTaskIds } from "../core/navigator/tasks/taskIds.js";
import {
  plainContext,
  recorded,
  taskFolder,
  TaskStore,
} from "../core/navigator/tasks/taskStore.js";
import { withLeft } from "../core/navigator/worktrees/leftBehindText.js";
import type { PlanWorktrees } from "../core/navigator/worktrees/planWorktrees.js";
import { worktreeName } from "../core/navigator/worktrees/worktreeRecord.js";
import type { TeamQueue } from "../core/ports/teamQueue.js";
import { isSigned } from "../core/provenance/signedJson.js";
import { oddRowError } from "../core/team/oddRow.js";
import { isAway, type SentPlan, SentPlans } from "../core/team/sentPlans.js";
import { isPlanSigned, signPlan } from "../core/team/signedPlan.js";
import { formatAnswer } from "../core/team/teamAnswer.js";
import { type Asked, askedPath, readAsked, signAnswer } from "../core/team/teamAsk.js";
import type {
  OpenAsk,
  OpenPlan,
  TeamLink,
  TeamReply,
  TeamTaskStatus,
} from "../core/team/teamLink.js";
import { answerRef, baseRef, isLeftBy, refsLeft, refsOfPlan } from "../core/team/teamRefs.js";
import type { Redactor } from "../core/text/redactor.js";
import { DiskFileSystem } from "../node/files/diskFileSystem.js";
import { GitProcess, printed } from "../node/git/gitProcess.js";
import { GitWorktrees } from "../node/git/gitWorktrees.js";
import { TeamRepository } from "../node/git/teamRepository.js";
import { withTemporaryFolder } from "../node/git/temporaryFolder.js";
import { allWorktrees } from "../node/git/worktreesFolder.js";
import { TeamKey } from "../node/user/teamKey.js";
import type { LocalServices } from "./localServices.js";
import { localWorktrees } from "./localWorktrees.js";

export interface TeamPlansOptions {
  /** The workspace folder's absolute path, which is the repository's own. */
  readonly root: string;
  readonly local: LocalServices;
  /** The team's key. */
  readonly key: string;
  readonly queue: TeamQueue;
  readonly redactor: Redactor;
}

/** The plans of this workspace that a team's workers work on: sent, asked about, answered, received. */
export class TeamPlans implements TeamLink {
  readonly #sent: SentPlans;
  readonly #worktrees: PlanWorktrees;

  constructor(private readonly options: TeamPlansOptions) {
    const { root, local, redactor } = options;
    this.#sent = new SentPlans(local.files, local.signer);
    this.#worktrees = localWorktrees({ root, local, redactor });
  }

  /**
   * Sends a plan: pushes what its tasks begin with, takes them out of the queue here, and puts them into the team's. What
   * was interrupted is gone on with.
   *
   * @param given a plan's id, or that of a single task
   * @returns the plan's record
   * @throws {UserError} if the plan is not queued here, has begun, or cannot be pushed
   */
  async send(
    given: string,
    how: { repository: string; remote: string; labels: readonly string[] },
  ): Promise<SentPlan> {
    const { local, key, queue } = this.options;
    const own = new QueueStore(local.files, local.lock, anyExpert);
    const entries = (await own.entries()).filter(
      ({ planId, taskId }) => planId === given || taskId === given,
    );
    const planId = entries[0]?.planId ?? planIdOf(given);
    const plan = (await this.#sent.read(planId)) ?? (await this.#push(planId, entries, how));
    if (plan.phase !== "sending") {
      throw new UserError("planSent", "The plan {planId} was sent already.", { planId });
    }
    // Taken out here first, so that no task is in both queues.
    const store = this.#tasks();
    for (const { id } of plan.tasks) {
      await own.remove(id);
      // No list shows it, and nobody resumes it here, while others work on it.
      await store.markRemoved(id);
    }
    const { repository, begin: base, tasks } = plan;
    const signer = new TeamKey(key, { repository, id: planId });
    await queue.send(signPlan({ id: planId, repository, base, tasks }, signer));
    const sent = { ...plan, phase: "sent" as const };
    await this.#sent.write(sent);
    await this.tidy();
    return sent;
  }

  /** Returns the sent plans that are not received yet, with how far they are; `undefined`: the team does not know it. */
  async open(): Promise<OpenPlan[]> {
    const sent = (await this.#sent.all()).filter(isAway);
    if (sent.length === 0) return [];
    const { plans, odd } = await this.options.queue.plans(sent.map(({ planId }) => planId));
    const known = new Map(plans.map((status) => [status.id, status]));
    return sent.map((plan) => ({
      plan,
      status: known.get(plan.planId),
      odd: odd.filter((row) => row.plan === plan.planId),
    }));
  }

  onChanged(heard: (planId?: string) => void): () => void {
    return this.options.queue.onChanged(heard);
  }

  /** Returns whether the plan was sent and is not received yet. */
  async isAway(planId: string): Promise<boolean> {
    const found = await this.#sent.read(planId);
    return found !== undefined && isAway(found);
  }

  /** Returns all that waits for a person in the plans that were sent from here. */
  async asks(): Promise<OpenAsk[]> {
    const found: OpenAsk[] = [];
    for (const { plan, status } of await this.open()) {
      for (const task of status?.progress ?? []) {
        const asked = await this.asked(plan, task);
        if (asked) found.push({ planId: plan.planId, taskId: task.id, asked });
      }
    }
    return found;
  }

  /** Returns what a task asks; `undefined`: nothing, or nothing that the team key has signed. */
  async asked(plan: SentPlan, { id, commit, asks }: TeamTaskStatus): Promise<Asked | undefined> {
    if (commit === undefined || asks.length === 0) return undefined;
    const text = await this.#state(plan, commit, askedPath(id));
    const asked = text && readAsked(text, id, this.#signer(plan));
    return asked && asks.some((ask) => ask.id === asked.id) ? asked : undefined;
  }

  /**
   * Answers what a task asks.
   *
   * @returns `false` if somebody else has answered before
   */
  async answer({ planId, asked }: OpenAsk, said: TeamReply): Promise<boolean> {
    const plan = await this.#record(planId);
    const signer = this.#signer(plan);
    const { id, kind, subject } = asked;
    const ask = { id, kind, subject };
    const given =
      typeof said === "string"
        ? ({ kind: "question", commit: await this.#pushWords(plan, id, said) } as const)
        : typeof said === "boolean"
          ? ({ kind: "approval", choice: said ? "allow" : "deny" } as const)
          : ({
              kind: "approval",
              choice: "deny",
              commit: await this.#pushWords(plan, id, said.deniedBecause),
            } as const);
    const signature = signAnswer(ask, given, signer);
    return this.options.queue.answer(id, { ...given, signature });
  }

  /** Pushes the words of an answer, which the database is not to have, and returns their commit. */
  async #pushWords(plan: SentPlan, askId: string, said: string): Promise<string> {
    const repository = await this.#repository(plan.remote);
    const commit = await repository.fileCommit("answer.json", formatAnswer(said));
    // Each has a ref of its own: of two answers that are given at once, the first in the queue counts.
    await repository.push(commit, `${answerRef(askId)}-${commit.slice(0, 12)}`);
    return commit;
  }

  /**
   * Brings what came of a plan into a worktree here, with the reports of its tasks, so that it can be landed.
   *
   * @throws {UserError} if its work has not ended
   */
  async receive(planId: string): Promise<void> {
    const plan = await this.#record(planId);
    const { commit: result, machines, reports } = await this.#result(plan);
    const repository = await this.#repository(plan.remote);
    const store = this.#tasks();
    for (const { id } of plan.tasks) {
      await store.markPresent(id);
      const told = reports.get(id);
      if (told === undefined) continue;
      const sent = await repository.taskFiles(result, id);
      const left = await receiveArtifacts(sent, taskFolder(id), this.options.local.files);
      // Last, so that all that it tells of is here.
      await store.writeReport(id, withLeft(told, left, machines.get(id)));
    }
    await this.#worktrees.receive(planId, plan.base, result);
    await this.#sent.write({ ...plan, phase: "received" });
  }

  /**
   * Pushes what came of a plan as a branch of one commit, for a pull request. Returns the branch's name.
   *
   * @throws {UserError} if the plan's work has not ended
   */
  async pushBranch(planId: string): Promise<string> {
    const plan = await this.#record(planId);
    const { commit: result } = await this.#result(plan);
    const repository = await this.#repository(plan.remote);
    const before = await repository.parentOf(plan.base);
    const parents = before === undefined ? [] : [before];
    const names = plan.tasks.map(({ id }) => id).join(", ");
    const commit = await repository.plainCommit(result, parents, `${planId}\n\nTasks: ${names}`);
    const branch = `rooroo/${worktreeName(planId)}`;
    await repository.push(commit, `refs/heads/${branch}`);
    return branch;
  }

  /**
   * Ends the work on a plan, and gives it up here: nothing of it can be received any more. Returns `false` if its work
   * had ended already.
   */
  async cancel(planId: string): Promise<boolean> {
    const plan = await this.#record(planId);
    const isEnded = await this.options.queue.cancel(planId);
    await this.#worktrees.discard(planId);
    await this.#sent.write({ ...plan, phase: "received" });
    await this.tidy();
    return isEnded;
  }

  /**
   * Removes what plans that were landed, discarded or cancelled have left on the remote and of the remote here, and has the
   * team forget them. What cannot be reached now is left for the next time.
   */
  async tidy(): Promise<void> {
    for (const plan of await this.#sent.all()) {
      const { planId: id, tasks, remote, phase } = plan;
      if (phase !== "received" || !(await this.#worktrees.isOver(id))) continue;
      const left = { id, tasks };
      try {
        const repository = await this.#repository(remote);
        await repository.deleteRefs(refsLeft(left), (ref) => isLeftBy(ref, left));
        await this.options.queue.forget(id);
      } catch (error) {
        if (isUserError(error)) continue;
        throw error;
      }
      await this.#sent.write({ ...plan, phase: "forgotten" });
    }
  }

  /** Pushes what a plan begins with, and records that it is being sent. */
  async #push(
    planId: string,
    entries: readonly QueueEntry[],
    {
      repository,
      remote,
      labels,
    }: { repository: string; remote: string; labels: readonly string[] },
  ): Promise<SentPlan> {
    const { root, local, key } = this.options;
    if (entries.length === 0) {
      throw new UserError(
        "planNotQueued",
        "No task of {planId} is queued here, so there is nothing to send.",
        { planId },
      );
    }
    const store = this.#tasks();
    for (const { taskId, mode } of entries) {
      if (await store.hasOwnTranscript(taskId)) {
        throw new UserError(
          "planBegun",
          "{taskId} has begun here, so the plan is not sent. Go on with it here.",
          {
            taskId,
          },
        );
      }
      if (mode === "rooroo-planner") {
        throw new UserError(
          "plannerNotSent",
          "{taskId} is a planner's task. Have it make its plan here, with --plans wait, and send that.",
          { taskId },
        );
      }
    }
    const place = { planId, signer: new TeamKey(key, { repository, id: planId }) };
    const worktrees = new GitWorktrees(root, allWorktrees(env));
    if ((await worktrees.check()).includes("submodules")) {
      throw new UserError(
        "hasSubmodules",
        "This repository has submodules, which workers would be without. Work on the plan here.",
      );
    }
    const name = worktreeName(planId);
    const base = await worktrees.base(name);
    return withTemporaryFolder("rooroo-send-", async (state) => {
      await copyTasks(entries, store, local, state, place.signer);
      const git = await this.#repository(remote);
      const files = await git.filesOf(base);
      const given = { files, parent: base, state: join(state, ".rooroo"), task: null, attempt: 0 };
      const begin = await git.commit(given, place);
      try {
        await git.push(begin, baseRef(planId));
      } catch (error) {
        await worktrees.remove(name);
        throw error;
      }
      await this.#worktrees.ask(planId);
      const tasks = entries.map(({ taskId: id }) => ({ id, labels: [...labels] }));
      const plan = { planId, repository, remote, tasks, base, begin, phase: "sending" as const };
      await this.#sent.write(plan);
      return plan;
    });
  }

  /** Returns the tasks of this workspace. */
  #tasks(): TaskStore {
    const { files, clock, signer } = this.options.local;
    return new TaskStore(files, clock, signer);
  }

  /**
   * Returns the commit with what came of a plan, or of its tasks until one has failed, which is here then, with the reports of
   * its tasks; and which machine has worked on which task last.
   */
  async #result(plan: SentPlan): Promise<{
    commit: string;
    machines: ReadonlyMap<TaskId, string | undefined>;
    reports: ReadonlyMap<TaskId, Report>;
  }> {
    const { planId } = plan;
    const known = await this.options.queue.plans([planId]);
    for (const row of known.odd) throw oddRowError(row);
    const [status] = known.plans;
    const last = status?.progress.findLast(({ commit }) => commit !== undefined);
    const hasEnded = status?.state === "done" || status?.state === "failed";
    if (status === undefined || !hasEnded || last?.commit === undefined) {
      throw new UserError(
        "planNotDone",
        "The plan {planId} is not done (it is {state}), so nothing of it is here yet.",
        { planId, state: status?.state ?? "unknown to the team" },
      );
    }
    if (!isPlanSigned(status, this.#signer(plan)) || status.base !== plan.begin) {
      throw new UserError(
        "planChanged",
        "The plan {planId} is not the one that was sent, so nothing is taken from it.",
        { planId },
      );
    }
    const reports = await this.#reports(plan, last.commit);
    // That the plan is done the database says; what of it is done, the reports.
    const missing = plan.tasks.find(({ id }) => reports.get(id)?.status !== "Done");
    if (status.state === "done" && missing !== undefined) {
      throw new UserError(
        "planNotWhole",
        "The team's database says that the plan {planId} is done, but what came of it has no report of {taskId} that says so. Nothing is taken from it. If no worker goes on with it, cancel it.",
        { planId, taskId: missing.id },
      );
    }
    const machines = new Map(status.progress.map(({ id, machine }) => [id, machine]));
    return { commit: last.commit, machines, reports };
  }

  /** Returns the reports of a plan's tasks in a commit that the team key has signed, after fetching it. */
  async #reports(plan: SentPlan, commit: string): Promise<ReadonlyMap<TaskId, Report>> {
    const repository = await this.#fetch(plan, commit);
    const store = this.#tasks();
    const found = new Map<TaskId, Report>();
    for (const { id } of plan.tasks) {
      const path = store.reportPath(id);
      const text = await repository.readState(commit, statePath(path));
      if (text === undefined || !isSigned(text, path, this.#signer(plan))) continue;
      const json = parseJson(text);
      const parsed = report.safeParse(json.ok ? json.value : undefined);
      if (parsed.success) found.set(id, parsed.data);
    }
    return found;
  }

  /** Returns the text of a file in the state of a commit, given by its path in the workspace. */
  async #state(plan: SentPlan, commit: string, path: string): Promise<string | undefined> {
    const repository = await this.#fetch(plan, commit);
    return repository.readState(commit, statePath(path));
  }

  async #fetch(plan: SentPlan, commit: string): Promise<TeamRepository> {
    const repository = await this.#repository(plan.remote);
    await repository.fetch(commit, refsOfPlan({ id: plan.planId, tasks: plan.tasks }));
    await repository.stateOf(commit, { planId: plan.planId, signer: this.#signer(plan) });
    return repository;
  }

  #signer({ repository, planId: id }: SentPlan): TeamKey {
    return new TeamKey(this.options.key, { repository, id });
  }

  async #record(planId: string): Promise<SentPlan> {
    const found = await this.#sent.read(planId);
    if (found !== undefined) return found;
    throw new UserError("planNotSent", "The plan {planId} was not sent from here.", { planId });
  }

  async #repository(remote: string): Promise<TeamRepository> {
    const { root } = this.options;
    const git = new GitProcess(root);
    const asked = ["rev-parse", "--path-format=absolute", "--git-common-dir", "--show-prefix"];
    const [gitDir = "", prefix = ""] = printed(await git.run(asked)).split("\n");
    if (prefix !== "") {
      throw new UserError(
        "notRepositoryFolder",
        "This folder is inside of a repository. Plans are sent from the repository's own folder.",
      );
    }
    if (/^-|\s/.test(remote)) {
      throw new UserError(
        "remoteInvalid",
        "{remote} is no name of a remote. Give one that git remote lists.",
        { remote },
      );
    }
    return new TeamRepository(gitDir, remote);
  }
}

/** Returns the path in a state of a file of the workspace. */
function statePath(path: string): string {
  return path.replace(/^\.rooroo\//, "");
}

/** Writes what the tasks need to know as files that the team key has signed. */
async function copyTasks(
  entries: readonly QueueEntry[],
  store: TaskStore,
  { clock, files }: LocalServices,
  folder: string,
  signer: TeamKey,
): Promise<void> {
  const there = new DiskFileSystem(folder);
  const copy = new TaskStore(there, clock, signer);
  const planner = entries[0]?.parentTaskId ?? undefined;
  const before = planner === undefined ? [] : [planner, ...(await planTaskIds(planner, store))];
  const sent = new Set(entries.map(({ taskId }) => taskId));
  for (const taskId of before.filter((id) => !sent.has(id))) {
    const found = await store.findRecord(taskId);
    const done = await store.readReport(taskId);
    if (found?.own !== true || done === undefined) continue;
    const { parentTaskId, planId, mode, goal, answers } = found.value;
    await copy.create(
      { taskId, parentTaskId, planId, mode, goal, ...(answers && { answers }) },
      "",
    );
    await copy.writeReport(taskId, done);
    // Otherwise who opens the copy would put the plan into the queue once more.
    if (taskId === planner) await copy.markPlanInstalled(taskId, before.slice(1));
  }
  for (const entry of entries) {
    const { taskId, parentTaskId, planId, mode, goal, contextPath } = entry;
    const context = (await store.readContext(contextPath)) ?? plainContext(entry);
    const found = await store.findRecord(taskId);
    const { request, images = [] } = found?.own === true ? found.value : {};
    const asked = request === undefined ? undefined : { text: request, images };
    await copy.create({ taskId, parentTaskId, planId, mode, goal, ...recorded(asked) }, context);
    for (const { path } of images) {
      // Whoever reads it there compares it with its name once more.
      const image = await new KeptImages(files).read(path);
      if (image !== undefined) await there.createFile(path, image.bytes);
    }
  }
}
