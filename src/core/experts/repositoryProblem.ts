import { findRepository } from "../commands/git/gitRepository.js";
import type { FileSystem } from "../ports/files.js";
import { isWords, type Words } from "../text/words.js";

/**
 * Returns why code of ours does not run git in the workspace: the repository's layout would lead it to another one, whose
 * files it would show; `undefined` if it may. What the repository's configuration names does not matter: these runs of git
 * set it so that it runs no program.
 */
export async function repositoryProblem(files: FileSystem): Promise<Words | undefined> {
  const repository = await findRepository("", files);
  return repository !== undefined && isWords(repository) ? repository : undefined;
}
