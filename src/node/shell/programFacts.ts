import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import type { FoundProgram } from "../../core/machineReport.js";

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
