import { UserError } from "../../core/errors.js";
import { answerJob as answer } from "../../core/jobs/answerJob.js";
import { type Job, jobNamed, newJobFile, readJobs } from "../../core/jobs/documents/jobFolder.js";
import { type JobOverview, jobOverview, type RoadmapView } from "../../core/jobs/jobOverview.js";
import { type LiveRunner, RunnerRecords } from "../../core/jobs/work/runnerRecords.js";
import { liveRunners } from "../../core/jobs/work/runners.js";
import { stopJob as stop } from "../../core/jobs/jobs.js";
import type { FileSystem } from "../../core/ports/files.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import type { Cli, Result } from "../command.js";
import { workspaceRoot } from "../session/settings.js";
import type { Style } from "../terminal/style.js";
import { terminalLine, terminalText } from "../terminal/terminalText.js";
import { WrongUse } from "../wrongUse.js";

/** Lists the jobs with their progress. */
export async function listJobs(cli: Cli): Promise<Result<never>> {
  const own = await services(cli, "rooroo job list");
  const jobs = await Promise.all(
    (await readJobs(own.files)).map(async (job) => ({ job, view: await overviewOf(job, own) })),
  );
  const text = () =>
    jobs.length === 0
      ? "No jobs: .jixo has no *.job.md file.\n"
      : jobs.map(({ view }) => listedText(view, cli.terminal.style)).join("");
  return {
    end: "done",
    json: () => ({ jobs: jobs.map(({ job, view }) => jobJson(job, view)) }),
    text,
  };
}

/** Shows one job. Throws {@link WrongUse} if there is none of this name. */
export async function showJob(name: string, cli: Cli): Promise<Result<never>> {
  const own = await services(cli, "rooroo job status");
  const job = await jobOf(name, own.files);
  const view = await overviewOf(job, own);
  const runners = await new RunnerRecords(own.files, own.lock, job.stem).alive();
  return {
    end: "done",
    json: () => ({ ...jobJson(job, view), runners }),
    text: () => viewText(job, view, runners, cli.terminal.style),
  };
}

/** Creates a job's file. Throws a `UserError` if the job exists already. */
export async function newJob(
  job: { readonly name: string; readonly goal: string; readonly dirs: readonly string[] },
  cli: Cli,
): Promise<Result<never>> {
  const { files } = await services(cli, "rooroo job new");
  const path = await newJobFile(files, job);
  return {
    end: "done",
    json: () => ({ path }),
    text: () =>
      `Created ${terminalText(path)}. Describe the job in it, then run: rooroo job run ${terminalText(job.name)}\n`,
  };
}

/**
 * Tells all runners of a job, in whichever process, to end their turns, and waits a while for them. Throws
 * {@link WrongUse} if there is no job of this name.
 */
export async function stopJob(name: string, cli: Cli): Promise<Result<"waiting">> {
  const own = await services(cli, "rooroo job stop");
  const job = await jobOf(name, own.files);
  const { found, left } = await stop(job, own);
  const text = () => {
    const title = terminalText(job.name);
    if (found === 0) return `${title} is not running.\n`;
    if (left === 0) return `Stopped ${title} (${runnerCount(found)}).\n`;
    return `${title} is stopping; ${runnerCount(left)} still running.\n`;
  };
  return { end: left === 0 ? "done" : "waiting", json: () => [{ found, left }], text };
}

/**
 * Answers a job's question. Returns `undefined` if no job asks it: the id may be a task's. Throws
 * {@link WrongUse} if the answer is empty.
 */
export async function answerJob(
  questionId: string,
  text: string,
  cli: Cli,
): Promise<Result<never> | undefined> {
  const own = await services(cli, "rooroo answer");
  if (text.trim() === "")
    throw new WrongUse("answerTextMissing", "The answer is empty. Say something.");
  const job = await answer(questionId, text, own);
  if (job === undefined) return undefined;
  const { name, jobPath } = job;
  return {
    end: "done",
    json: () => [{ job: name, jobPath }],
    text: () =>
      `The answer was written to ${terminalText(jobPath)}; the next lifecycle of ${terminalText(name)} applies it.\n`,
  };
}

/** Returns the job with this name. Throws {@link WrongUse} if there is none. */
export async function jobOf(name: string, files: FileSystem): Promise<Job> {
  try {
    return await jobNamed(name, files);
  } catch (error) {
    throw error instanceof UserError ? WrongUse.of(error) : error;
  }
}

async function services({ options }: Cli, label: string): Promise<LocalServices> {
  return localServices(await workspaceRoot(options.workspace), label);
}

