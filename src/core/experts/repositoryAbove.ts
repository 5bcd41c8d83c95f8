import { type IgnoreSource, IgnoredFiles } from "../access/ignoredFiles.js";
import type { FileStat, FileSystem, ReadableFiles } from "../ports/files.js";
import { folderOf } from "../text/pathParts.js";

/** The most folders above the workspace that are looked at. */
const mostAbove = 30;

/** Folders that have a folder above them: not the top of a disk or of a share. */
const belowTop = /^(?:[a-z]:|\/\/[^/]+\/[^/]+)?\/[^/]/i;

/** The repository that the workspace is a part of. Paths are relative to its folder; of the workspace's files, too. */
export interface RepositoryAbove {
  /** The absolute path of its folder, with slashes. */
  readonly root: string;
  /** The folders from the one above the workspace to the repository's, which is `""`. */
  readonly folders: readonly string[];
  /** Reads its files. What lies outside of it has an absolute path. */
  readonly files: ReadableFiles;
  /** What its own `.rooignore` hides, and that of the workspace. */
  readonly hidden: IgnoreSource;
  /** Returns whether what was found belongs to the user, or to whom the workspace belongs. */
  readonly isOurs: (stat: FileStat) => boolean;
}

/**
 * Finds the repository above a workspace, without asking git: the nearest folder with a `.git`, which may be a file. There
 * is none where the workspace itself has one, above the home folder, and where it belongs to somebody else: whoever may
 * write into a folder such as `/tmp` could else tell the experts of all that work below it what to do.
 *
 * @param hidden what the workspace hides
 * @param home the absolute path of the user's home folder
 */
export async function repositoryAbove(
  files: FileSystem,
  hidden: IgnoreSource,
  home: string,
): Promise<RepositoryAbove | undefined> {
  const [top, ending] = await Promise.all([files.stat(".git"), files.locate(home)]);
  // The home folder is the workspace or in it.
  if (isGit(top) || ending.inside) return undefined;
  const owners = [(await files.stat(""))?.owner, (await files.stat(home))?.owner];
  const isOurs = ({ owner }: FileStat) => owner === undefined || owners.includes(owner);
  const workspace = slashes(files.absolute(""));
  const above: string[] = [];
  let folder = folderOf(workspace);
  for (; belowTop.test(folder) && above.length < mostAbove; folder = folderOf(folder)) {
    above.push(folder);
    const git = await files.stat(`${folder}/.git`);
    const { path: real } = await files.locate(folder);
    if (git !== undefined && isGit(git)) {
      if (!isOurs(git)) return undefined;
      const within = readable(files, { root: folder, real, way: wayIn(folder, workspace) });
      return {
        root: folder,
        folders: above.map((each) => wayIn(folder, each)),
        files: within,
        hidden: both(new IgnoredFiles(within).once(), hidden, wayIn(folder, workspace)),
        isOurs,
      };
    }
    if (real === ending.path) return undefined;
  }
  return undefined;
}

function isGit(stat: FileStat | undefined): boolean {
  return stat?.kind === "file" || stat?.kind === "folder";
}

/** A folder above the workspace: its path, the same without links, and the way from it to the workspace. */
interface Place {
  readonly root: string;
  readonly real: string;
  readonly way: string;
}

/** Returns the files of a folder above the workspace, to be read by paths that are relative to it. */
function readable(files: FileSystem, { root, real, way }: Place): ReadableFiles {
  const at = (path: string) =>
    /^(?:\/|[a-z]:[\\/])/i.test(path) ? path : path === "" ? root : `${root}/${path}`;
  return {
    locate: async (path) => {
      const found = await files.locate(at(path));
      if (found.inside) {
        return { path: found.path === "" ? way : `${way}/${found.path}`, inside: true };
      }
      if (found.path === real) return { path: "", inside: true };
      const isBelow = found.path.startsWith(`${real}/`);
      return { path: isBelow ? wayIn(real, found.path) : found.path, inside: isBelow };
    },
    stat: (path) => files.stat(at(path)),
    readFile: (path) => files.readFile(at(path)),
    readRange: (path, start, end) => files.readRange(at(path), start, end),
    readDirectory: (path) => files.readDirectory(at(path)),
  };
}

/** Returns what is hidden in a folder, and what a workspace in it hides. */
function both(outer: IgnoreSource, inner: IgnoreSource, way: string): IgnoreSource {
  return {
    read: async () => {
      const [ofOuter, ofInner] = [await outer.read(), await inner.read()];
      return (path) =>
        ofOuter(path) ?? (path.startsWith(`${way}/`) ? ofInner(wayIn(way, path)) : undefined);
    },
  };
}

function wayIn(folder: string, path: string): string {
  return path.slice(folder.length + 1);
}

/** Returns an absolute path of Windows with slashes; elsewhere a backslash is a part of a name. */
function slashes(path: string): string {
  return /^(?:[a-z]:|\\\\)/i.test(path) ? path.replaceAll("\\", "/") : path;
}
