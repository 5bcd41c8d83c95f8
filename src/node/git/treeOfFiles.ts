import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { mostOfNewFile, type NotCarried } from "../../core/ports/worktrees.js";
import { inFolderOf } from "../files/directoryHandle.js";
import { errorCode } from "../files/fileError.js";
import { realLocation } from "../files/realLocation.js";
import { type GitProcess, printed, zeroSeparated } from "./gitProcess.js";

/** A folder of files as git sees it. */
export interface Checkout {
  /** The repository's folder for this checkout, absolute. */
  readonly gitDir: string;
  /** The absolute path of the folder with the files. */
  readonly files: string;
  /** The absolute path of an index that knows most of the files. It is read, and never written. */
  readonly index: string;
  /** The workspace folder in the checkout: empty, or as in `packages/app/`. */
  readonly prefix: string;
}

export interface WrittenTree {
  /** The tree's full name. */
  readonly tree: string;
  /** Files that are in the tree as the index has them, or not at all. Paths from the checkout's root. */
  readonly leftOut: readonly { readonly path: string; readonly why: NotCarried }[];
}

/**
 * Writes the files of a checkout, changed and new ones included, as a tree into the repository, by a copy of the index.
 * Files that git ignores are not in it, nor the new ones in `.rooroo`, which has the state of the work.
 *
 * @param index the absolute path of the copy, which is made; it knows all files of the tree afterwards
 * @param settings those that keep git from running filters
 */
export async function treeOfFiles(
  git: GitProcess,
  checkout: Checkout,
  index: string,
  settings: readonly (readonly [string, string])[],
): Promise<WrittenTree> {
  const { gitDir, files, prefix } = checkout;
  await copyIndex(checkout.index, index);
  const env = { GIT_DIR: gitDir, GIT_WORK_TREE: files, GIT_INDEX_FILE: index };
  const options = { cwd: files, env, settings };
  const list = ["ls-files", "-z", "--others", "--exclude-standard", "--", "."];
  const [differing, others] = await Promise.all([
    git.run(["diff-files", "-z", "--name-status", "--ignore-submodules=all"], options),
    git.run([...list, `:(exclude,literal)${prefix}.rooroo`], options),
  ]);
  const removed: string[] = [];
  const present: string[] = [];
  const fields = zeroSeparated(differing);
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [kind, path = ""] = fields.slice(at, at + 2);
    (kind === "D" ? removed : present).push(path);
  }
  const updateIndex = async (flags: readonly string[], paths: readonly string[]): Promise<void> => {
    // With many files, git needs a while to read and write the index even for none.
    if (paths.length === 0) return;
    const input = paths.map((path) => `${path}\0`).join("");
    await git.run(["update-index", "-z", ...flags, "--stdin"], { ...options, input });
  };
  const leftOut: { path: string; why: NotCarried }[] = [];
  for (const path of zeroSeparated(others)) {
    // A folder stands for a repository within this one.
    if (path.endsWith("/")) leftOut.push({ path, why: "link" });
    else if (await isTooBig(join(files, path))) leftOut.push({ path, why: "tooBig" });
    else present.push(path);
  }
  const filtered = await filteredFiles(git, present, options);
  for (const path of filtered) leftOut.push({ path, why: "filtered" });
  const kept = present.filter((path) => !filtered.has(path));
  await updateIndex(["--force-remove"], removed);
  await updateIndex(["--add", "--remove", "--replace"], kept);
  return { tree: printed(await git.run(["write-tree"], options)), leftOut };
}

/** Returns those of the files that git would read and write only through a program. */
export async function filteredFiles(
  git: GitProcess,
  paths: readonly string[],
  options: Parameters<GitProcess["run"]>[1],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const input = paths.map((path) => `${path}\0`).join("");
  const asked = await git.run(["check-attr", "-z", "--stdin", "filter"], { ...options, input });
  const found = new Set<string>();
  const fields = zeroSeparated(asked);
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", , value = ""] = fields.slice(at, at + 3);
    if (value !== "unspecified" && value !== "unset") found.add(path);
  }
  return found;
}

/**
 * Copies an index. Git reads a file again that has changed as late as its index was written, by the index's own time,
 * so the copy must not be younger.
 *
 * @param to the absolute path of the copy, where there is nothing yet, in a folder that exists
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(from);
    await inFolderOf(await realLocation(to), { make: false }, async (folder, name) => {
      await folder.copy(from, name, 0o600);
      await folder.touch(name, new Date(Math.floor(mtimeMs / 1000) * 1000));
    });
  } catch (error) {
    // A repository without an index has nothing staged.
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** Returns whether a file is too big to be put into the repository without a person's wish. */
export async function isTooBig(path: string): Promise<boolean> {
  return ((await lstat(path).catch(() => undefined))?.size ?? 0) > mostOfNewFile;
}
