import type { ReadableFiles, Location } from "../ports/files.js";
import { type Words, words } from "../text/words.js";
import { gitLayout, inGitFolder } from "./gitFolder.js";
import type { IgnoreSource } from "./ignoredFiles.js";
import { mayHoldSecrets } from "./secretFiles.js";

/**
 * Returns why a file must not be read for a model unless a person is asked, as it continues a sentence after the file's name;
 * `undefined` if it may be. Whatever is read because a file, a list, a message or a report names it passes here: the name may
 * have come from anywhere.
 *
 * @param place where the name leads, links followed
 */
export async function whyNotUnasked(
  { path, inside }: Location,
  files: ReadableFiles,
  hidden: IgnoreSource,
): Promise<Words | undefined> {
  if (!inside) return words("is outside the workspace");
  if ((await hidden.read())(path) !== undefined) {
    return words("is hidden from experts by .rooignore");
  }
  const isSecret = mayHoldSecrets(path) || (await isOfGit(path, files));
  return isSecret ? words("may hold keys or passwords") : undefined;
}

/** Returns whether a path is in what git keeps of a repository, also in a folder with another name than `.git`. */
async function isOfGit(path: string, files: ReadableFiles): Promise<boolean> {
  if (inGitFolder(path) !== undefined) return true;
  // A repository among Rooroo's own files can only have come with the folder, with no login of the person's.
  return !path.startsWith(".rooroo/") && (await gitLayout(path, files)) !== undefined;
}
