import { ignoreFilePath } from "../access/ignoredFiles.js";
import { mayHoldSecrets } from "../access/secretFiles.js";
import { UserError } from "../errors.js";
import type { GitHistory } from "../ports/git.js";
import { IgnoreRules } from "../text/ignoreRules.js";
import { isWords, type Words, words } from "../text/words.js";
import { gitConfigProblem } from "./git/gitConfigProblem.js";
import { gitHistoryProblem } from "./git/gitHistoryProblem.js";
import { gitLoginProblem } from "./git/gitLogin.js";
import { findRepository, type GitRepository } from "./git/gitRepository.js";
import { gitSecretsProblem, gitWorkTreeProblem } from "./git/gitWorkTreeProblem.js";
import { folderTree, followPath } from "./paths/followPath.js";
import type { ReviewedFiles } from "./paths/reviewedFiles.js";
import type { Read } from "./reading/usage.js";

/** The workspace's files, and which of them commands may not look at. */
export interface VisibleFiles {
  readonly files: ReviewedFiles;
  /**
   * Returns whether a path is hidden from experts, as by `.rooignore`.
   *
   * @param path canonical, inside the workspace
   */
  readonly isHidden: (path: string) => boolean;
  /**
   * Returns whether a person has accepted a repository's configuration as it is. Absent: nobody has.
   *
   * @param bound a hash of it, as {@link GitConfiguration} has
   */
  readonly acceptsGit?: ((folder: string, bound: string) => Promise<boolean>) | undefined;
  /** Returns what was ever committed in the workspace's repository. Absent: nobody can tell here. */
  readonly history?: (() => Promise<GitHistory | undefined>) | undefined;
}

const mostFiles = 20_000;

/** Returns why reading a path needs approval; `undefined` when it may be read. */
export async function readProblem(
  read: Read,
  folder: string,
  visible: VisibleFiles,
): Promise<Words | undefined> {
  const { files, isHidden } = visible;
  if (read.path === "/dev/null") return undefined;
  const followed = await followPath(folder, read.path, files);
  if (followed === undefined) return undefined;
  const { path, inside } = followed;
  if (!inside) return outside(read.path);
  const problem = (one: string): Words | undefined => {
    if (isHidden(one)) return words("{path} is hidden from experts.", { path: one });
    const isRead = read.how === "file" || read.how === "tree";
    return isRead && mayHoldSecrets(one)
      ? words("{path} may hold secrets.", { path: one })
      : undefined;
  };
  const own = problem(path);
  if (own !== undefined) return own;
  if (read.shows === true && (await files.stat(ignoreFilePath)) !== undefined) {
    return words("Git may show what {path} hides.", { path: ignoreFilePath });
  }
  if (read.how === "repository" || read.how === "work tree")
    return gitProblem(path, folder, read, visible);
  if (read.how !== "tree") return undefined;
  if ((await files.stat(path))?.kind !== "folder") return undefined;
  const { only, skips, follows = false } = read;
  const unignored = new Unignored(files);
  const isSkipped = async (name: string, at: string) =>
    skips?.(name) === true && !(await unignored.has(at));
  // Packages are public, and git's own files are not the user's; the targets of links there may be.
  const enters = async (name: string, at: string) =>
    (follows || (name !== "node_modules" && name !== ".git")) && !(await isSkipped(name, at));
  for await (const entry of folderTree(path, files, mostFiles, enters)) {
    if (entry === undefined)
      return words("{path} has too many files to look through.", { path: read.path });
    if (only?.(entry.name) === false || (await isSkipped(entry.name, entry.path))) continue;
    const real = follows ? await files.locate(entry.path) : { path: entry.path, inside: true };
    if (!real.inside) return outside(entry.path);
    const inner = problem(entry.path) ?? problem(real.path);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function outside(path: string): Words {
  return words("{path} is outside the workspace.", { path });
}

/**
 * Returns why a git command that reads needs approval; `undefined` when it may run.
 *
 * @param folder canonical, in the workspace; git looks for its repository from here
 * @param runsIn the folder that paths are relative to
 */
async function gitProblem(
  folder: string,
  runsIn: string,
  read: Read,
  visible: VisibleFiles,
): Promise<Words | undefined> {
  const { how, shows = false, within, looksInside = false } = read;
  const { files } = visible;
  const repository = await findRepository(folder, files);
  if (isWords(repository)) return repository;
  if (repository === undefined)
    return shows ? words("There is no repository, and so git would compare any files.") : undefined;
  const followed = await Promise.all((within ?? []).map((path) => followPath(runsIn, path, files)));
  const named = followed.map((found) => found?.path ?? repository.place);
  const only = within === undefined ? [repository.place] : named;
  return (
    (await configProblem(repository, visible)) ??
    (how === "work tree" ? await gitWorkTreeProblem(repository, looksInside, files) : undefined) ??
    (shows ? await gitSecretsProblem(repository, only, files) : undefined) ??
    (await gitHistoryProblem(repository, { ...read, only }, visible)) ??
    (read.showsAddresses === true ? await gitLoginProblem(repository, files) : undefined)
  );
}

/** Returns why a repository's configuration needs approval, unless a person has accepted it as it is. */
async function configProblem(
  repository: GitRepository,
  { files, acceptsGit }: Pick<VisibleFiles, "files" | "acceptsGit">,
): Promise<Words | undefined> {
  const problem = await gitConfigProblem(repository, files);
  if (problem === undefined || acceptsGit === undefined) return problem;
  // Few repositories need it.
  const { gitConfiguration } = await import("./git/gitConfiguration.js");
  const configuration = await gitConfiguration(repository, files);
  if (isWords(configuration)) return problem;
  const { folder, bound } = configuration;
  return (await acceptsGit(folder, bound)) ? undefined : problem;
}

const names = [".gitignore", ".ignore", ".rgignore"];

/**
 * Finds the paths that a line with `!` in one of the workspace's ignore files may bring back into a
 * search, even if it skips names with a dot in front.
 */
export class Unignored {
  private readonly known = new Map<string, Promise<IgnoreRules | undefined>>();

  constructor(private readonly files: ReviewedFiles) {}

  /**
   * Returns whether an ignore file may bring a path back.
   *
   * @param path canonical, in the workspace
   */
  async has(path: string): Promise<boolean> {
    const parts = path.split("/");
    for (const depth of parts.keys()) {
      const folder = parts.slice(0, depth).map((part) => `${part}/`);
      const way = parts.slice(depth).join("/");
      for (const name of names) {
        const file = folder.join("") + name;
        this.known.set(file, this.known.get(file) ?? this.read(file));
        const patterns = await this.known.get(file);
        if (patterns !== undefined && bringsBack(patterns, way)) return true;
      }
    }
    return false;
  }

  private async read(file: string): Promise<IgnoreRules | undefined> {
    const bytes = await this.files.readFile(file);
    const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
    const back = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    return back.length === 0 ? undefined : new IgnoreRules(back, { ignorecase: true });
  }
}

/**
 * Returns whether rules match a path as a file or as a folder; rules that would take too long to
 * match count as matching.
 */
function bringsBack(patterns: IgnoreRules, way: string): boolean {
  try {
    return patterns.ignores(way) || patterns.ignores(`${way}/`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return true;
  }
}
