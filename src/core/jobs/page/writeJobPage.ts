import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import type { Job } from "../documents/jobFolder.js";
import { jobPlace, plainName } from "../documents/jobNames.js";

/**
 * Writes a job's page beside what code keeps of the job, where git ignores it: `.jixo/` is the user's (R-JIXO-1). Returns
 * its path in the workspace.
 */
export async function writeJobPage(
  { stem }: Pick<Job, "stem">,
  html: string,
  { files, lock }: { readonly files: FileSystem; readonly lock: Lock },
): Promise<string> {
  const path = `${jobPlace(stem)}/${plainName(stem)}.html`;
  // The lock also makes sure that git is told to ignore the folder.
  await lock.exclusively(`job-page-${plainName(stem)}`, () => files.replaceFile(path, html));
  return path;
}
