import { UserError } from "../errors.js";
import type { Job } from "./documents/jobFolder.js";
import { type JobLog, progressOf } from "./documents/jobLog.js";
import { objectiveText } from "./work/jobPrompt.js";
import { logProblems } from "./documents/logProblems.js";
import { taskStatuses } from "./documents/taskStatus.js";
import { type Next, triage } from "./work/triage.js";

/** The state of a job, for output as JSON. */
export interface JobView {
  readonly name: string;
  readonly title: string | null;
  readonly version: 1 | 2;
  readonly jobPath: string;
  readonly logPath: string;
  /** In percent, as the tasks say. */
  readonly progress: number;
  /** The number of tasks of each status that occurs. */
  readonly tasks: Readonly<Record<string, number>>;
  /** Ids of tasks whose runner is not known to be alive: the next lifecycle frees them. */
  readonly staleLocks: readonly string[];
  readonly next: NextView;
  readonly openQuestions: readonly QuestionView[];
  readonly jobFileProblems: readonly { readonly line: number; readonly message: string }[];
  /** The number of problems in the log; `rooroo validate job-log` lists them. */
  readonly problems: number;
}

interface QuestionView {
  readonly id: string;
  readonly question: string;
  /** The line of the answer's label in the job file, 1-based. */
  readonly line: number;
}

interface NextView {
  readonly role: "Planner" | "Runner" | null;
  /** The next objective, or why there is none: one line for people. */
  readonly objective: string;
  /** The id of the task that a runner takes. */
  readonly task: string | null;
  /** The exit code of the loop, if it ends. */
  readonly exitCode: 0 | 1 | 2 | null;
}

/**
 * Returns a job's state as its next lifecycle would see it.
 *
 * @param live runners that are alive now
 */
export function jobView(job: Job, live: ReadonlySet<string>, now: Date): JobView {
  const { name, version, jobPath, logPath, file } = job;
  const { staleLocks, log, next } = looked(job, live, now);
  const counts = taskStatuses.map(
    (status) => [status, job.log.tasks.filter((task) => task.status === status).length] as const,
  );
  const unknown = job.log.tasks.filter(({ status }) => status === undefined).length;
  return {
    name,
    version,
    jobPath,
    logPath,
    title: job.log.title ?? null,
    progress: progressOf(log.tasks),
    tasks: Object.fromEntries(
      [...counts, ["unreadable", unknown] as const].filter(([, count]) => count > 0),
    ),
    staleLocks,
    next,
    openQuestions: file.clarifications
      .filter(({ answer }) => answer === undefined)
      .map(({ id, question, answerRow }) => ({ id, question, line: answerRow + 1 })),
    jobFileProblems: file.problems.map(({ row, message }) => ({ line: row + 1, message })),
    problems: logProblems(job.log).length,
  };
}

/** A view makes no model call: it assumes that the plan serves a changed goal. */
const asIfFit = { judgement: { fits: true, reason: "" } };

/** Returns the result of the triage, or the reason why a lifecycle could not write its edits. */
function looked(
  { log, file, version }: Job,
  live: ReadonlySet<string>,
  now: Date,
): {
  staleLocks: string[];
  log: JobLog;
  next: NextView;
} {
  const situation = { log, job: file, version, runner: "", now, ...asIfFit };
  try {
    const found = triage({ ...situation, live });
    const staleLocks = found.edits.flatMap((edit) =>
      edit.type === "setStatus" ? [edit.task] : [],
    );
    return { staleLocks, log: found.log, next: nextView(found.next) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const next = { role: null, objective: error.message, task: null, exitCode: 1 as const };
    return { staleLocks: [], log, next };
  }
}

function nextView(next: Next): NextView {
  const base = { role: null, task: null, exitCode: null };
  if (next.type === "judge") return { ...base, objective: "ask whether the plan serves the goal" };
  if (next.type === "exit") return { ...base, objective: next.reason, exitCode: next.code };
  const text = objectiveText(next);
  const objective = text.charAt(0).toLowerCase() + text.slice(1);
  if (next.type === "run") {
    const { task, resumes } = next;
    const doubt = resumes?.isCertain === false ? " (taken for a pause)" : "";
    const left = resumes === undefined ? "" : `, left with: ${resumes.summary}${doubt}`;
    return { ...base, role: "Runner", objective: `${objective}${left}`, task: task.id };
  }
  const why = next.objective.type === "blockedTask" ? `: ${next.objective.summary}` : "";
  return { ...base, role: "Planner", objective: `${objective}${why}` };
}
