import { decodeLossless } from "../documents/losslessText.js";
import type { FileSystem } from "../ports.js";
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

/** The jobs of a workspace, by the names of their files. Reads only. */
export async function readJobs(files: FileSystem): Promise<Job[]> {
  const entries = await files.readDirectory(folder);
  const names = entries.filter(({ kind }) => kind === "file").map(({ name }) => name);
  const jobs = names.map(async (fileName): Promise<Job | undefined> => {
    const [, stem, suffix] = jobFileName.exec(fileName) ?? [];
    // Who has renamed a task file, as version 2 wants it, may have kept the old one.
    if (stem === undefined || (suffix === "task" && names.includes(`${stem}.job.md`))) {
      return undefined;
    }
    const jobPath = `${folder}/${fileName}`;
    const logPath = `${folder}/${stem}.log.md`;
    const file = readJobFile(await textOf(files, jobPath));
    const log = readJobLog(await textOf(files, logPath));
    const version = suffix === "task" ? 1 : 2;
    return { name: file.name ?? stem, stem, version, jobPath, file, logPath, log };
  });
  return (await Promise.all(jobs)).filter((job) => job !== undefined);
}

/** `""` where there is no such file. */
async function textOf(files: FileSystem, path: string): Promise<string> {
  const bytes = await files.readFile(path);
  return bytes === undefined ? "" : decodeLossless(bytes);
}
