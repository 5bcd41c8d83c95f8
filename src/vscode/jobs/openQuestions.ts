import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";

/** Returns the ids of a job's questions that have no answer yet. */
export function openQuestions({ questions }: JobOverview): string[] {
  return questions.filter(({ answer }) => answer === null).map(({ id }) => id);
}

/** Returns how many questions jobs wait for: one that goes on without the answer does not count. */
export function awaitedQuestions(jobs: readonly JobOverview[]): number {
  return jobs.filter(({ state }) => state === "needsYou").flatMap(openQuestions).length;
}
