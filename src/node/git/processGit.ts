import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { env } from "node:process";
import type { CommitName, Git } from "../../core/ports/git.js";
import { findProgram } from "../processes/findProgram.js";
import { commandEnvironment } from "../shell/commandEnvironment.js";

/** Milliseconds for an answer; a task that begins does not wait longer for it. */
const timeoutMs = 3_000;
/** The most characters of the answer; what a repository with more changes prints is cut. */
const maxOutput = 100_000;

/** Asks the git on the PATH, in the environment that also keeps commands from running a repository's programs. */
export class ProcessGit implements Git {
  /** @param root the workspace folder's absolute path */
  constructor(private readonly root: string) {}

  status(): Promise<string | undefined> {
    const own = ["-c", "status.relativePaths=true"];
    const flags = ["--short", "--branch", "--no-renames", "--ignore-submodules=all"];
    return this.ask([...own, "status", ...flags, "--", "."]);
  }

  async changed(commit?: string): Promise<string[] | undefined> {
    const args = ["--name-only", "-z", "--relative", ...plainDiff, "--", ".", ":(exclude).rooroo"];
    const listed = await this.ask([...compared(commit), ...args]);
    if (listed === undefined) return undefined;
    const untracked =
      commit === undefined
        ? await this.ask([
            "ls-files",
            "--others",
            "--exclude-standard",
            "-z",
            "--",
            ...args.slice(-2),
          ])
        : "";
    return [listed, untracked ?? ""].flatMap((text) =>
      text.split("\0").filter((one) => one !== ""),
    );
  }

  diff(paths: readonly string[], commit?: string): Promise<string | undefined> {
    const only = paths.map((path) => `:(literal)${path}`);
    return this.ask([...compared(commit), "--relative", ...plainDiff, "--", ...only]);
  }

  async commits(limit: number): Promise<CommitName[] | undefined> {
    const printed = await this.ask(["log", `--max-count=${limit}`, "--format=%h %s", "--", "."]);
    return printed?.split("\n").flatMap((line) => {
      const [, hash, subject = ""] = /^([0-9a-f]+) (.*)$/.exec(line) ?? [];
      return hash === undefined ? [] : [{ hash, subject }];
    });
  }

  private ask(args: readonly string[]): Promise<string | undefined> {
    const { root } = this;
    // Starting a process to hear that there is no repository costs more than looking.
    const git = isInRepository(root) ? findProgram(["git"], root) : undefined;
    if (git === undefined) return Promise.resolve(undefined);
    const options = {
      cwd: root,
      env: commandEnvironment(env, { workspace: root }),
      timeout: timeoutMs,
      maxBuffer: maxOutput,
      windowsHide: true,
    };
    const all = ["-c", "core.quotePath=false", "--no-optional-locks", ...args];
    return new Promise((resolve) => {
      execFile(git, all, options, (error, stdout) => {
        const isCut = (error as NodeJS.ErrnoException | null)?.code === tooLong;
        if (error !== null && !isCut) resolve(undefined);
        // The last line may have been cut in the middle.
        else resolve(isCut ? stdout.slice(0, stdout.lastIndexOf("\n") + 1) : stdout);
      });
    });
  }
}

/** Keeps git from running what a repository names, and from following renames, whose old names would not be judged. */
const plainDiff = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-renames",
  "--no-color",
  "--ignore-submodules=all",
];

/** Returns the command that compares the work tree with the last commit, or a commit with the one before it. */
function compared(commit: string | undefined): string[] {
  return commit === undefined
    ? ["diff", "HEAD"]
    : ["show", "--format=", "--first-parent", "-m", `${commit}^{commit}`];
}

/** Returns whether there is a `.git` file or folder in the folder or in one above it. */
function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return existsSync(join(folder, ".git")) || (parent !== folder && isInRepository(parent));
}

const tooLong = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
