/** Whether an id belongs to a job's lifecycle, or to a question of one, and not to a task. */
export function isOfJob(taskId: string): boolean {
  return taskId.startsWith("ROO#JOB");
}

/** Returns the task id, in the form of `tellOfJob`, of a question that was not asked in this process. */
export function questionTaskId(questionId: string): string {
  return `ROO#JOB/${questionId}`;
}
