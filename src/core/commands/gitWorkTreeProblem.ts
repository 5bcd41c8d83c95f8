import { mayHoldSecrets } from "../approvals/secretFiles.js";
import type { FileSystem } from "../ports.js";
import { folderTree } from "./folderTree.js";
import { type IndexEntry, readGitIndex } from "./gitIndex.js";
import type { GitRepository } from "./gitRepository.js";
import { joinPath } from "./joinPath.js";

const largest = 50_000_000;
const mostFiles = 20_000;

/**
 * Returns why a git command that compares the files with a repository needs approval: it may then
 * write down what it found, which runs a hook, and it looks into repositories inside of this one,
 * each by its own configuration.
 *
 * @param looksInside whether it does so for repositories of other commits, too, which its index
 *   does not list
 */
export async function gitWorkTreeProblem(
  repository: GitRepository,
  looksInside: boolean,
  files: FileSystem,
): Promise<string | undefined> {
  const { place, common } = repository;
  const hook = joinPath(common, "hooks/post-index-change");
  if ((await files.stat(hook)) !== undefined) return `Git may run ${hook}.`;
  const entries = await indexEntries(repository, files);
  if (typeof entries === "string") return entries;
  if (!looksInside && !entries.some(({ isRepository }) => isRepository)) return undefined;
  const own = joinPath(place, ".git");
  for await (const entry of folderTree(place, files, mostFiles, (_, path) => path !== own)) {
    if (entry === undefined) return `${place} has too many files to look for repositories in it.`;
    if (entry.name.toLowerCase() === ".git" && entry.path !== own)
      return `${entry.path} is of a repository inside of this one, and may make git run programs.`;
  }
  return undefined;
}

/**
 * Returns why a git command that shows the contents of committed files needs approval.
 *
 * @param only the files and folders of which it shows some
 */
export async function gitSecretsProblem(
  repository: GitRepository,
  only: readonly string[],
  files: FileSystem,
): Promise<string | undefined> {
  const entries = await indexEntries(repository, files);
  if (typeof entries === "string") return entries;
  const isShown = (path: string) =>
    only.some((place) => place === "" || path === place || path.startsWith(`${place}/`));
  const secret = entries.find(({ path }) => {
    return mayHoldSecrets(path) && isShown(joinPath(repository.place, path));
  });
  return secret && `Git may show ${secret.path}, which may hold secrets.`;
}

async function indexEntries(
  { folder, common }: GitRepository,
  files: FileSystem,
): Promise<readonly IndexEntry[] | string> {
  const index = joinPath(folder, "index");
  const stat = await files.stat(index);
  if (stat === undefined) return [];
  if (stat.kind !== "file" || stat.size > largest) return `${index} is too large to look through.`;
  const config = new TextDecoder("utf-8").decode(await files.readFile(joinPath(common, "config")));
  const hashLength = /objectformat\s*=\s*sha256/i.test(config) ? 32 : 20;
  const bytes = await files.readFile(index);
  return readGitIndex(bytes ?? new Uint8Array(), hashLength) ?? `${index} cannot be read whole.`;
}
