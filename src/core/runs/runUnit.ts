/** Whether an id is that of an agent's work for a run, and not of a task. */
export function isOfRun(taskId: string): boolean {
  return taskId.startsWith("ROO#RUN");
}

/** The same work of the same run always has the same id: who goes on finds what was done of it. */
export function runUnitId(runId: string, unit: string): string {
  return `ROO#RUN_${runId.replace(/^run-/, "")}_${unit}`;
}
