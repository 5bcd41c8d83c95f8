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
