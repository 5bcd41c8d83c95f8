import { dirname, join, relative, resolve, sep } from "node:path";
import { type DirectoryHandle, inFolderOf } from "../files/directoryHandle.js";
import { durablyCreate } from "../files/durableWrite.js";
import { readSmallFile } from "../files/regularFile.js";

const name = ".gitignore";

const rules = `# Rooroo Navigator keeps records of its work here, which git ignores. Worth committing are only the rules that you
# wrote and the summaries of brainstorming. Edit this file as you like: for plans, add !/plans/ and !/plans/**.
*
!/rules/
!/rules/**
!/brainstorming/
!/brainstorming/**
`;

/** The file beside the locks that says that git tracks the records, so that a person is told. */
const trackedMark = "tracked";

/** The most bytes of an index of git that is looked through: some hundred thousand files. */
const largestIndex = 100_000_000;

/**
 * Keeps git from taking transcripts, locks, outputs and other records for a part of the project. A file that the user has
 * edited stays as it is. Where git tracks files of `.rooroo` already, somebody has decided otherwise, so nothing is hidden.
 *
 * @param locks the absolute path of `.rooroo/locks` of the workspace, which `held` holds open
 */
export async function ignoreRecords(locks: string, held: DirectoryHandle): Promise<void> {
  const records = dirname(locks);
  // An index is long to read, so that it is read only where nothing has been decided.
  const decided = [join(records, name), join(locks, trackedMark)].map(contentOf);
  if ((await Promise.all(decided)).some((content) => content !== undefined)) return;
  if (await isTracked(records)) await durablyCreate(held, trackedMark, Buffer.alloc(0));
  else {
    await inFolderOf(locks, { make: false }, (folder) =>
      durablyCreate(folder, name, Buffer.from(rules)),
    );
  }
}

/** Returns whether the index of the repository in which a folder lies names a file in it. Git itself is not asked. */
async function isTracked(folder: string): Promise<boolean> {
  for (let root = dirname(folder); ; root = dirname(root)) {
    const index = await contentOf(await indexOf(root));
    // A path follows the two bytes that say how long it is; those before it are of no path.
    if (index !== undefined) {
      const path = `${relative(root, folder).split(sep).join("/")}/`;
      return hasPath(index, Buffer.from(path));
    }
    if (root === dirname(root)) return false;
  }
}

/** Returns the path of the index of the repository at a folder; in a worktree, `.git` is a file that leads there. */
async function indexOf(root: string): Promise<string> {
  const link = (await contentOf(join(root, ".git")))?.toString() ?? "";
  const [, elsewhere = ".git"] = /^gitdir: ([^\n]+)/.exec(link) ?? [];
  return join(resolve(root, elsewhere), "index");
}

/** Returns whether an entry of the index begins with a path: before it stands the length of its name, at least as much. */
function hasPath(index: Buffer, path: Buffer): boolean {
  for (let at = index.indexOf(path); at >= 0; at = index.indexOf(path, at + 1)) {
    const length = at < 2 ? 0 : index.readUInt16BE(at - 2) & 0xfff;
    const isWhole = index.indexOf(0, at) === at + length;
    if (length > path.length && isWhole) return true;
  }
  return false;
}

/** Returns a file's content; `undefined` if it cannot be read. */
function contentOf(path: string): Promise<Buffer | undefined> {
  return readSmallFile(path, largestIndex, { follow: true }).catch(() => undefined);
}
