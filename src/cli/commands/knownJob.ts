import { UserError } from "../../core/errors.js";
import { type Job, jobNamed } from "../../core/jobs/documents/jobFolder.js";
import type { FileSystem } from "../../core/ports.js";
import { WrongUse } from "./wrongUse.js";

/** Returns the job with this name. Throws {@link WrongUse} if there is none. */
export async function knownJob(name: string, files: FileSystem): Promise<Job> {
  try {
    return await jobNamed(name, files);
  } catch (error) {
    throw error instanceof UserError ? new WrongUse(error.message) : error;
  }
}
