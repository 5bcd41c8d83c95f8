import type { IgnoreTest } from "../access/ignoredFiles.js";
import { hasSecretName } from "../access/secretFiles.js";
import { holdsLogin } from "../commands/git/gitLogin.js";
import type { FileSystem } from "../ports/files.js";

const gitConfig = ".git/config";

/**
 * Returns which files a command in the sandbox finds empty: those that are hidden, or may hold secrets. Git needs what it keeps;
 * of that, only the repository's configuration is empty, and only if it has a login in it.
 */
export async function sandboxMasks(
  files: FileSystem,
  isHidden: IgnoreTest,
): Promise<(path: string) => boolean> {
  const hasLogin = holdsLogin(await configText(files));
  return (path) =>
    isHidden(path) !== undefined || hasSecretName(path) || (hasLogin && path === gitConfig);
}

async function configText(files: FileSystem): Promise<string> {
  const stat = await files.stat(gitConfig);
  return stat?.kind === "file" ? new TextDecoder().decode(await files.readFile(gitConfig)) : "";
}
