import { execFile } from "node:child_process";
import { env } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../core/errors.js";
import { findProgram } from "../processes/findProgram.js";
import { commandEnvironment } from "../shell/commandEnvironment.js";
import {
  asArguments,
  driversOff,
  type GitSetting,
  listDrivers,
  networkOff,
  offline,
  programsOff,
  repositoryTop,
  withSettings,
} from "./programsOff.js";

const maxOutput = 200_000_000;

/**
 * What git says while another process, or another plan of this one, makes a worktree: it writes this file in two steps, and
 * all commands that look at the worktrees read it.
 */
const isBeingMade = /failed to read \S.*[\\/]commondir: Success/;
/** How often a command is tried again then: for about a second. */
const mostTries = 20;

/** A git process that has ended. */
export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

interface GitOptions {
  /** Further variables. */
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | Uint8Array;
  /** The absolute path of the working folder. Absent: the workspace. */
  readonly cwd?: string;
  /**
   * Further settings for this command, as in `core.sparseCheckout` and `false`, with those of {@link GitProcess.driversOff}.
   * Absent: only the latter, of the repository's.
   */
  readonly settings?: readonly GitSetting[];
}

/**
 * Runs git's commands for code of ours, without hooks, signing programs, prompts, or any other program that a repository
 * names, and without reaching another machine unless `GIT_ALLOW_PROTOCOL` is given. Filters, merge drivers and hooks in the
 * configuration have no such switch: each that is set is set otherwise.
 */
export class GitProcess {
  /**
   * @param root the workspace folder's absolute path
   * @param rest waits before a command is tried again
   * @param patienceMs milliseconds after which a command is ended that reaches no other machine: git waits for ever where a
   *   `.gitignore` is a pipe
   */
  constructor(
    private readonly root: string,
    private readonly rest: () => Promise<unknown> = () => sleep(50),
    private readonly patienceMs = 600_000,
  ) {}

  /** @throws {UserError} with what git says, if it fails */
  async run(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
    const result = await this.try(args, options);
    if (result.code !== 0) throw refused(result);
    return result;
  }

  /** Runs git and resolves with how it ended, whatever its exit code is. */
  async try(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
    // Whatever writes an index may read files again, by their filters; what changes a ref has hooks.
    const settings =
      options.settings ??
      (withoutFiles.has(args[0] ?? "") ? [] : await this.driversOff("repository", options));
    for (let tries = 1; ; tries++) {
      const result = await this.once(args, { ...options, settings });
      if (result.code === 0 || tries === mostTries || !isBeingMade.test(result.stderr)) {
        return result;
      }
      await this.rest();
    }
  }

  /** Returns the settings by which git runs no filter or merge driver of the repository's, or none at all. */
  async driversOff(
    whose: Parameters<typeof driversOff>[1],
    options: GitOptions = {},
  ): Promise<GitSetting[]> {
    const { env, cwd } = options;
    const listed = await this.try(listDrivers, { env, cwd, settings: [] });
    // With 1 it says that there are none.
    if (listed.code > 1) throw refused(listed);
    return driversOff(listed.stdout.toString("utf8"), whose);
  }

  private once(
    args: readonly string[],
    { env: more = {}, ...given }: GitOptions,
  ): Promise<GitResult> {
    const { root } = this;
    const { cwd = root, input, settings = [] } = given;
    const git = findProgram(["git"], root);
    if (git === undefined) {
      throw new UserError(
        "gitMissing",
        "git is not installed, so no commits can be made. Install it.",
      );
    }
    const inherited = Object.entries(commandEnvironment(env, { workspace: root })).filter(
      ([name]) => !places.has(name),
    );
    const isPlain = more["GIT_DIR"] === undefined && more["GIT_WORK_TREE"] === undefined;
    const top = isPlain && cwd === root && args[0] !== "init" ? repositoryTop(root) : undefined;
    const own = {
      ...Object.fromEntries(inherited),
      ...offline,
      ...(top === undefined ? {} : { GIT_WORK_TREE: top }),
      ...more,
      LC_ALL: "C",
    };
    const reaches = (more["GIT_ALLOW_PROTOCOL"] ?? "") !== "";
    const options = {
      cwd,
      env: { ...own, ...withSettings(own, settings) },
      timeout: reaches ? 0 : this.patienceMs,
      maxBuffer: maxOutput,
      windowsHide: true,
      encoding: "buffer",
    } as const;
    const fixed = [...always, ...programsOff, ...(reaches ? [] : networkOff)];
    const all = [...asArguments(fixed), ...args];
    return new Promise((resolve) => {
      const child = execFile(git, all, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 255;
        const isEnded = error?.killed === true && typeof error.code !== "string";
        resolve({ code, stdout, stderr: isEnded ? tooSlow : stderr.toString("utf8") });
      });
      // A git that ends before it has read everything says why by its exit code.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input ?? "");
    });
  }
}

/** Said in git's place. */
const tooSlow =
  "it did not come to an end. A file that it reads, such as .gitignore, may be a pipe: put a regular file in its place.";

const always: readonly GitSetting[] = [["core.quotePath", "false"]];

/** Commands that look at no file of a checkout, write no index, and run no hook. */
const withoutFiles: ReadonlySet<string> = new Set([
  "cat-file",
  "check-attr",
  "check-ignore",
  "commit-tree",
  "config",
  "diff-tree",
  "for-each-ref",
  "init",
  "log",
  "ls-remote",
  "ls-tree",
  "merge-base",
  "mktree",
  "rev-parse",
  "var",
  "version",
]);

/** Variables by which git would work in another repository than the workspace's. */
const places: ReadonlySet<string> = new Set([
  "GIT_DIR",
  "GIT_COMMON_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_NAMESPACE",
  "GIT_PREFIX",
]);

/** Returns the error that tells what git has said. */
export function refused({ stderr, code }: GitResult): UserError {
  const why = stderr.trim().split("\n").slice(0, 3).join(" ");
  return new UserError("gitRefused", "git has refused: {why}", {
    why: why === "" ? `exit code ${code}` : why,
  });
}

/** Returns what git has printed, without the space around it. */
export const printed = ({ stdout }: GitResult): string => stdout.toString("utf8").trim();

/** Returns the entries of a list that git has printed with `-z`. */
export function zeroSeparated({ stdout }: GitResult): string[] {
  return stdout
    .toString("utf8")
    .split("\0")
    .filter((entry) => entry !== "");
}
