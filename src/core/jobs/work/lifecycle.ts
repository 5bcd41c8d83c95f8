import { wordsIn } from "../../agent/inbox.js";
import { addUsage } from "../../agent/usageSums.js";
import { ChangeStore } from "../../changes/changeStore.js";
import { changeSummary } from "../../changes/changeSummary.js";
import type { EventPublisher } from "../../conversation/events/eventPublisher.js";
import { ModelError, saidBy, UserError } from "../../errors.js";
import type { Ending } from "../../experts/ending.js";
import { unattendedRights } from "../../experts/unattendedRights.js";
import { withOrWithoutTools } from "../../experts/withOrWithoutTools.js";
import type { TaskId } from "../../ids.js";
import type { HeldLock } from "../../ports/locks.js";
import type { LanguageModel } from "../../ports/model.js";
import {
  type Limit,
  noSpending,
  reached,
  readTotals,
  spendingOf,
  spendingText,
} from "../../spending/spendTotals.js";
import { digest } from "../../text/digest.js";
import { joined } from "../../text/joined.js";
import { visibleLine } from "../../text/visibleText.js";
import { words } from "../../text/words.js";
import type { LandedTask } from "../../work/taskWorktrees.js";
import { editJobLog, type LogEdit } from "../documents/editJobLog.js";
import { FileChanges } from "../documents/fileChange.js";
import { type Job, readJob } from "../documents/jobFolder.js";
import type { JobLog } from "../documents/jobLog.js";
import { runnerLock } from "../documents/jobNames.js";
import { JobStore } from "../documents/jobStore.js";
import { usageFieldText } from "../documents/usageField.js";
import { type Result, type Role, sessionsByTask } from "../documents/workLog.js";
import { WorkAcceptance } from "./acceptWork.js";
import { commitWork, type Committed, type SessionRecord } from "./commitWork.js";
import type { LifecycleContext } from "./jobPrompt.js";
import { planProblem, readPlan, readWork } from "./jobReport.js";
import type { JobServices } from "./jobServices.js";
import { judgePlan } from "./judgePlan.js";
import { modelOfJobFile } from "./modelOfJobFile.js";
import { objectiveText, type Work } from "./objective.js";
import { OutageTolerantModel, type ServerHealth } from "./outageTolerantModel.js";
import { causeWords, questionWords } from "./questionWords.js";
import { type Review, type ReviewedWork, reviewWork } from "./reviewWork.js";
import { Heartbeat, RunnerRecords } from "./runnerRecords.js";
import { liveRunners, newRunner } from "./runners.js";
import { attended, type Exit, type Judgement, type Next, triage } from "./triage.js";
import {
  jobModes,
  type OpenedSession,
  openSession,
  takeMessages,
  type Unit,
  unitId,
  unitOfWork,
} from "./unitOfWork.js";
import { folderPlace, type WorkPlace, worktreePlace } from "./workPlace.js";

export type LifecycleEnd =
  | { readonly type: "worked"; readonly role: Role; readonly result: Result }
  | Exit
  /** The lifecycle was stopped, or needs the user: another one would fare no better now. */
  | { readonly type: "halted" }
  /** What may be used on a day is used up. */
  | { readonly type: "spent" };

/** The result of the triage: what the lifecycle is for, and the job at that time. */
interface Begun {
  readonly next: Next;
  readonly job: Job;
  /** Live runners that hold tasks. */
  readonly live: ReadonlySet<string>;
}

/** A model's judgement of the plan, and the goal that it was made for. */
interface Judged {
  readonly judgement: Judgement;
  readonly goal: string;
}

/** The parameters that all lifecycles of one process share. */
export interface LifecycleTerms {
  /** Turns, at least 1. */
  readonly quota: number;
  /** The number of runners in this process at a time; at least 1. */
  readonly runners: number;
  /** The most that the job may use in all; no lifecycle begins beyond it. */
  readonly budget: Limit;
  readonly health: ServerHealth;
  /** Called when the job's own records show that the lifecycle works. */
  readonly onRecorded?: (() => Promise<void>) | undefined;
}

/**
 * Runs one lifecycle of a job: triage, intent lock, one session of work, final commit (R-JIXO-4). The model
 * begins without memory, and code writes all that is kept.
 */
