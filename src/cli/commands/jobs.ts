import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { UserError } from "../../core/errors.js";
import { answeredWords, answerJob as answer } from "../../core/jobs/answerJob.js";
import { type Job, jobNamed, newJobFile, readJobs } from "../../core/jobs/documents/jobFolder.js";
import { type JobFacts, jobFacts } from "../../core/jobs/facts/jobFacts.js";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import { stopJob as stop } from "../../core/jobs/jobs.js";
import { jobPage } from "../../core/jobs/page/jobPage.js";
import { writeJobPage } from "../../core/jobs/page/writeJobPage.js";
import { readJobOverview } from "../../core/jobs/readJobOverview.js";
import { RunnerRecords } from "../../core/jobs/work/runnerRecords.js";
import type { FileSystem } from "../../core/ports/files.js";
import { type Said, spoken } from "../../core/text/words.js";
import { DiskFileSystem } from "../../node/files/diskFileSystem.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { language, t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { externalLines, externalMark } from "../terminal/externalMark.js";
import { commandWords } from "../terminal/followUps.js";
import { jobStatusText, nextLine } from "../terminal/jobStatus.js";
import type { Style } from "../terminal/style.js";
import { terminalLine, terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

/** Lists the jobs with their progress. */
export async function listJobs(cli: Cli): Promise<Result<never>> {
  const own = await services(cli, "rooroo job list");
  const jobs = await Promise.all(
    (await readJobs(own.files)).map(async (job) => ({
      job,
      view: await readJobOverview(job, own),
    })),
  );
  const { style } = cli.terminal;
  const views = jobs.map(({ view }) => view);
  const text = () =>
    jobs.length === 0
      ? `${t("No jobs: .jixo has no *.job.md file.")}\n`
      : [
          ...views.map((view) => listedText(view, style)),
          ...externalLines(views).map((line) => `\n${line}\n`),
        ].join("");
  return {
    end: "done",
    json: () => ({ jobs: jobs.map(({ job, view }) => jobJson(job, view)) }),
    text,
  };
}

/**
 * Shows a job: what is done, what failed and why, what is in the way, and when it will be done.
 *
 * @param name `undefined`: the only job of the workspace
 * @throws {@link WrongUse} if there is no such job, or if there are several and none is named
 */
export async function showJob(name: string | undefined, cli: Cli): Promise<Result<never>> {
  const own = await services(cli, "rooroo job status");
  const job = await jobOf(name ?? (await onlyJob(own.files)), own.files);
  const { view, facts } = await statusOf(job, own);
  const { style, columns } = cli.terminal;
  const runners = await new RunnerRecords(own.files, own.lock, job.stem).alive();
  return {
    end: "done",
    json: () => ({ ...jobJson(job, view), runners, facts }),
    text: () =>
      jobStatusText(facts, view, {
        style,
        columns,
        verbose: cli.options.verbose,
        zone: localZone(),
        commandOf: (words) => commandWords(cli.options, words),
      }),
  };
}

/**
 * Writes a job's page. Throws {@link WrongUse} if there is no such job, or if the output is no HTML file.
 *
 * @param output a path of the machine; `undefined`: beside what code keeps of the job, where git ignores it
 */
export async function writePage(
  { name, output }: { readonly name: string; readonly output: string | undefined },
  cli: Cli,
): Promise<Result<never>> {
  if (output !== undefined && !/\.html?$/i.test(output)) {
    throw new WrongUse("outputNotHtml", "{output} has to end in .html.", { output });
  }
  const root = await workspaceRoot(cli.options.workspace);
  const own = localServices(root, "rooroo job page");
  const job = await jobOf(name, own.files);
  const { facts } = await statusOf(job, own);
  const html = jobPage(facts, {
    zone: localZone(),
    commandOf: (words) => commandWords(cli.options, words),
    language: language(),
    t,
  });
  let path: string;
  if (output === undefined) path = join(root, await writeJobPage(job, html, own));
  else {
    path = resolve(output);
    const folder = folderAbove(path);
    await new DiskFileSystem(folder).replaceFile(relative(folder, path), html);
  }
  return {
    end: "done",
    json: () => ({ job: job.name, path }),
    text: () => `${t("Wrote {0}", terminalText(path))}\n`,
  };
}

/** Returns the nearest folder above a path that exists. */
function folderAbove(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? folder : folderAbove(folder);
}

/** Creates a job's file. Throws a `UserError` if the job exists already. */
export async function newJob(
  job: { readonly name: string; readonly goal: string; readonly dirs: readonly string[] },
  cli: Cli,
): Promise<Result<never>> {
  const { files, signer } = await services(cli, "rooroo job new");
  const path = await newJobFile(files, signer, job);
  return {
    end: "done",
    json: () => ({ path }),
    text: () =>
      `${t("Created {0}. Describe the job in it, then run: rooroo job run {1}", terminalText(path), terminalText(job.name))}\n`,
  };
}

/**
 * Tells all runners of a job, in whichever process, to stop, and waits up to 30 seconds for them. Throws
 * {@link WrongUse} if there is no job of this name.
 */
export async function stopJob(name: string, cli: Cli): Promise<Result<"waiting">> {
  const own = await services(cli, "rooroo job stop");
  const job = await jobOf(name, own.files);
  const { found, left } = await stop(job, own);
  const text = () => {
    const title = terminalText(job.name);
    if (found === 0) return `${t("{0} is not running.", title)}\n`;
    if (left === 0)
      return `${t("Stopped {0} ({1, plural, one {# runner} other {# runners}}).", title, found)}\n`;
    return `${t("{0} is stopping; {1, plural, one {# runner} other {# runners}} still running.", title, left)}\n`;
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
    text: () => `${terminalText(spoken(answeredWords(job), t))}\n`,
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

async function statusOf(
  job: Job,
  own: LocalServices,
): Promise<{ view: JobOverview; facts: JobFacts }> {
  const view = await readJobOverview(job, own);
  return { view, facts: jobFacts(job, view, own.clock.now()) };
}

/** Returns the name of the workspace's only job. Throws {@link WrongUse} if there is none, or more than one. */
async function onlyJob(files: FileSystem): Promise<string> {
  const jobs = await readJobs(files);
  const [first] = jobs;
  if (first === undefined) {
    throw new WrongUse("noJobsYet", "There are no jobs yet. Create one with rooroo job new.");
  }
  if (jobs.length === 1) return first.name;
  throw new WrongUse("jobNotNamed", "Name one of the jobs. There are: {jobs}.", {
    jobs: jobs.map(({ name }) => name).join(", "),
  });
}

/** Returns the IANA name of this machine's time zone. */
function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A job as `--json` prints it. */
interface JobJson {
  readonly name: string;
  readonly version: 1 | 2;
  readonly jobPath: string;
  readonly logPath: string;
  readonly title: string | null;
  /** Whether nobody has taken it over here: it may have come with the folder. */
  readonly foreign: boolean;
  /** The progress in percent, computed from the tasks. */
  readonly progress: number;
  /** The number of tasks of each status that occurs. */
  readonly tasks: Readonly<Record<string, number>>;
  readonly staleLocks: readonly string[];
  readonly next: JobOverview["next"];
  readonly spent: JobOverview["spent"];
  readonly roadmap: JobOverview["roadmap"];
  /** Lines are 1-based; a question's is that of its answer's label. */
  readonly openQuestions: readonly { id: string; question: string; line: number }[];
  readonly jobFileProblems: readonly { line: number; message: Said }[];
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
    foreign: overview.isForeign,
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

function listedText(view: JobOverview, style: Style): string {
  const { yellow, dim } = style;
  const { name, title, progress, questions } = view;
  const isAsking = questions.some(({ answer }) => answer === null);
  const asks = isAsking ? yellow(`  ? ${t("has an open question")}`) : "";
  const about = title === null ? "" : dim(`  ${terminalLine(title, 60)}`);
  const mark = externalMark(view, style);
  const head = `${String(progress).padStart(4)}%  ${terminalLine(name, 60)}${mark}${about}${asks}`;
  return `${head}\n       ${nextLine(view, 90)}\n`;
}
