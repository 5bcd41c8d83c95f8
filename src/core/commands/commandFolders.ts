import { joinPath } from "./joinPath.js";
import type { Joint } from "./plainLine.js";
import type { Word } from "./word.js";

type Folders = readonly string[] | undefined;

interface Step {
  readonly after: Joint;
  readonly words: readonly Word[];
}

const mostFolders = 8;

/**
 * Returns the folders in which each command of a plain line may run, depending on whether each `cd`
 * before it succeeds; `undefined` for a command whose folders are unknown or too many.
 */
export function commandFolders(steps: readonly Step[], start: string): Folders[] {
  const folders: Folders[] = [];
  let done: Folders = [start];
  let failed: Folders = [start];
  for (const [index, { after, words }] of steps.entries()) {
    if (after === "|") {
      folders.push(folders.at(-1));
      continue;
    }
    const here: Folders = after === "&&" ? done : after === "||" ? failed : union(done, failed);
    folders.push(here);
    // A part of a pipe runs in a process of its own, so that its `cd` has no effect on what
    // follows.
    const moved: Folders = steps[index + 1]?.after === "|" ? here : afterCommand(words, here);
    done = after === "||" ? union(done, moved) : moved;
    failed = after === "&&" ? union(failed, here) : here;
  }
  return folders;
}

/** Returns whether a command could change the folder that the following commands run in. */
export function changesFolder(words: readonly Word[]): boolean {
  const [name, next] = words;
  if (name === undefined) return false;
  if (name.kind !== "literal") return true;
  if (/^(cd|pushd|popd|eval|source|\.)$/.test(name.text)) return true;
  return /^(command|builtin)$/.test(name.text) && next?.text === "cd";
}

function afterCommand(words: readonly Word[], here: Folders): Folders {
  if (!changesFolder(words)) return here;
  const [name, target, ...more] = words;
  if (name?.text !== "cd" || target?.kind !== "literal" || more.length > 0) return undefined;
  // Other spellings go to a folder that is not named, or depend on CDPATH.
  if (!/^(\.{0,2}\/|\.{1,2}$|[^-/~])/.test(target.text)) return undefined;
  return here?.map((folder) => joinPath(folder, target.text));
}

function union(one: Folders, other: Folders): Folders {
  if (one === undefined || other === undefined) return undefined;
  const both = [...new Set([...one, ...other])];
  return both.length > mostFolders ? undefined : both;
}