export async function lifecycle(
  known: Job,
  terms: LifecycleTerms,
  services: JobServices,
  signal: AbortSignal,
): Promise<LifecycleEnd> {
  const runner = newRunner(known.name, services.experts.ids);
  const own = await services.lock.tryHold(runnerLock(runner) ?? "");
  if (!("held" in own)) throw new Error(`two runners are called ${runner}`);
  // The lock is held for the whole lifecycle, so that others who find its task Locked see that it is alive.
  const life = new Lifecycle(known, runner, own.held, services, terms);
  try {
    return await life.run(signal);
  } finally {
    await life.end();
    await own.held.release();
  }
}

class Lifecycle {
  private readonly store: JobStore;
  private readonly records: RunnerRecords;
  private readonly changes: FileChanges;
  private readonly publisher: EventPublisher;
  private planning: HeldLock | undefined;
  /** Absent until the session's work begins. */
  private heartbeat: Heartbeat | undefined;

  constructor(
    private readonly known: Job,
    private readonly runner: string,
    private readonly alive: HeldLock,
    private readonly services: JobServices,
    private readonly terms: LifecycleTerms,
  ) {
    const { files, lock, experts } = services;
    this.publisher = services.publisher.of({ kind: "job", name: known.name });
    this.store = new JobStore(files, lock, known, (keptAt) => {
      const text = words(
        "The log could not be edited as it was, and is written anew. As it was: {keptAt}.",
        { keptAt },
      );
      this.publisher.notice("warning", text);
    });
    this.records = new RunnerRecords(files, lock, known.stem);
    this.changes = new FileChanges(files, experts.signer, lock, this.store, known.stem);
  }

  async run(signal: AbortSignal): Promise<LifecycleEnd> {
    await this.changes.settle();
    let judged: Judged | undefined;
    for (;;) {
      const begun = await this.begin(judged, signal);
      if (begun === undefined) return { type: "halted" };
      const { next, job } = begun;
      if (next.type === "exit") return next;
      if (next.type !== "judge") return await this.work(next, begun, signal);
      const judgement = await this.judge(job, signal);
      if (judgement === undefined) return { type: "halted" };
      judged = { judgement, goal: job.file.goal };
    }
  }

  async end(): Promise<void> {
    await this.planning?.release();
    this.planning = undefined;
  }

  /**
   * Does triage and intent lock in one write (R-JIXO-8 to 17). Only one runner plans at a time; others stand
   * by. Returns `undefined` if the lifecycle was stopped before, and has taken no task.
   */
  private async begin(judged: Judged | undefined, signal: AbortSignal): Promise<Begun | undefined> {
    const { lock, experts } = this.services;
    const { runner } = this;
    const rights = (await unattendedRights(jobModes.Runner.slug, experts))?.name ?? attended;
    const begun = await this.store.changeLog(async (job) => {
      // A stop also frees the tasks of running lifecycles; one that waited for the log must not take them.
      if (signal.aborted) return { log: job.log, result: undefined };
      const live = await liveRunners(job.log, lock);
      const { log, file, version } = job;
      const now = experts.clock.now();
      // A judgement of another goal does not apply to this one.
      const judgement = judged?.goal === file.goal ? judged.judgement : undefined;
      const found = triage({ log, job: file, version, live, runner, judgement, rights, now });
      const next = budgetEnd(log, this.terms.budget) ?? found.next;
      const plans = next.type === "plan" || next.type === "judge";
      const isPlanned = plans && !(await this.holdPlanning());
      const edits: LogEdit[] =
        next.type === "run"
          ? [{ type: "lock", task: next.task.id, runner, fields: { "waits for": undefined } }]
          : [];
      return {
        log: editJobLog(found.log, edits, version),
        result: {
          job: { ...job, log: found.log },
          live,
          dead: found.edits.flatMap((edit) =>
            edit.type === "setStatus" ? holderOf(edit.task, job) : [],
          ),
          next: isPlanned ? standby : next,
        },
      };
    });
    if (begun === undefined) return undefined;
    // A command of a dead runner could still run beside the runner that does the task now.
    if (begun.dead.length > 0) await experts.host.shell.endOrphaned();
    // Removes the lock files of dead runners. One that was only suspended then finds that it lost its lock.
    for (const name of begun.dead) {
      const left = await lock.tryHold(name);
      if ("held" in left) await left.held.release();
    }
    if (begun.next.type === "run") await this.end();
    return begun;
  }

