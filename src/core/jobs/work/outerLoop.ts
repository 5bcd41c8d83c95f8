import { removeLeftovers } from "../../access/leftovers.js";
import { saidBy, UserError } from "../../errors.js";
import { unattendedRights } from "../../experts/unattendedRights.js";
import type { JobName } from "../../ids.js";
import type { Limit } from "../../spending/spendTotals.js";
import { durationText } from "../../text/durationText.js";
import { joined } from "../../text/joined.js";
import { momentText } from "../../text/momentText.js";
import { folderOf } from "../../text/pathParts.js";
import { type Said, type Words, words } from "../../text/words.js";
import { untilStopped } from "../../work/stop.js";
import { takeOver } from "../../work/takenOver.js";
import { type Job, jobNamed } from "../documents/jobFolder.js";
import { jobStopName } from "../documents/jobNames.js";
import { checkTakenOver, takeableJob } from "../documents/takenOver.js";
import type { JobServices } from "./jobServices.js";
import { lifecycle } from "./lifecycle.js";
import { type OutageNews, ServerHealth } from "./outageTolerantModel.js";
import { TaskCommits } from "./taskCommits.js";
import { type Exit, isFinished } from "./triage.js";
import { jobModes } from "./unitOfWork.js";

export interface JobRun {
  readonly name: JobName;
  /** `person`: somebody has named this job for this run, and so takes it over; `itself`: it goes on after a reload, or by a list. */
  readonly startedBy: "person" | "itself";
  /** The number of runners in this process at a time; at least 1. */
  readonly runners: number;
  /** The turns of one lifecycle; at least 1. */
  readonly quota: number;
  /** The most lifecycles in all, not counting those that find nothing to do. `undefined`: no limit. */
  readonly most?: number | undefined;
  /** No lifecycle begins at this time or later. */
  readonly until?: Date | undefined;
  /** Whether to wait for other runners, and for the next cycle of a periodic job, instead of ending. */
  readonly waits?: boolean;
  /** The most that the job may use in all its runs. Absent: no limit. */
  readonly budget?: Limit | undefined;
  /** Called whenever the job's own records show that a lifecycle works. */
  readonly onRecorded?: (() => Promise<void>) | undefined;
}

/** A run of a job, whoever starts it. */
export type JobOrder = Omit<JobRun, "startedBy">;

export interface JobEnd {
  /**
   * The protocol's exit code: 0 the job is complete, 1 it cannot continue, 2 others are at work, or work is
   * left.
   */
  readonly code: 0 | 1 | 2;
  readonly reason: Said;
}

const halted: Readonly<Record<"stopped" | "needed", JobEnd>> = {
  stopped: { code: 1, reason: words("Stopped. Run the job again to continue.") },
  /** The cause was published before, and is in the log. */
  needed: { code: 1, reason: words("The job has stopped. Run it again to continue.") },
};

/** The number of lifecycles in a row without a success after which the loop ends. */
const maxFailures = 20;

/** The shortest pause of a waiting runner before it checks again, in milliseconds. */
const lookMs = 2_000;
/** The longest one: a clock that was set while it checked makes no check look long. */
const longestLookMs = 60_000;
/** The longest wait for a new day, in milliseconds, if the job has no end of its own. */
const longestRestMs = 2 * 3_600_000;
/** The largest share of time spent on checks, for long logs: a check keeps other runners from the log. */
const lookShare = 0.05;

/** Starts lifecycles until the triage, the user or a limit ends the loop (R-JIXO-3, R-JIXO-30). */
export async function outerLoop(
  run: JobRun,
  services: JobServices,
  signal: AbortSignal,
): Promise<JobEnd> {
  const job = await jobNamed(run.name, services.files);
  const own = { files: services.files, signer: services.experts.signer };
  if (run.startedBy === "person") await takeOver(takeableJob(job), own);
  else await checkTakenOver(job, own);
  return untilStopped(
    jobStopName(job.stem),
    { files: services.files, clock: services.experts.clock },
    signal,
    (stopping) => new OuterLoop(job, run, services, stopping).run(),
  );
}

/** The runners of one process, and the state that they share. */
class OuterLoop {
  /** The number of lifecycles that have worked, or are still going on. */
  #begun = 0;
  /** The number of lifecycles going on, including those that only check for work. */
  #active = 0;
  #failures = 0;
  /** The exit that the loop waits after; `undefined` while it works. */
  #waitsAfter: Exit | undefined;
  #end: JobEnd | undefined;
  /** The end of the day whose limit is reached, in milliseconds since the epoch, once people were told of it. */
  #restsUntil: number | undefined;
  readonly #health: ServerHealth;
  /** Absent where the job file asks for none. */
  #commits: TaskCommits | undefined;
  /** The problems with commits that people were told of. */
  readonly #toldProblems = new Set<string>();
  /** Aborted, and replaced, whenever a runner of this process has worked, or the loop ends. */
  #news = new AbortController();

