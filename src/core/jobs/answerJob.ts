import type { FileSystem } from "../ports/files.js";
import type { Lock } from "../ports/locks.js";
import type { Signer } from "../ports/system.js";
import { type Words, words } from "../text/words.js";
import { isTakenOver } from "../work/takenOver.js";
import { answerInJobFile } from "./documents/jobFile.js";
import { type Job, readJobs } from "./documents/jobFolder.js";
import { JobStore } from "./documents/jobStore.js";
import { takeableJob } from "./documents/takenOver.js";

/**
 * Writes the answer to a question into the job file that asks it; the next lifecycle works it in (R-JIXO-11).
 * A file that came with the folder may ask under the id of another's question: then that job is meant that a person has taken over.
 * Returns the job, or `undefined` if no job asks the question.
 *
 * @throws {UserError} if the answer cannot be written there
 */
export async function answerJob(
  questionId: string,
  text: string,
  { files, lock, signer }: { files: FileSystem; lock: Lock; signer: Signer },
): Promise<Job | undefined> {
  const asks = ({ file }: Job) => file.clarifications.some(({ id }) => id === questionId);
  const [first, ...more] = (await readJobs(files)).filter(asks);
  const job = more.length === 0 ? first : await takenOverOf([first, ...more], { files, signer });
  if (job === undefined) return undefined;
  await new JobStore(files, lock, job).changeFile((file) =>
    answerInJobFile(file, questionId, text),
  );
  return job;
}

/** Returns what a person is told of an answer that was written down. */
export function answeredWords({ jobPath, name }: Pick<Job, "jobPath" | "name">): Words {
  return words("The answer was written to {path}; the next lifecycle of {job} applies it.", {
    path: jobPath,
    job: name,
  });
}

async function takenOverOf(
  jobs: readonly (Job | undefined)[],
  services: { files: FileSystem; signer: Signer },
): Promise<Job | undefined> {
  for (const job of jobs) {
    if (job !== undefined && (await isTakenOver(takeableJob(job), services))) return job;
  }
  return undefined;
}
