import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { env } from "node:process";
import type { Git } from "../../core/ports/git.js";
import { findProgram } from "../processes/findProgram.js";
import { commandEnvironment } from "../shell/commandEnvironment.js";

/** Milliseconds for an answer; a task that begins does not wait longer for it. */
const patienceMs = 3_000;
/** The most characters of the answer; what a repository with more changes prints is cut. */
const maxOutput = 100_000;

/** Asks the git on the PATH, in the environment that also keeps commands from running a repository's programs. */
export class ProcessGit implements Git {
  /** @param root the workspace folder's absolute path */
  constructor(private readonly root: string) {}

  status(): Promise<string | undefined> {
    const { root } = this;
    // Starting a process to hear that there is no repository costs more than looking.
    const git = isInRepository(root) ? findProgram(["git"], root) : undefined;
    if (git === undefined) return Promise.resolve(undefined);
    const own = ["-c", "status.relativePaths=true", "-c", "core.quotePath=false"];
    const flags = ["--short", "--branch", "--no-renames", "--ignore-submodules=all"];
    const args = [...own, "--no-optional-locks", "status", ...flags, "--", "."];
    const options = {
      cwd: root,
      env: commandEnvironment(env, { workspace: root }),
      timeout: patienceMs,
      maxBuffer: maxOutput,
      windowsHide: true,
    };
    return new Promise((resolve) => {
      execFile(git, args, options, (error, stdout) => {
        const isCut = (error as NodeJS.ErrnoException | null)?.code === tooLong;
        if (error !== null && !isCut) resolve(undefined);
        // The last line may have been cut in the middle.
        else resolve(isCut ? stdout.slice(0, stdout.lastIndexOf("\n") + 1) : stdout);
      });
    });
  }
}

/** Returns whether there is a `.git` file or folder in the folder or in one above it. */
function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return existsSync(join(folder, ".git")) || (parent !== folder && isInRepository(parent));
}

const tooLong = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
