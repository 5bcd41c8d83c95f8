import type { Rejection } from "../../agent/calls/settleCalls.js";
import { addUsage } from "../../agent/usageSums.js";
import { changesDiff } from "../../changes/changesDiff.js";
import type { ChangeStore } from "../../changes/changeStore.js";
import type { RunCommand } from "../../experts/ending.js";
import { noSessionUsage, type SessionUsage } from "../../ports/messages.js";
import { visibleLine } from "../../text/visibleText.js";
import type { Job } from "../documents/jobFolder.js";
import type { Task } from "../documents/roadmap.js";
import { type WorkReport, workProblem } from "./jobReport.js";
import type { Review, ReviewedWork } from "./reviewWork.js";

/** The most reviews in one lifecycle. */
const mostReviews = 3;
/** The most characters of the changes that a reviewer sees, and of a check's output that a runner sees. */
const mostDiff = 40_000;
const mostOutput = 6_000;

/** The dependencies of {@link WorkAcceptance}. */
interface Means {
  /** Returns the stores of the task's changes, the oldest session first. */
  readonly changes: () => readonly ChangeStore[];
  readonly review: (work: ReviewedWork) => Promise<Review>;
}

/**
 * Decides whether what a runner submits is accepted (R-JIXO-33). A task counts as done only if the job file's check
 * succeeds, and then only if a reviewer finds it done, where the job file asks for one. The runner is told why it is
 * not, and goes on.
 */
export class WorkAcceptance {
  /** The outcomes of the last check and the last review, for the log. */
  readonly outcome: { check?: string; review?: string } = {};
  /** The usage of the reviews. */
  used: SessionUsage = noSessionUsage;
  private reviews = 0;

  constructor(private readonly means: Means) {}

  /** Returns why the submission is rejected; `undefined` if it is accepted. */
  async rejection(
    report: WorkReport,
    task: Task,
    job: Job,
    run: RunCommand,
  ): Promise<Rejection | undefined> {
    const problem = workProblem(report, task, job.file);
    if (problem !== undefined || report.result !== "Succeeded" || report.clarification) {
      return problem;
    }
    return (await this.failedCheck(job, run)) ?? (await this.rework(report, task, job));
  }

  private async failedCheck(
    { file: { check } }: Job,
    run: RunCommand,
  ): Promise<Rejection | undefined> {
    if (check === undefined) return undefined;
    const ran = await run(check);
    if ("waitsFor" in ran) return ran;
    const command = visibleLine(check, 200);
    this.outcome.check = `${ran.ok ? "passed" : "failed"}: ${command}`;
    if (ran.ok) return undefined;
    const { content } = ran;
    const left = content.length - mostOutput;
    const output = left <= 0 ? content : `… (${left} characters before)\n${content.slice(left)}`;
    return `Your task does not count as done while the job's check fails: ${command}\n${output}\nMend what your task has broken or left, then submit again. If the check fails for another reason, submit Pending with blocked_by.`;
  }

  private async rework(report: WorkReport, task: Task, job: Job): Promise<string | undefined> {
    if (!job.file.isReviewed) return undefined;
    if (this.reviews === mostReviews) {
      return `The reviewer has asked for more ${mostReviews} times. Submit Pending now, with what is done, and what the reviewer still asks for.`;
    }
    this.reviews++;
    const diffs: string[] = [];
    for (const store of this.means.changes()) diffs.push(await changesDiff(store, mostDiff));
    const diff = diffs.join("").slice(0, mostDiff);
    const { check } = this.outcome;
    const { usages, ...review } = await this.means.review({ job, task, report, diff, check });
    for (const usage of usages)
      this.used = addUsage(this.used, { ...usage, calls: 1, workedMs: 0 });
    this.outcome.review = `${review.isAccepted ? "accepted" : "asked for more"}: ${visibleLine(review.remarks, 500)}`;
    return review.isAccepted
      ? undefined
      : `A reviewer looked at your changes, and your task does not count as done yet: ${review.remarks}\nSee to that, then submit again. If the reviewer is wrong, say why in your summary.`;
  }
}