  private async holdPlanning(): Promise<boolean> {
    if (this.planning !== undefined) return true;
    const own = await this.services.lock.tryHold(this.store.plannerLock);
    if ("held" in own) this.planning = own.held;
    return "held" in own;
  }

  /** Returns `undefined` if the model does not answer, or if the lifecycle was stopped. */
  private async judge(job: Job, signal: AbortSignal): Promise<Judgement | undefined> {
    const { experts } = this.services;
    const model = this.modelOf(job);
    try {
      const judgement = await withOrWithoutTools(
        "rooroo-job-planner",
        model,
        experts,
        (without) => judgePlan(job, model, signal, without),
        () => undefined,
      );
      const { fits, reason } = judgement;
      const text = fits
        ? words("The plan serves the goal as it is now: {reason}", { reason })
        : words("The plan does not serve the goal as it is now: {reason}", { reason });
      this.publisher.notice("info", text);
      return judgement;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof ModelError)) throw error;
      const text = words("Whether the plan serves the goal could not be asked. {why}", {
        why: saidBy(error),
      });
      this.publisher.notice("warning", text);
      return undefined;
    }
  }

  private changesOf(taskId: TaskId, place: WorkPlace): ChangeStore {
    const { clock, signer } = this.services.experts;
    return new ChangeStore(place.changed(), clock, signer, `.rooroo/tasks/${taskId}`);
  }

  private async changedBy(taskId: TaskId, place: WorkPlace): Promise<string[]> {
    return [...(await this.changesOf(taskId, place).read()).keys()];
  }

  /** Returns what the log tells of a session besides its result. */
  private async recordOf(
    { taskId, session }: OpenedSession,
    place: WorkPlace,
    { outcome, used }: WorkAcceptance,
    began: Date,
  ): Promise<SessionRecord> {
    const changes = await changeSummary(this.changesOf(taskId, place)).catch((error: unknown) => {
      if (error instanceof UserError) return nothingKnown;
      throw error;
    });
    const ms = this.services.experts.clock.now().getTime() - began.getTime();
    const effort = addUsage(session.transcript.usage, used);
    return {
      session: taskId,
      changes,
      said: session.transcript.delivered.map(wordsIn).join("\n"),
      ...outcome,
      spent: spendingOf(effort),
      usage: usageFieldText(effort, ms),
      budget: this.terms.budget,
    };
  }

  private async review(work: ReviewedWork, signal: AbortSignal): Promise<Review> {
    const { experts } = this.services;
    const model = this.modelOf(work.job, reviewerSlug);
    const review = await withOrWithoutTools(
      reviewerSlug,
      model,
      experts,
      (without) => reviewWork(work, model, signal, without),
      () => undefined,
    );
    if (!review.isAccepted) {
      const remarks = visibleLine(review.remarks, 1_000);
      this.publisher.notice(
        "info",
        words("The reviewer asks for more on task {task}: {remarks}", {
          task: work.task.id,
          remarks,
        }),
      );
    }
    return review;
  }

  /** Has a session do the work, and writes its result into the log. */
  private async work(next: Work, begun: Begun, signal: AbortSignal): Promise<LifecycleEnd> {
    const { job } = begun;
    await this.records.reap();
    const context = await this.contextOf(next, begun);
    const unit = this.unitOf(next, context);
    const place = await this.placeOf(next, job);
    try {
      return await this.workAt(place, { next, job, context, unit }, signal);
    } finally {
      await place.release();
    }
  }

  /** Returns where the work is done: in the folder, or in the worktree of its task. */
  private async placeOf(next: Work, { stem, name }: Job): Promise<WorkPlace> {
    const { experts, worktrees } = this.services;
    const isIsolated = next.type === "run" && experts.settings().isolation === "worktree";
    if (!isIsolated || worktrees === undefined) return folderPlace(experts);
    const { id, title } = next.task;
    const key = digest(JSON.stringify([stem, id, title]));
    const about = visibleLine(`${objectiveText(next)} of the job ${name}`, 200);
    return worktreePlace(experts, await (await worktrees()).open(key, about));
  }

  private async workAt(
    place: WorkPlace,
    { next, job, context, unit }: UnitOfJob,
    signal: AbortSignal,
  ): Promise<LifecycleEnd> {
    const { experts } = place;
    const { lock } = this.services;
    const { runner, store, changes, publisher } = this;
    const opened = await openSession(unitId(next, job), unit, experts, lock);
    const { taskId } = opened;
    const { objective: goal, quota, time: since } = context;
    const mode = jobModes[unit.role].slug;
    publisher.publish({ type: "sessionStarted", taskId, mode, goal });
    const task = context.task?.id ?? null;
    const record = {
      runner,
      taskId,
      role: unit.role,
      task,
      objective: goal,
      turn: 0,
      quota,
      since,
    };
    const heartbeat = (this.heartbeat = new Heartbeat(record, this.records));
    await heartbeat.put();
    await this.terms.onRecorded?.();
    try {
      await takeMessages(taskId, next, job.log, experts.messages, lock);
      const model = this.modelOf(job);
      const acceptance = this.acceptanceOf(next, job, { taskId, place }, signal);
      const accept = this.acceptOf(next, job, acceptance, () => place.land(taskId));
      const end = await unitOfWork(
        opened.session,
        { ...unit, accept, changed: () => this.changedBy(taskId, place).catch(() => []) },
        { ...experts, modelFor: () => model },
        signal,
      );
      const record = await this.recordOf(opened, place, acceptance, new Date(since));
      const done = await commitWork(
        {
          next,
          end,
          context,
          record,
          rights: (await unattendedRights(jobModes.Runner.slug, experts))?.name ?? attended,
        },
        { store, changes },
        experts.ids,
      );
      if (end.type === "submitted") await end.confirm();
      else await opened.session.abandon();
      // People read why it ended, in the job's language; what was refused last is for the next agent, in the log.
      const why =
        end.type === "interrupted" ? causeWords(questionWords(job.file.goal), end) : undefined;
      this.publishEnd({ taskId, mode, changedFiles: record.changes.files }, done, why);
      if (end.type === "interrupted" && end.cause === "day") return { type: "spent" };
      // Where the model fails, or a person stops it, the next lifecycle would fare no better.
      const halts = end.type === "interrupted" && ["model", "stopped"].includes(end.cause);
      return halts ? { type: "halted" } : { type: "worked", role: unit.role, result: done.result };
    } finally {
      await heartbeat.remove();
      await opened.release();
    }
  }

  /** Returns the situation in which the work begins, as the session's prompt and the log tell it. */
  private async contextOf(next: Work, { job, live }: Begun): Promise<LifecycleContext> {
    const { runner } = this;
    const { quota, runners } = this.terms;
    const shown = (await this.records.alive()).map((record) => record.runner);
    const others = [...new Set([...live, ...shown])].filter((one) => one !== runner);
    const time = this.services.experts.clock.now().toISOString();
    const task = next.type === "run" ? next.task : null;
    return { job, runner, quota, runners, others, time, objective: objectiveText(next), task };
  }

  private unitOf(next: Work, context: LifecycleContext): Unit {
    const { publisher } = this;
    return {
      role: next.type === "plan" ? "Planner" : "Runner",
      context,
      guard: () => this.alive.check(),
      onEvent: (id, event) => {
        publisher.agent(id, event);
        if (event.type === "usage") this.heartbeat?.countTurn();
        if (event.type === "messageDelivered") publisher.tasksChanged();
      },
      onNotice: (text, how) => {
        publisher.ofSession(text, how);
      },
      rejections: [],
    };
  }

  /** Returns the check of what the session submits, against the job as it is then. */
  private acceptOf(
    next: Work,
    job: Job,
    acceptance: WorkAcceptance,
    land: () => Promise<LandedTask>,
  ): Ending["accept"] {
    return async (args, run) => {
      const now = await readJob(this.services.files, job);
      if (next.type === "plan") {
        const misfit = planProblem(readPlan(args), next, now);
        return misfit === undefined ? undefined : { misfit };
      }
      const work = readWork(args);
      const rejection = await acceptance.rejection(work, next.task, now, run);
      const isDone = work.result === "Succeeded" && !work.clarification;
      return rejection ?? (isDone ? this.rejectionByOthers(await land()) : undefined);
    };
  }

  /** Returns why work cannot be put into the user's folder yet; `undefined` if it has been. */
  private rejectionByOthers(landed: LandedTask): string | undefined {
    if (landed.type === "conflicts") {
      const paths = landed.paths.map((path) => `- ${visibleLine(path, 300)}`).join("\n");
      return `While you worked, others changed the same lines in the user's folder. Their changes are in your files now. These have conflict markers (<<<<<<<, =======, >>>>>>>; the first part is theirs, the second one yours):\n${paths}\nResolve each so that both changes are kept in meaning, check your work again, then submit again.`;
    }
    if (landed.left.length > 0) {
      const left = landed.left.flatMap((one) => ["\n- ", one]);
      this.publisher.notice("warning", joined(words("Not put into your folder:"), ...left));
    }
    return undefined;
  }

  /** Returns what decides whether work that the session submits is accepted. */
  private acceptanceOf(
    next: Work,
    { log }: Job,
    { taskId, place }: { readonly taskId: TaskId; readonly place: WorkPlace },
    signal: AbortSignal,
  ): WorkAcceptance {
    return new WorkAcceptance({
      changes: () => {
        const earlier = next.type === "run" ? (sessionsByTask(log).get(next.task) ?? []) : [];
        return [...earlier.toReversed(), taskId].map((id) => this.changesOf(id, place));
      },
      review: (work) => this.review(work, signal),
    });
  }

  /** Returns the model that the job file names, if it is available, or else the one that a mode uses. */
  private modelOf({ file, jobPath }: Job, slug = jobModes.Runner.slug): LanguageModel {
    const { experts } = this.services;
    const named = file.model === undefined ? undefined : experts.modelNamed?.(file.model);
    const asked = named && modelOfJobFile(named, jobPath);
    const model = asked ?? experts.modelFor?.(slug) ?? experts.model;
    return new OutageTolerantModel(model, this.terms.health);
  }

  /** @param message what people are told of it; by default what the log says */
  private publishEnd(
    ended: Parameters<EventPublisher["ended"]>[0],
    { result, summary, asked, problem }: Committed,
    message = summary,
  ): void {
    const { publisher } = this;
    const { taskId, mode } = ended;
    publisher.ended(ended, ends[result], message);
    if (asked !== undefined) {
      const { id: questionId, text } = asked;
      const question = { questionId, taskId: `${taskId}/${questionId}`, text, suggestions: [] };
      publisher.publish({ type: "question", mode, ...question });
    }
    if (problem !== undefined) publisher.notice("warning", problem);
  }
}

