import { mayHoldSecrets } from "../../access/secretFiles.js";
import type { GitHistory } from "../../ports/git.js";
import { isWords, type Words, words } from "../../text/words.js";
import { joinPath } from "../paths/followPath.js";
import type { ReviewedFiles } from "../paths/reviewedFiles.js";
import type { Read } from "../reading/usage.js";
import { findRepository, type GitRepository } from "./gitRepository.js";

/** The files of earlier commits that a git command may show. */
interface PastRead extends Pick<Read, "past" | "objects"> {
  /** The files and folders of which it shows some. */
  readonly only: readonly string[];
}

/** The workspace's files, and everything that was ever committed; see `VisibleFiles`. */
interface Past {
  readonly files: ReviewedFiles;
  readonly isHidden: (path: string) => boolean;
  readonly history?: (() => Promise<GitHistory | undefined>) | undefined;
}

/**
 * Returns why a git command that shows files of earlier commits needs approval: a file that is hidden or may hold secrets was
 * committed once, or it cannot be told whether one was.
 */
export async function gitHistoryProblem(
  repository: GitRepository,
  { past = false, objects = [], only }: PastRead,
  { files, isHidden, history }: Past,
): Promise<Words | undefined> {
  if (objects.length === 0 && !past) return undefined;
  // A path that is a file now may have been a folder in an earlier commit, but that is rare.
  const isLikely = objects.length > 0 || !(await areFiles(only, files));
  const unknown = isLikely
    ? words(
        "Git may show a file of an earlier commit that holds secrets: which files were committed cannot be told here.",
      )
    : undefined;
  // It is known of the workspace's own repository only.
  const own = await findRepository("", files);
  if (own === undefined || isWords(own) || own.place !== repository.place) return unknown;
  const known = await history?.();
  if (known === undefined) return unknown;
  const problem = (path: string): Words | undefined => {
    if (mayHoldSecrets(path))
      return words("Git may show {path}, which may hold secrets.", { path });
    return isHidden(joinPath(repository.place, path))
      ? words("{path} is hidden from experts.", { path })
      : undefined;
  };
  for (const name of objects) {
    const meant = [...known].filter(([hash]) => hash.startsWith(name));
    // One that no branch leads to, as of a stash that was dropped, may be of any file.
    if (meant.length === 0) return words("What {word} stands for cannot be told.", { word: name });
    for (const [, path = ""] of meant) {
      const found = path === "" ? undefined : problem(path);
      if (found !== undefined) return found;
    }
  }
  if (!past) return undefined;
  const isShown = (path: string) =>
    only.some((place) => place === "" || path === place || path.startsWith(`${place}/`));
  for (const path of new Set(known.values())) {
    if (path === undefined || path === "" || !isShown(joinPath(repository.place, path))) continue;
    const found = problem(path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether all of these are files, of which no other one can be shown. */
async function areFiles(
  paths: readonly string[],
  files: Pick<ReviewedFiles, "stat">,
): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => files.stat(path)));
  return found.every((one) => one?.kind === "file");
}
