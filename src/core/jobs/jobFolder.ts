import { decodeLossless } from "../documents/losslessText.js";
import { UserError } from "../errors.js";
import type { FileSystem } from "../ports.js";
import { readOwnDocument } from "../tools/namedFile.js";
import { isJobName } from "./isJobName.js";
import { type JobFile, readJobFile } from "./jobFile.js";
import { type JobLog, readJobLog } from "./jobLog.js";
import type { Version } from "./taskStatus.js";

const folder = ".jixo";
const jobFileName = /^(.+)\.(job|task)\.md$/;

/** A job and its files. */
export interface Job {
  /** As its front matter says, else as its file is called. */
  readonly name: string;
  /** As its file is called, without the suffix. */
  readonly stem: string;
  /** By the job file's suffix. */
  readonly version: Version;
  readonly jobPath: string;
  readonly file: JobFile;
  /** Whether or not it is there yet. */
  readonly logPath: string;
  /** An empty one where there is no file. */
  readonly log: JobLog;
}

/** What is known of a job before its files are read. */
export type JobPlace = Pick<Job, "stem" | "version" | "jobPath">;

/**
 * The jobs of a workspace, by the names of their files. Reads only.
 *
 * @param known as they were read before: what says the same is not understood once more
 */
export async function readJobs(files: FileSystem, known: readonly Job[] = []): Promise<Job[]> {
  const entries = await files.readDirectory(folder);
  const names = entries.filter(({ kind }) => kind === "file").map(({ name }) => name);
  const jobs = names.map(async (fileName): Promise<Job | undefined> => {
    const [, stem, suffix] = jobFileName.exec(fileName) ?? [];
    // Who has renamed a task file, as version 2 wants it, may have kept the old one.
    if (stem === undefined || (suffix === "task" && names.includes(`${stem}.job.md`))) {
      return undefined;
    }
    const version = suffix === "task" ? 1 : 2;
    const job = { stem, version, jobPath: `${folder}/${fileName}` } as const;
    const before = known.find((one) => one.jobPath === job.jobPath);
    try {
      return await readJob(files, job, before);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return unreadable(job, error.message);
    }
  });
  return (await Promise.all(jobs)).filter((job) => job !== undefined);
}

/** The job of that name, or whose file is called so. Throws a {@link UserError} that says which there are. */
export async function jobNamed(name: string, files: FileSystem): Promise<Job> {
  const jobs = await readJobs(files);
  const job = jobs.find((one) => one.name === name) ?? jobs.find(({ stem }) => stem === name);
  // One whose files cannot be read is listed, but it is not for working on.
  if (job !== undefined) return readJob(files, job, job);
  const others = jobs.map((one) => one.name).join(", ");
  const known = others === "" ? ".jixo has none." : `There are: ${others}.`;
  throw new UserError(`There is no job ${name}. ${known}`);
}

/** What a job is begun with. */
export interface NewJob {
  readonly name: string;
  readonly goal: string;
  /** Folders that it is about. */
  readonly dirs: readonly string[];
}

/** Makes a job file, and answers with its path. Throws a {@link UserError} where there is such a job. */
export async function newJobFile(files: FileSystem, { name, goal, dirs }: NewJob): Promise<string> {
  if (!isJobName(name)) {
    throw new UserError("A job's name has letters, digits, spaces, dots, - and _, 80 at most.");
  }
  if (goal.trim() === "") throw new UserError('Say what the job is for: --goal "…".');
  const path = `${folder}/${name}.job.md`;
  const taken = [path, `${folder}/${name}.task.md`, `${folder}/${name}.log.md`];
  const folders = dirs.length === 0 ? "" : `dirs: ${JSON.stringify(dirs)}\n`;
  const text = `---\nname: ${JSON.stringify(name)}\n${folders}---\n\n${goal.trim()}\n`;
  for (const one of taken) {
    if ((await files.stat(one)) !== undefined) throw new UserError(`${one} is there already.`);
  }
  if (!(await files.createFile(path, text))) throw new UserError(`${path} is there already.`);
  return path;
}

/** A job as its files are now. */
export async function readJob(files: FileSystem, found: JobPlace, before?: Job): Promise<Job> {
  const texts = [
    await textOf(files, found.jobPath),
    await textOf(files, logPathOf(found)),
  ] as const;
  return jobOf(found, { file: texts[0], log: texts[1] }, before);
}

/** A job whose files say this. What says the same as `before` is not understood once more. */
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

/** A job that lists show with what is wrong with its files. */
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

/** `""` where there is no such file. */
async function textOf(files: FileSystem, path: string): Promise<string> {
  const bytes = await readOwnDocument(path, files);
  return bytes === undefined ? "" : decodeLossless(bytes);
}