  constructor(
    private readonly job: Job,
    private readonly limits: JobRun,
    private readonly services: JobServices,
    private readonly signal: AbortSignal,
  ) {
    const { runners, until, waits = false } = limits;
    const hasAnswered = job.log.entries.some(({ result }) => result === "Succeeded");
    this.#health = new ServerHealth(
      services.experts.clock,
      { runners, until, waits, hasAnswered },
      (news) => {
        this.#tell(outageText(news));
      },
    );
  }

  async run(): Promise<JobEnd> {
    const { file, log } = this.job;
    await removeLeftovers([folderOf(this.job.jobPath)], this.services.files);
    // A job that was done elsewhere has no commits to be made here, and gets no branch for them.
    const isOver = isFinished(log, file) && log.notes.commits_since === undefined;
    if (file.isCommitted && !isOver) {
      const problem = await this.#beginCommits();
      if (problem !== undefined) return { code: 1, reason: problem };
    }
    const problem = await this.#worktreeProblem();
    if (problem !== undefined) return { code: 1, reason: problem };
    if (file.model !== undefined && !isOver)
      this.#tell(words("The job file asks for the model {model}.", { model: file.model }));
    const rights = isFinished(log, file)
      ? undefined
      : await unattendedRights(jobModes.Runner.slug, this.services.experts);
    if (rights?.lacks !== undefined) this.#tellOf("warning", rights.lacks);
    const runners = Array.from({ length: this.limits.runners }, () => this.#runner());
    for (const one of await Promise.allSettled(runners)) {
      if (one.status === "rejected") throw one.reason;
    }
    return this.#end ?? halted.stopped;
  }

  /** Returns why tasks cannot have worktrees that the user wants for them. */
  async #worktreeProblem(): Promise<Said | undefined> {
    const { experts, worktrees } = this.services;
    if (experts.settings().isolation !== "worktree") return undefined;
    try {
      const limits = (await (await worktrees?.())?.check()) ?? [];
      for (const text of limits) this.#tell(text);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return saidBy(error);
    }
    return undefined;
  }

  /** Returns why no commits can be made; `undefined` if they can. */
  async #beginCommits(): Promise<Said | undefined> {
    const { files, lock, experts } = this.services;
    const { signer, clock, host } = experts;
    if (host.commits === undefined)
      return words("No commits can be made here: take git: commit out of the job file.");
    const commits = new TaskCommits(this.job, {
      files,
      lock,
      signer,
      clock,
      commits: host.commits,
    });
    try {
      await commits.begin();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return saidBy(error);
    }
    this.#commits = commits;
    await this.#commit();
    return undefined;
  }

  /** Makes the commits that the log calls for. What cannot be committed now is tried again after the next lifecycle. */
  async #commit(): Promise<void> {
    const problems = await this.#commits?.settle();
    const { publisher } = this.services;
    for (const text of problems ?? []) {
      if (this.#toldProblems.has(text)) continue;
      this.#toldProblems.add(text);
      publisher.of({ kind: "job", name: this.job.name }).notice("warning", text);
    }
  }

  async #runner(): Promise<void> {
    try {
      while (this.#end === undefined) {
        const over = this.#limit();
        if (over === undefined) await this.#lifecycle();
        else this.#finish(over);
      }
    } catch (error) {
      this.#finish({ code: 1, reason: words("A lifecycle broke.") });
      throw error;
    }
  }

  /** Returns the end of the loop if no further lifecycle may begin. */
  #limit(): JobEnd | undefined {
    const { most = Infinity, until } = this.limits;
    if (this.signal.aborted) return halted.stopped;
    if (this.#begun >= most) {
      return { code: 2, reason: words("Work is left: run the job again.") };
    }
    if (until !== undefined && this.services.experts.clock.now() >= until) {
      const reason = words("The time is up, and work is left: run the job again.");
      return { code: 2, reason };
    }
    if (this.#failures < maxFailures) return undefined;
    const reason = words(
      "{most, plural, one {# lifecycle} other {# lifecycles}} in a row got nothing done. Read the log, change the job or the plan, then run it again.",
      { most: maxFailures },
    );
    return { code: 1, reason };
  }

  async #lifecycle(): Promise<void> {
    this.#begun++;
    this.#active++;
    const newer = this.#news.signal;
    const { job, services, signal } = this;
    const { clock } = services.experts;
    const since = clock.now().getTime();
    const { quota, runners, budget = {}, onRecorded } = this.limits;
    const terms = { quota, runners, budget, onRecorded, health: this.#health };
    const result = await lifecycle(job, terms, services, signal).finally(() => this.#active--);
    if (result.type === "exit") {
      this.#begun--;
      // If another runner of this process has worked since, there may be work now: check again at once.
      if (!newer.aborted) await this.#stand(result, newer, clock.now().getTime() - since);
      return;
    }
    this.#waitsAfter = undefined;
    await this.#commit();
    if (result.type === "spent") {
      this.#begun--;
      await this.#rest();
      return;
    }
    if (result.type === "worked") {
      // A plan gets nothing done by itself: plans that only try again would go on forever.
      if (result.result !== "Succeeded") this.#failures++;
      else if (result.role === "Runner") this.#failures = 0;
      this.#tellNews();
    } else this.#finish(this.#haltedEnd());
  }

  #haltedEnd(): JobEnd {
    if (this.signal.aborted) return halted.stopped;
    const limit = this.#health.reachedLimit;
    if (limit === undefined) return halted.needed;
    const reason = words("{why} Work is left: run the job again then.", { why: saidBy(limit) });
    return { code: 2, reason };
  }

  /** Waits for the next day, if it is near, because what may be used on this one is used up; else ends the loop. */
  async #rest(): Promise<void> {
    const { clock, spending } = this.services.experts;
    const limit = await spending.reachedToday();
    if (limit === undefined) return;
    const now = clock.now();
    const next = new Date(now);
    next.setHours(24, 0, 0, 0);
    const { until, waits } = this.limits;
    const last = until?.getTime() ?? (waits === true ? Infinity : now.getTime() + longestRestMs);
    const said = { used: limit.used, time: momentText(next) };
    if (next.getTime() >= last) {
      const reason = words(
        "The limit for a day is reached: {used} (setting “rooroo.limits.day”, or --limit-day). A new day begins at {time}. Work is left: run the job again then, or allow more.",
        said,
      );
      this.#finish({ code: 2, reason });
      return;
    }
    if (this.#restsUntil !== next.getTime()) {
      this.#restsUntil = next.getTime();
      this.#tell(words("The limit for a day is reached: {used}. The job goes on at {time}.", said));
    }
    const ms = next.getTime() - now.getTime();
    await clock.sleep(ms, this.signal).catch(() => undefined);
  }

  /** Handles a lifecycle that found no work: ends the loop, or waits until it is worth checking again. */
  async #stand(exit: Exit, newer: AbortSignal, lookedMs: number): Promise<void> {
    const mayChange = exit.isFinal !== true && (exit.code === 2 || exit.restartsAt !== undefined);
    if (this.limits.waits === true && mayChange) {
      // It waits for other runners, or for the next cycle, which has a time.
      const before = this.#waitsAfter;
      const isTold =
        before !== undefined && before.restartsAt?.getTime() === exit.restartsAt?.getTime();
      if (!isTold) this.#tell(joined(exit.reason, " ", words("Waiting.")));
      this.#waitsAfter = exit;
    } else if (exit.code !== 2 || this.#active === 0) {
      this.#finish({ code: exit.code, reason: exit.reason });
      return;
    }
    const { clock } = this.services.experts;
    const now = clock.now().getTime();
    const due = [exit.restartsAt, this.limits.until].flatMap((time) =>
      time === undefined ? [] : [time.getTime() - now],
    );
    const pauseMs = Math.min(longestLookMs, Math.max(lookMs, lookedMs / lookShare));
    await clock
      .sleep(Math.max(1, Math.min(pauseMs, ...due)), AbortSignal.any([this.signal, newer]))
      .catch(() => undefined);
  }

  #finish(end: JobEnd): void {
    this.#end ??= end;
    this.#tellNews();
  }

  #tellNews(): void {
    const told = this.#news;
    this.#news = new AbortController();
    told.abort();
  }

  #tell(text: Said): void {
    this.#tellOf("info", text);
  }

  #tellOf(level: "info" | "warning", text: Said): void {
    this.services.publisher.of({ kind: "job", name: this.job.name }).notice(level, text);
  }
}

function outageText(news: OutageNews): Words {
  return news.type === "over"
    ? words("The model answers again, after {duration}. The job goes on.", {
        duration: durationText(news.lastedMs),
      })
    : words("The model does not answer: {why} The job tries again at {time}.", {
        why: saidBy(news.error),
        time: news.until.toISOString(),
      });
}
