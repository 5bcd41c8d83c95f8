import { readOwnDocument } from "../../access/namedFile.js";
import { UserError } from "../../errors.js";
import type { JobName } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Signer } from "../../ports/system.js";
import { decodeLossless } from "../../text/losslessText.js";
import { isTakenOver, takeOver } from "../../work/takenOver.js";
import { type JobFile, readJobFile } from "./jobFile.js";
import { type JobLog, readJobLog } from "./jobLog.js";
import { isJobName } from "./jobNames.js";
import { takeableJob } from "./takenOver.js";
import type { Version } from "./taskStatus.js";

const folder = ".jixo";
const jobFileName = /^(.+)\.(job|task)\.md$/;

/** A job and its files. */
export interface Job {
  /** The name in the front matter, or else the {@link stem}. */
  readonly name: JobName;
  /** The name of the job file, without its suffix. */
  readonly stem: string;
  /** The version of the protocol, which the job file's suffix tells. */
  readonly version: Version;
  readonly jobPath: string;
  readonly file: JobFile;
  /** The path of the log, whether or not the file exists yet. */
  readonly logPath: string;
  /** An empty log if the file does not exist. */
  readonly log: JobLog;
}

/** The part of a job that is known before its files are read. */
export type JobPlace = Pick<Job, "stem" | "version" | "jobPath">;
type NamedPlace = JobPlace & Pick<Job, "name">;

/**
 * Reads the jobs of a workspace, found by the names of their files. Writes nothing.
 *
 * @param known the jobs as they were read before; a file whose text is unchanged is not parsed again
 */
export async function readJobs(files: FileSystem, known: readonly Job[] = []): Promise<Job[]> {
  const jobs = (await placesIn(files)).map(async (job): Promise<Job> => {
    const before = known.find((one) => one.jobPath === job.jobPath);
    try {
      return await readJob(files, job, before);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return unreadable(job, error.message);
    }
  });
  return Promise.all(jobs);
}

async function placesIn(files: FileSystem): Promise<JobPlace[]> {
  const entries = await files.readDirectory(folder);
  const names = entries.filter(({ kind }) => kind === "file").map(({ name }) => name);
  return names.flatMap((fileName): JobPlace[] => {
    const [, stem, suffix] = jobFileName.exec(fileName) ?? [];
    // A user who renamed a task file, as version 2 requires, may have kept the old one.
    if (stem === undefined || (suffix === "task" && names.includes(`${stem}.job.md`))) return [];
    return [{ stem, version: suffix === "task" ? 1 : 2, jobPath: `${folder}/${fileName}` }];
  });
}

/**
 * Returns the job with this name, the one whose file has it, or the one of this file, as `.jixo/trip.job.md`.
 *
 * @throws {UserError} if there is no such job, or more than one; the message lists them
 */
export async function jobNamed(name: JobName, files: FileSystem): Promise<Job> {
  const jobs: NamedPlace[] = [];
  // The logs of others, of which there may be many, are not read.
  for (const place of await placesIn(files)) {
    jobs.push({ ...place, name: await nameOf(files, place) });
  }
  const [job, ...more] = jobsCalled(name, jobs);
  if (more.length > 0) {
    throw new UserError(
      "jobNameTwice",
      "{job} may be any of these: {paths}. Name one of these files, or give them names of their own.",
      { job: name, paths: [job, ...more].flatMap((one) => one?.jobPath ?? []).join(", ") },
    );
  }
  if (job !== undefined) return readJob(files, job);
  const others = jobs.map((one) => one.name).join(", ");
  throw others === ""
    ? new UserError("noJobs", "There is no job {job}. .jixo has none. Create one first.", {
        job: name,
      })
    : new UserError("jobUnknownAmong", "There is no job {job}. There are: {others}.", {
        job: name,
        others,
      });
}

/**
 * Returns the jobs that a name may mean: the one file of this path, or all that have the name in them or as their own. A file
 * that came with the folder could take the name of another.
 */
