import { type Words, words } from "../../text/words.js";
import type { ReviewedFiles } from "../paths/reviewedFiles.js";
import { configPaths, entriesOf } from "./gitConfigProblem.js";
import type { GitRepository } from "./gitRepository.js";

/** Returns why a git command that shows the addresses of other repositories needs approval. */
export async function gitLoginProblem(
  repository: GitRepository,
  files: Pick<ReviewedFiles, "readFile">,
): Promise<Words | undefined> {
  for (const path of configPaths(repository)) {
    const text = new TextDecoder("utf-8").decode(await files.readFile(path));
    if (holdsLogin(text)) return words("{path} has a login in it, which git would show.", { path });
  }
  return undefined;
}

/** Returns whether a configuration of git's has a password or token in an address or a header. */
export function holdsLogin(config: string): boolean {
  for (const { key = "", name = "", text } of entriesOf(config)) {
    if (/header|cookie|password|token/i.test(key)) return true;
    if (hasLogin(text) || hasLogin(name)) return true;
  }
  return false;
}

/** Returns whether a text has an address with a password, or with a name that is as long as a token. */
function hasLogin(text: string): boolean {
  return /:\/\/(?:[^\s/@:]*:[^\s/@]+|[^\s/@:]{20,})@/.test(text);
}
