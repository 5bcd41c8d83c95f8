import type { ReadableFiles } from "../ports/files.js";
import { type Words, words } from "../text/words.js";
import { foldedPath } from "./foldedPath.js";

/** A path in one of git's own folders. */
export interface InGitFolder {
  /** The folder, as in `.git` or `sub/.git`. */
  readonly folder: string;
  /** The path in it, as in `refs/heads/main`; empty for the folder itself. */
  readonly part: string;
}

/** Splits a path at the first folder that is named `.git`, however that is spelled. */
export function inGitFolder(path: string): InGitFolder | undefined {
  const names = path.split("/");
  const at = names.findIndex((name) => foldedPath(name) === ".git");
  if (at < 0) return undefined;
  return { folder: names.slice(0, at + 1).join("/"), part: names.slice(at + 1).join("/") };
}

/**
 * Patterns of plain data by stage, in the order in which the files must be put into a repository, so that
 * none refers to one that is missing.
 */
const stages: readonly (readonly RegExp[])[] = [
  [
    /^objects$/,
    /^objects\/[0-9a-f]{2}(\/[0-9a-f]{38}([0-9a-f]{24})?)?$/,
    /^objects\/pack(\/(pack|multi-pack-index)[-.\w]*)?$/,
    /^objects\/info(\/(packs|commit-graph|commit-graphs(\/[-.\w]+)?))?$/,
  ],
  [/^(refs|logs)(\/.*)?$/, /^packed-refs$/, /^shallow$/],
  [
    /^(index|HEAD|ORIG_HEAD|FETCH_HEAD|AUTO_MERGE|REBASE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD)$/,
    /^(COMMIT_EDITMSG|MERGE_[A-Z]+)$/,
    /^rebase-(merge|apply)(\/[^/]+)*$/,
    /^sequencer(\/[^/]+)?$/,
  ],
];

/**
 * Returns the stage at which a file of git's folder is written, if it is plain data: commits, names of
 * commits, what is staged, and how far a merge has come. Hooks, settings and everything unknown can make git
 * run programs, so they have no stage.
 *
 * @param part a path in git's own folder, as in `refs/heads/main`
 */
export function gitStage(part: string): number | undefined {
  if (part.split("/").some((name) => name === ".." || name === "." || name.endsWith(".lock"))) {
    return undefined;
  }
  const stage = stages.findIndex((patterns) => patterns.some((pattern) => pattern.test(part)));
  return stage < 0 ? undefined : stage;
}

/** Returns whether a path is the file with the remaining steps of a rebase, which may name programs. */
export function isRebasePlan(part: string): boolean {
  return /^(rebase-merge|rebase-apply|sequencer)\/(git-rebase-todo(\.backup)?|todo|done)$/.test(
    part,
  );
}

/** Returns whether git would run a program when it continues with this plan. */
export function runsPrograms(plan: string): boolean {
  return /^[^\S\r\n\u2028\u2029]*(x|exec)\s/m.test(plan);
}

/**
 * Returns why writing a path always needs approval where git would take a folder above it for a
 * repository; `undefined` otherwise. A folder with `HEAD`, `objects` and `refs` is one, whatever
 * its name is, and its `config` and `hooks` are programs to run.
 *
 * @param path canonical, in the workspace
 */
export async function gitLayout(path: string, files: ReadableFiles): Promise<Words | undefined> {
  const names = path.split("/");
  for (let depth = names.length - 1; depth >= 0; depth--) {
    const folder = names
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join("");
    if ((await files.stat(`${folder}HEAD`)) === undefined) continue;
    const parts = ["objects", "refs"].map((name) => files.stat(folder + name));
    const found = await Promise.all(parts);
    if (found.every((part) => part?.kind === "folder")) {
      return words("Git takes {folder} for a repository's own folder.", {
        folder: folder === "" ? words("the workspace") : folder,
      });
    }
  }
  return undefined;
}
