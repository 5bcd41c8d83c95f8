/** Returns whether a job file may have this name: letters, digits, spaces, dots, - and _, 80 characters at most. */
export function isJobName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u.test(name) && name.length <= 80;
}

/** Tells from a file's name which of a job's documents it is; `undefined` for any other file. */
export function jobDocumentKind(path: string): "job" | "log" | undefined {
  const ending = /\.(job|task|log)\.md$/.exec(path)?.[1];
  return ending === "log" ? "log" : ending === undefined ? undefined : "job";
}

/**
 * Returns a job's stem as a name for locks and folders. Two jobs that share one would only block each other.
 */
export function plainName(stem: string): string {
  return stem.replace(/[^\w-]/g, (char) => `_${char.charCodeAt(0).toString(16)}`).slice(0, 120);
}

/** Returns the name by which a job is ordered to stop. */
export function jobStopName(stem: string): string {
  return `job-${plainName(stem)}`;
}

/**
 * Returns the folder of all that code keeps of a job besides its two files. It may be deleted while no runner
 * works on the job.
 */
export function jobPlace(stem: string): string {
  return `.rooroo/jobs/${plainName(stem)}`;
}

/**
 * Returns the name of the lock that a runner holds while it lives: the held locks tell which runners are
 * alive. Returns `undefined` for an id that was not made for a runner.
 */
export function runnerLock(runner: string): string | undefined {
  const own = /-([0-9a-f]{32})$/.exec(runner)?.[1];
  return own === undefined ? undefined : `job-runner-${own}`;
}
