import type { FileSystem } from "../ports/files.js";
import type { Lock } from "../ports/locks.js";
import { answerInJobFile } from "./documents/jobFile.js";
import { type Job, readJobs } from "./documents/jobFolder.js";
import { JobStore } from "./documents/jobStore.js";

/**
 * Writes the answer to a question into the job file that asks it; the next lifecycle works it in (R-JIXO-11).
 * Returns the job, or `undefined` if no job asks the question.
 *
 * @throws {UserError} if the answer cannot be written there
 */
export async function answerJob(
  questionId: string,
  text: string,
  { files, lock }: { files: FileSystem; lock: Lock },
): Promise<Job | undefined> {
  const asks = ({ file }: Job) => file.clarifications.some(({ id }) => id === questionId);
  const job = (await readJobs(files)).find(asks);
  if (job === undefined) return undefined;
  await new JobStore(files, lock, job).changeFile((file) =>
    answerInJobFile(file, questionId, text),
  );
  return job;
}
