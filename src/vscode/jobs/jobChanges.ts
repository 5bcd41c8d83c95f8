import { UserError } from "../../core/errors.js";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import type { Jobs } from "../../core/jobs/jobs.js";
import type { ChangeReview } from "../changes/changeReview.js";
import { type Review, review as reviewOf } from "../changes/reviews.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import { choose } from "../work/choose.js";
import { type JobTask, tasksIn } from "./roadmapTasks.js";

/** Shows what a job has changed, or one of its tasks, for review. */
export async function reviewJobChanges(
  job: JobOverview,
  taskId: string | undefined,
  review: ChangeReview,
): Promise<void> {
  const task = tasksIn(job.roadmap).find(({ id }) => id === taskId);
  const offered = task ? reviewOfTask(job, task) : reviewOfJob(job);
  review.offer(offered);
  await review.open(offered.id);
}

/**
 * Undoes what a job's task has changed, if the user confirms it, and sets the task back.
 *
 * @param taskId the task's id; `undefined`: the user chooses the task
 * @throws {UserError} if a runner works on the task, or if no task can be undone
 */
export async function undoJobTask(
  job: JobOverview,
  taskId: string | undefined,
  review: ChangeReview,
  jobs: Jobs,
): Promise<void> {
  const task = await chooseTask(job, taskId);
  if (task === undefined) return;
  await jobs.checkUndo(job.name, task.id);
  const offered = reviewOfTask(job, task);
  review.offer(offered);
  await jobs.setTaskBack(job.name, task.id, await review.undo(offered.id));
}

function reviewOfTask({ stem }: JobOverview, { id, title, sessions }: JobTask): Review {
  return reviewOf("task", `${stem}/${id}`, title, sessions.toReversed());
}

function reviewOfJob({ stem, title, name, sessions }: JobOverview): Review {
  return reviewOf("job", stem, title ?? name, sessions.toReversed());
}

/** Returns the task with this id, or one that the user chooses among those that have changed something. */
async function chooseTask(job: JobOverview, id: string | undefined): Promise<JobTask | undefined> {
  const none = () =>
    new UserError("noJobTaskToUndo", "{job} has no task whose changes can be undone.", {
      job: job.name,
    });
  const tasks = tasksIn(job.roadmap).filter(
    (one) => one.sessions.length > 0 && (id === undefined || one.id === id),
  );
  return choose(tasks, id, {
    names: (one) => [one.id],
    show: ({ title, status }) => ({ label: shorten(title, 80), description: status ?? "" }),
    placeHolder: t("Select the task whose changes to undo"),
    unknown: none,
    none,
  });
}
