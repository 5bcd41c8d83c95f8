import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";
import type { FoundProgram } from "../../core/navigator/overview/machineReport.js";

/**
 * Returns the absolute path of the first of these programs that is on PATH. Folders inside the
 * workspace are ignored, so that what a repository brings along is not run in place of the system's
 * own.
 */
export function findProgram(
  names: readonly string[],
  workspace: string,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const folders = (environment["PATH"] ?? environment["Path"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder));
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  for (const name of names) {
    for (const folder of folders) {
      for (const ending of endings) {
        const path = join(folder, name + ending);
        if (isProgram(path) && !isWithin(path, workspace)) return path;
      }
    }
  }
  return undefined;
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(real(folder), real(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Returns whether a path is that of a file that can be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const mostMs = 5000;

/** Asks a program for its version, in a folder where it finds no project's settings. */
export function programFacts(path: string | undefined): Promise<FoundProgram> {
  if (path === undefined) return Promise.resolve({});
  return new Promise((resolve) => {
    const options = { cwd: tmpdir(), timeout: mostMs, windowsHide: true };
    execFile(path, ["--version"], options, (error, stdout) => {
      const [line = ""] = stdout.split(/\r?\n/, 1);
      resolve(error === null && line !== "" ? { path, version: line.slice(0, 100) } : { path });
    });
  });
}
