import { execFile } from "node:child_process";
import { env } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../core/errors.js";
import { findProgram } from "../processes/findProgram.js";
import { commandEnvironment } from "../shell/commandEnvironment.js";

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
  /** Further settings for this command, as in `core.sparseCheckout` and `false`. */
  readonly settings?: readonly (readonly [key: string, value: string])[];
}

/**
 * Runs git's commands for code of ours, without hooks, signing programs or prompts. Filters and merge
 * drivers have no such switch: a command that would run them is given `settings` that empty them.
 */
export class GitProcess {
  /**
   * @param root the workspace folder's absolute path
   * @param rest waits before a command is tried again
   */
  constructor(
    private readonly root: string,
    private readonly rest: () => Promise<unknown> = () => sleep(50),
  ) {}

  /** @throws {UserError} with what git says, if it fails */
  async run(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
    const result = await this.try(args, options);
    if (result.code !== 0) throw refused(result);
    return result;
  }

  /** Runs git and resolves with how it ended, whatever its exit code is. */
  async try(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
    for (let tries = 1; ; tries++) {
      const result = await this.once(args, options);
      if (result.code === 0 || tries === mostTries || !isBeingMade.test(result.stderr)) {
        return result;
      }
      await this.rest();
    }
  }

  private once(
    args: readonly string[],
    { env: more = {}, ...given }: GitOptions,
  ): Promise<GitResult> {
    const { root } = this;
    const { cwd = root, input, settings = [] } = given;
    const git = findProgram(["git"], root);
    if (git === undefined) {
      throw new UserError("gitMissing", "git is not installed, so no commits can be made.");
    }
    const inherited = Object.entries(commandEnvironment(env, { workspace: root })).filter(
      ([name]) => !places.has(name),
    );
    const own = { ...Object.fromEntries(inherited), ...more, LC_ALL: "C" };
    const options = {
      cwd,
      env: { ...own, ...withSettings(own, settings) },
      maxBuffer: maxOutput,
      windowsHide: true,
      encoding: "buffer",
    } as const;
    const all = [...always.flatMap((one) => ["-c", one]), ...args];
    return new Promise((resolve) => {
      const child = execFile(git, all, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 255;
        resolve({ code, stdout, stderr: stderr.toString("utf8") });
      });
      // A git that ends before it has read everything says why by its exit code.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input ?? "");
    });
  }
}

const always = ["core.hooksPath=/dev/null", "core.quotePath=false", "commit.gpgSign=false"];

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

/** Returns the variables that add settings to those which the environment gives: a name may contain any character. */
function withSettings(
  given: NodeJS.ProcessEnv,
  settings: readonly (readonly [key: string, value: string])[],
): NodeJS.ProcessEnv {
  const first = Number(given["GIT_CONFIG_COUNT"] ?? 0);
  const added: NodeJS.ProcessEnv = { GIT_CONFIG_COUNT: String(first + settings.length) };
  for (const [index, [key, value]] of settings.entries()) {
    added[`GIT_CONFIG_KEY_${first + index}`] = key;
    added[`GIT_CONFIG_VALUE_${first + index}`] = value;
  }
  return added;
}

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
