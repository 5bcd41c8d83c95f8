import type { Job } from "../../core/jobs/documents/jobFolder.js";
import type { JobOverview } from "../../core/jobs/jobOverview.js";
import { terminalLine } from "./terminalText.js";

/** A job as `--json` prints it. */
interface JobJson {
  readonly name: string;
  readonly version: 1 | 2;
  readonly jobPath: string;
  readonly logPath: string;
  readonly title: string | null;
  /** In percent, as the tasks say. */
  readonly progress: number;
  /** The number of tasks of each status that occurs. */
  readonly tasks: Readonly<Record<string, number>>;
  readonly staleLocks: readonly string[];
  readonly next: JobOverview["next"];
  /** Lines are 1-based; a question's is that of its answer's label. */
  readonly openQuestions: readonly { id: string; question: string; line: number }[];
  readonly jobFileProblems: readonly { line: number; message: string }[];
  /** The number of problems in the log; `rooroo validate job-log` lists them. */
  readonly problems: number;
}

export function jobJson(job: Job, overview: JobOverview): JobJson {
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
