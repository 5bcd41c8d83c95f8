import { UserError } from "../../errors.js";
import type { JobName } from "../../ids.js";
import { isTakenOver, type Takeable, type TakenOverServices } from "../../work/takenOver.js";
import { jobPlace } from "./jobNames.js";

/** Returns what a person takes over of a job. Two jobs may share the record, as their names are cut in its path. */
export function takeableJob({
  stem,
  jobPath,
}: {
  /** The name of the job's file without its suffix. */
  readonly stem: string;
  readonly jobPath: string;
}): Takeable {
  return { kind: "job", place: jobPath, recordPath: `${jobPlace(stem)}/taken.json` };
}

/** Throws a {@link UserError} unless a person has taken the job over. */
export async function checkTakenOver(
  job: { readonly stem: string; readonly jobPath: string; readonly name: JobName },
  services: TakenOverServices,
): Promise<void> {
  if (await isTakenOver(takeableJob(job), services)) return;
  throw new UserError(
    "jobNotTakenOver",
    "{path} may have come with the folder, and nobody has run it here yet, so it does not run by itself. Read it, then run the job {job} by its name.",
    { path: job.jobPath, job: job.name },
  );
}
