import * as z from "zod";
import { readOwnDocument } from "../../access/namedFile.js";
import { parseJson } from "../../documents/parseJson.js";
import { UserError } from "../../errors.js";
import type { JobName } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Signer } from "../../ports/system.js";
import { isSigned, signJson } from "../../provenance/signedJson.js";
import { jobPlace } from "./jobNames.js";

const record = z.object({ job: z.string() });

/** A job's file. */
interface Place {
  /** Its name without its suffix. */
  readonly stem: string;
  readonly jobPath: string;
}

interface Services {
  readonly files: FileSystem;
  readonly signer: Signer;
}

/**
 * Notes that a person has taken a job over: by running it by its name, or by creating it here. A job's file can have come with
 * the folder, and is a proposal until then: nothing of it runs by itself, and nothing is written into it. What the file says
 * later counts, too, as the person edits it while the job runs.
 */
export async function takeOver(job: Place, { files, signer }: Services): Promise<void> {
  if (await isTakenOver(job, { files, signer })) return;
  const path = recordOf(job);
  const text = `${JSON.stringify({ job: job.jobPath }, undefined, 2)}\n`;
  await files.replaceFile(path, signJson(text, path, signer));
}

/** Returns whether a person has taken this job over here. */
export async function isTakenOver(job: Place, { files, signer }: Services): Promise<boolean> {
  try {
    const bytes = await readOwnDocument(recordOf(job), files, 10_000);
    const text = new TextDecoder().decode(bytes);
    if (!isSigned(text, recordOf(job), signer)) return false;
    // Two jobs may share the folder, as their names are cut in its own.
    const json = parseJson(text);
    const read = json.ok ? record.safeParse(json.value).data : undefined;
    return read?.job === job.jobPath;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return false;
  }
}

/** Throws a {@link UserError} unless a person has taken the job over. */
export async function checkTakenOver(
  job: Place & { readonly name: JobName },
  services: Services,
): Promise<void> {
  if (await isTakenOver(job, services)) return;
  throw new UserError(
    "jobNotTakenOver",
    "{path} may have come with the folder, and nobody has run it here yet, so it does not run by itself. Read it, then run the job {job} by its name.",
    { path: job.jobPath, job: job.name },
  );
}

function recordOf({ stem }: Place): string {
  return `${jobPlace(stem)}/taken.json`;
}
