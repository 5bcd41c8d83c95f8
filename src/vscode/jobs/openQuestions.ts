import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";

/** Returns the ids of a job's questions that have no answer yet. */
export function openQuestions({ questions }: JobOverview): string[] {
  return questions.filter(({ answer }) => answer === null).map(({ id }) => id);
}