/** Returns the end of a job that has used its budget up; `undefined` if it may go on. */
function budgetEnd({ notes }: JobLog, budget: Limit): Exit | undefined {
  const spent = readTotals(notes.spent ?? "");
  const kind = reached(budget, noSpending, spent);
  if (kind === undefined) return undefined;
  const used = spendingText(kind, spent[kind]);
  const most = spendingText(kind, budget[kind] ?? 0);
  const reason = words(
    "The job has used {used} of its budget of {most}. Give it a larger one to go on (--budget, or the setting rooroo.limits.job).",
    { used, most },
  );
  return { type: "exit", code: 2, reason, isFinal: true };
}

/** What a session of a job is about. */
interface UnitOfJob {
  readonly next: Work;
  readonly job: Job;
  readonly context: LifecycleContext;
  readonly unit: Unit;
}

const reviewerSlug = "rooroo-job-reviewer";
const nothingKnown = { files: 0, text: "" };

function holderOf(taskId: TaskId, { log }: Job): string[] {
  const runner = log.tasks.find(({ id }) => id === taskId)?.runner;
  const name = runner === undefined ? undefined : runnerLock(runner);
  return name === undefined ? [] : [name];
}

const ends = {
  Succeeded: "Done",
  Failed: "Failed",
  Pending: "Stopped",
  Cancelled: "Stopped",
} as const;

const standby: Next = {
  type: "exit",
  code: 2,
  reason: words("No available tasks to execute, other agents are active."),
};
