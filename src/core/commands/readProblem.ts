import { mayHoldSecrets } from "../approvals/secretFiles.js";
import type { FileSystem } from "../ports.js";
import { folderTree } from "./folderTree.js";
import { gitConfigProblem } from "./gitConfigProblem.js";
import { joinPath } from "./joinPath.js";
import { namePattern } from "./namePattern.js";
import type { Read } from "./reads.js";

/** The workspace as commands may look at it. */
export interface VisibleFiles {
  readonly files: FileSystem;
  /** Kept from experts, as by `.rooignore`. @param path canonical, inside the workspace */
  readonly isHidden: (path: string) => boolean;
}

const mostFiles = 20_000;

/** Why a path that a command reads is asked about; `undefined` when it may be read. */
export async function readProblem(
  read: Read,
  folder: string,
  { files, isHidden }: VisibleFiles,
): Promise<string | undefined> {
  if (read.path === "/dev/null") return undefined;
  const { path, inside } = await files.locate(joinPath(folder, read.path));
  if (!inside) return `${read.path} is outside the workspace.`;
  const problem = (one: string): string | undefined => {
    if (isHidden(one)) return `${one} is hidden from experts.`;
    const isRead = read.how === "file" || read.how === "tree";
    return isRead && mayHoldSecrets(one) ? `${one} may hold secrets.` : undefined;
  };
  const own = problem(path);
  if (own !== undefined) return own;
  if (read.how === "repository") return gitConfigProblem(path, files);
  if (read.how !== "tree") return undefined;
  if ((await files.stat(path))?.kind !== "folder") return undefined;
  const { only, skipsDots = false } = read;
  const patterns = only?.map(namePattern);
  // Packages are public, and git's own files are not the person's.
  const enters = (name: string) =>
    name !== "node_modules" && name !== ".git" && !(skipsDots && name.startsWith("."));
  for await (const entry of folderTree(path, files, mostFiles, enters)) {
    if (entry === undefined) return `${read.path} has too many files to look through.`;
    if (skipsDots && entry.name.startsWith(".")) continue;
    if (patterns !== undefined && !patterns.some((fits) => fits(entry.name))) continue;
    const inner = problem(entry.path);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
