import type { Job } from "../../core/jobs/documents/jobFolder.js";
import type { JobOverview } from "../../core/jobs/jobOverview.js";
import { terminalLine } from "./terminalText.js";

/** Returns a job's overview in the form that `--json` has promised. */
export function jobJson(job: Job, overview: JobOverview) {
  const { name, title, version, jobPath, progress, taskCounts, staleLocks, next } = overview;
  return {
    name,
    version,
    jobPath,
    logPath: job.logPath,
    title,
    progress,
    tasks: taskCounts,
    staleLocks,
    next,
    openQuestions: overview.questions
      .filter(({ answer }) => answer === null)
      .map(({ id, text, line }) => ({ id, question: text, line })),
    jobFileProblems: job.file.problems.map(({ row, message }) => ({ line: row + 1, message })),
    problems: overview.logProblemCount,
  };
}

/** Returns a job's next step on one line of at most `length` characters. */
export function nextLine({ next }: JobOverview, length: number): string {
  const { role, objective, exitCode } = next;
  const who = role === null ? `ends with ${exitCode ?? 0}` : `a ${role.toLowerCase()}`;
  return terminalLine(`next: ${who}: ${objective}`, length);
}
