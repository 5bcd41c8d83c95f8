import type { FileSystem } from "../ports.js";
import { folderTree } from "./folderTree.js";
import { joinPath } from "./joinPath.js";
import { repositoryFolder } from "./repositoryFolder.js";

const largest = 50_000_000;
const mostFiles = 20_000;
/** In an index, the mode of what is a repository of its own: 0160000, as four bytes. */
const repositoryMode = [0, 0, 0xe0, 0];

/**
 * Why git is asked about that compares the files with a repository: it may then write down what it
 * found, which runs a hook, and it looks into repositories inside of this one, each by its own
 * configuration.
 */
export async function gitWorkTreeProblem(
  folder: string,
  files: FileSystem,
): Promise<string | undefined> {
  const place = await repositoryFolder(folder, files);
  if (place === undefined) return undefined;
  const hook = joinPath(place, ".git/hooks/post-index-change");
  if ((await files.stat(hook)) !== undefined) return `Git may run ${hook}.`;
  const index = joinPath(place, ".git/index");
  const stat = await files.stat(index);
  if (stat === undefined) return undefined;
  if (stat.kind !== "file" || stat.size > largest) return `${index} is too large to look through.`;
  if (!holdsMode((await files.readFile(index)) ?? new Uint8Array())) return undefined;
  const own = joinPath(place, ".git");
  for await (const entry of folderTree(place, files, mostFiles, (_, path) => path !== own)) {
    if (entry === undefined) return `${place} has too many files to look for repositories in it.`;
    if (entry.name.toLowerCase() === ".git" && entry.path !== own)
      return `${entry.path} is of a repository inside of this one, and may make git run programs.`;
  }
  return undefined;
}

/** Where it does so by chance, there is more to look through, and that is all. */
function holdsMode(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0xe0); at >= 0; at = bytes.indexOf(0xe0, at + 1)) {
    if (repositoryMode.every((byte, index) => bytes[at - 2 + index] === byte)) return true;
  }
  return false;
}