function jobsCalled(name: string, jobs: readonly NamedPlace[]): readonly NamedPlace[] {
  const place = jobs.filter(({ jobPath }) => jobPath === name);
  return place.length > 0 ? place : jobs.filter((one) => one.name === name || one.stem === name);
}

/** Returns the name in the job file; that of the file itself, if none is there or it cannot be read. */
async function nameOf(files: FileSystem, { jobPath, stem }: JobPlace): Promise<JobName> {
  try {
    return readJobFile(await textOf(files, jobPath)).name ?? stem;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return stem;
  }
}

/** The content of a new job file. */
export interface NewJob {
  readonly name: JobName;
  readonly goal: string;
  /** Folders that the job is about. */
  readonly dirs: readonly string[];
}

/**
 * Creates a job file, which is the person's own, and returns its path.
 *
 * @throws {UserError} if the name or goal is not valid, or if there is such a job already
 */
export async function newJobFile(
  files: FileSystem,
  signer: Signer,
  { name, goal, dirs }: NewJob,
): Promise<string> {
  if (!isJobName(name)) {
    throw new UserError(
      "jobNameInvalid",
      "The job's name is not valid. Use letters, digits, spaces, dots, - and _, 80 characters at most.",
    );
  }
  if (goal.trim() === "")
    throw new UserError("jobGoalMissing", 'Say what the job is for: --goal "…".');
  const path = `${folder}/${name}.job.md`;
  const taken = [path, `${folder}/${name}.task.md`, `${folder}/${name}.log.md`];
  const folders = dirs.length === 0 ? "" : `dirs: ${JSON.stringify(dirs)}\n`;
  const text = `---\nname: ${JSON.stringify(name)}\n${folders}---\n\n${goal.trim()}\n`;
  const job = takeableJob({ stem: name, jobPath: path });
  for (const one of taken) {
    if ((await files.stat(one)) === undefined) continue;
    // A process that ended in between has written just this file.
    const isLeft = one === path && (await textOf(files, path)) === text;
    if (isLeft && !(await isTakenOver(job, { files, signer }))) continue;
    throw jobFileExists(one);
  }
  if (!(await files.createFile(path, text)) && (await textOf(files, path)) !== text)
    throw jobFileExists(path);
  await takeOver(job, { files, signer });
  return path;
}

function jobFileExists(path: string): UserError {
  return new UserError("jobFileExists", "{path} exists already. Give the job another name.", {
    path,
  });
}

/** Reads a job from its files as they are now. */
export async function readJob(files: FileSystem, found: JobPlace, before?: Job): Promise<Job> {
  const texts = [
    await textOf(files, found.jobPath),
    await textOf(files, logPathOf(found)),
  ] as const;
  return jobOf(found, { file: texts[0], log: texts[1] }, before);
}

/** Builds a job from the texts of its files. A text that equals the one in `before` is not parsed again. */
export function jobOf(
  { stem, version, jobPath }: JobPlace,
  texts: { readonly file: string; readonly log: string },
  before?: Job,
): Job {
  const file = before?.file.lines.text === texts.file ? before.file : readJobFile(texts.file);
  const log = before?.log.lines.text === texts.log ? before.log : readJobLog(texts.log);
  const name = file.name ?? stem;
  return { name, stem, version, jobPath, file, logPath: logPathOf({ stem }), log };
}

function logPathOf({ stem }: Pick<Job, "stem">): string {
  return `${folder}/${stem}.log.md`;
}

/** Returns a job for lists whose only problem says why its files cannot be read. */
function unreadable(found: JobPlace, message: string): Job {
  const file = readJobFile("");
  return {
    ...found,
    name: found.stem,
    file: { ...file, problems: [{ row: 0, rule: "R-JIXO-1", message }] },
    logPath: logPathOf(found),
    log: readJobLog(""),
  };
}

/** Returns `""` if there is no such file. */
async function textOf(files: FileSystem, path: string): Promise<string> {
  const bytes = await readOwnDocument(path, files);
  return bytes === undefined ? "" : decodeLossless(bytes);
}
