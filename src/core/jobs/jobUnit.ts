/** Whether an id is that of a lifecycle of a job, or of what one has asked, and not of a task. */
export function isOfJob(taskId: string): boolean {
  return taskId.startsWith("ROO#JOB");
}

/** As `tellOfJob` names it, for one that this process has not heard being asked. */
export function questionTaskId(questionId: string): string {
  return `ROO#JOB/${questionId}`;
}