async function overviewOf(job: Job, { lock }: LocalServices): Promise<JobOverview> {
  const holders = await liveRunners(job.log, lock);
  return jobOverview(job, { live: [], holders, isRun: false }, new Date());
}

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
  readonly spent: JobOverview["spent"];
  readonly roadmap: JobOverview["roadmap"];
  /** Lines are 1-based; a question's is that of its answer's label. */
  readonly openQuestions: readonly { id: string; question: string; line: number }[];
  readonly jobFileProblems: readonly { line: number; message: string }[];
  /** The number of problems in the log; `rooroo validate job-log` lists them. */
  readonly problems: number;
}

/** Returns a job as `--json` prints it. */
function jobJson(job: Job, overview: JobOverview): JobJson {
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
    spent: overview.spent,
    roadmap: overview.roadmap,
    openQuestions: overview.questions
      .filter(({ answer }) => answer === null)
      .map(({ id, text, line }) => ({ id, question: text, line })),
    jobFileProblems: job.file.problems.map(({ row, message }) => ({ line: row + 1, message })),
    problems: overview.logProblemCount,
  };
}

function listedText(view: JobOverview, { yellow, dim }: Style): string {
  const { name, title, progress, questions } = view;
  const isAsking = questions.some(({ answer }) => answer === null);
  const asks = isAsking ? yellow("  ? has an open question") : "";
  const about = title === null ? "" : dim(`  ${terminalLine(title, 60)}`);
  const head = `${String(progress).padStart(4)}%  ${terminalLine(name, 60)}${about}${asks}`;
  return `${head}\n       ${nextLine(view, 90)}\n`;
}

function viewText(
  { file, logPath }: Job,
  view: JobOverview,
  runners: readonly LiveRunner[],
  style: Style,
): string {
  const { name, title, jobPath, progress, taskCounts, staleLocks, logProblemCount } = view;
  const counts = Object.entries(taskCounts).map(([status, count]) => `${count} ${status}`);
  const lines = [
    `${style.bold(terminalLine(title ?? name, 100))}  ${style.dim(terminalText(jobPath))}`,
    `  ${progress}% done${counts.length === 0 ? ", no tasks yet" : `: ${counts.join(", ")}`}`,
  ];
  if (staleLocks.length > 0) {
    const ids = terminalLine(staleLocks.join(", "), 100);
    lines.push(`  ${style.yellow("!")} Locked by runners that are gone: ${ids}`);
  }
  for (const { role, objective, turn, quota, holder } of runners) {
    const who = `${role}, turn ${turn} of ${quota}: ${objective} (${holder.label}, process ${holder.pid})`;
    lines.push(`  ${style.green("▸")} ${terminalLine(who, 200)}`);
  }
  lines.push(`  ${nextLine(view, 200)}`);
  if (view.spent !== null) lines.push(`  used so far: ${terminalLine(view.spent, 100)}`);
  for (const task of asideTasks(view.roadmap)) {
    const tries = task.attempts === 0 ? "" : `, tried ${task.attempts} times`;
    const waits = task.waitsFor === null ? tries : `: waits for the answer to ${task.waitsFor}`;
    lines.push(
      `  ${style.yellow("!")} ${terminalLine(`task ${task.id} is not done${waits}`, 200)}`,
    );
  }
  for (const { id, text, line } of view.questions.filter(({ answer }) => answer === null)) {
    lines.push(`  ${style.yellow("?")} ${terminalLine(`${id}: ${text}`, 200)}`);
    const where = `answer in ${terminalText(jobPath)}, line ${line}`;
    lines.push(style.dim(`    ${where}, or run: rooroo answer ${terminalText(id)} "…"`));
  }
  for (const { row, message } of file.problems) {
    lines.push(`  ${style.yellow("!")} ${terminalLine(`${jobPath}:${row + 1}: ${message}`, 200)}`);
  }
  if (logProblemCount > 0) {
    const count = logProblemCount === 1 ? "1 problem" : `${logProblemCount} problems`;
    lines.push(`  ${count} in the log: rooroo validate job-log ${terminalText(logPath)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Returns the open tasks that were tried without success, or wait for an answer. */
function asideTasks(items: readonly RoadmapView[]): Extract<RoadmapView, { kind: "task" }>[] {
  return items.flatMap((item) => {
    if (item.kind === "phase") return asideTasks(item.children);
    const isOpen = item.status === "Pending" || item.status === "Failed";
    return isOpen && (item.attempts > 0 || item.waitsFor !== null) ? [item] : [];
  });
}

/** Returns a job's next step on one line of at most `length` characters. */
function nextLine({ next }: JobOverview, length: number): string {
  const { role, objective, exitCode } = next;
  const who = role === null ? `ends with ${exitCode ?? 0}` : `a ${role.toLowerCase()}`;
  return terminalLine(`next: ${who}: ${objective}`, length);
}

function runnerCount(count: number): string {
  return count === 1 ? "1 runner" : `${count} runners`;
}
