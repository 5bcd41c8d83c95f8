import { execFile } from "node:child_process";
import { join, relative, sep } from "node:path";
import { env } from "node:process";
import {
  type CommitName,
  type Comparison,
  type Git,
  type GitHistory,
  revisionPattern,
} from "../../core/ports/git.js";
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

interface Answer {
  readonly code: number;
  readonly text: string;
  readonly isCut: boolean;
}

/** Milliseconds for an answer; a task that begins does not wait longer for it. */
const timeoutMs = 3_000;
/** The most characters of the answer; what a repository with more changes prints is cut. */
const maxOutput = 100_000;
/** The most characters of a whole history: of some 300,000 files and commits. */
const longestHistory = 30_000_000;

/** Asks the git on the PATH, which then runs none of the programs that the repository names and reaches no other machine. */
export class ProcessGit implements Git {
  /** @param root the workspace folder's absolute path */
  constructor(private readonly root: string) {}

  status(): Promise<string | undefined> {
    const own = ["-c", "status.relativePaths=true"];
    const flags = ["--short", "--branch", "--no-renames", "--ignore-submodules=all"];
    return this.ask([...own, "status", ...flags, "--", "."]);
  }

  async changed(what: Comparison): Promise<string[] | undefined> {
    const command = await this.compared(what);
    if (command === undefined) return undefined;
    const only = ["--", ".", ":(exclude).rooroo"];
    const listed = await this.ask([
      ...command,
      "--name-only",
      "-z",
      "--relative",
      ...plainDiff,
      ...only,
    ]);
    if (listed === undefined) return undefined;
    const hasNew = what.of === "workTree" || what.of === "branch";
    const untracked = hasNew
      ? await this.ask(["ls-files", "--others", "--exclude-standard", "-z", ...only])
      : "";
    return [listed, untracked ?? ""].flatMap((text) =>
      text.split("\0").filter((one) => one !== ""),
    );
  }

  async stagedOutside(): Promise<string[] | undefined> {
    const { root } = this;
    const top = repositoryTop(root);
    // Most workspaces are all of their repository, which need not be asked then.
    if (top === undefined || relative(top, root) === "") return [];
    const outside = ["--", ":/", ":(exclude)."];
    const listed = await this.ask([
      "diff",
      "--cached",
      "--name-only",
      "-z",
      ...plainDiff,
      ...outside,
    ]);
    return listed
      ?.split("\0")
      .filter((path) => path !== "")
      .map((path) => relative(root, join(top, path)).split(sep).join("/"));
  }

  async diff(paths: readonly string[], what: Comparison): Promise<string | undefined> {
    const command = await this.compared(what);
    if (command === undefined) return undefined;
    const only = paths.map((path) => `:(literal)${path}`);
    return this.ask([...command, "--relative", ...plainDiff, "--", ...only]);
  }

  async history(): Promise<GitHistory | undefined> {
    const listed = await this.ask(["rev-list", "--objects", "--all", "--reflog"], longestHistory);
    if (listed === undefined) return undefined;
    const lines = listed.split("\n").filter((line) => line !== "");
    return new Map(
      lines.map((line) => {
        const at = line.indexOf(" ");
        return at < 0 ? [line, undefined] : [line.slice(0, at), line.slice(at + 1)];
      }),
    );
  }

  async commits(limit: number): Promise<CommitName[] | undefined> {
    const printed = await this.ask(["log", `--max-count=${limit}`, "--format=%h %s", "--", "."]);
    return printed?.split("\n").flatMap((line) => {
      const [, hash, subject = ""] = /^([0-9a-f]+) (.*)$/.exec(line) ?? [];
      return hash === undefined ? [] : [{ hash, subject }];
    });
  }

  /** Returns the command that compares; `undefined` if there is no such commit. */
  private async compared(what: Comparison): Promise<string[] | undefined> {
    switch (what.of) {
      case "workTree":
        return ["diff", "HEAD"];
      case "staged":
        return ["diff", "--cached"];
      case "commit":
        return ["show", "--format=", "--first-parent", "-m", `${what.commit}^{commit}`];
      case "branch": {
        if (!revisionPattern.test(what.base)) return undefined;
        const left = await this.ask(["merge-base", `${what.base}^{commit}`, "HEAD"]);
        return left === undefined ? undefined : ["diff", left.trim()];
      }
    }
  }

  /** @param most the most characters; without it, a longer answer is cut, with it, there is none */
  private async ask(args: readonly string[], most?: number): Promise<string | undefined> {
    const listed = await this.run(listDrivers, []);
    // With 1 it says that there are none.
    if (listed === undefined || listed.code > 1 || listed.isCut) return undefined;
    const asked = await this.run(args, driversOff(listed.text, "repository"), most);
    const isWhole = most === undefined || asked?.isCut === false;
    return asked?.code === 0 && isWhole ? asked.text : undefined;
  }

  private run(
    args: readonly string[],
    settings: readonly GitSetting[],
    most = maxOutput,
  ): Promise<Answer | undefined> {
    const { root } = this;
    // Starting a process to hear that there is no repository costs more than looking.
    const top = repositoryTop(root);
    const git = top === undefined ? undefined : findProgram(["git"], root);
    if (git === undefined) return Promise.resolve(undefined);
    const given = commandEnvironment(env, { workspace: root });
    const options = {
      cwd: root,
      env: { ...given, ...withSettings(given, settings), ...offline, GIT_WORK_TREE: top },
      timeout: timeoutMs,
      maxBuffer: most,
      windowsHide: true,
    };
    const fixed = asArguments([...programsOff, ...networkOff, ["core.quotePath", "false"]]);
    const all = [...fixed, "--no-optional-locks", ...args];
    return new Promise((resolve) => {
      execFile(git, all, options, (error, stdout) => {
        const code = error === null ? 0 : error.code;
        const isCut = code === tooLong;
        // The last line may have been cut in the middle.
        const text = isCut ? stdout.slice(0, stdout.lastIndexOf("\n") + 1) : stdout;
        if (isCut) resolve({ code: 0, text, isCut });
        else resolve(typeof code === "number" ? { code, text, isCut } : undefined);
      });
    });
  }
}

/**
 * Keeps git from running what a repository names, from following renames, whose old names would not be judged, and from
 * heading files' parts otherwise than usual.
 */
const plainDiff = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-renames",
  "--no-color",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--ignore-submodules=all",
];

const tooLong = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
