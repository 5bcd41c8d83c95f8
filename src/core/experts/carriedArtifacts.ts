import type { FileSystem } from "../ports/files.js";
import type { Shell } from "../ports/shell.js";
import type { FileLeft } from "../ports/worktrees.js";
import { sameBytes } from "../text/textFile.js";
import { isArtifact, mostBytes, mostFiles } from "./artifacts.js";

/** The two places of a task's folder. */
export interface ArtifactPlaces {
  /** The checkout in which the task's commands run. */
  readonly checkout: FileSystem;
  /** The user's folder, which has the tasks' state. */
  readonly main: FileSystem;
}

/**
 * Returns a shell whose commands find what the task has put into its own folder, and whose own files there end in the
 * user's folder as all others do. Of the two places, the newer file counts. What code keeps about the task is never
 * taken from a checkout.
 *
 * @param folder the task's folder, as in `.rooroo/tasks/ID`
 */
export function shellWithArtifacts(shell: Shell, folder: string, places: ArtifactPlaces): Shell {
  const { checkout, main } = places;
  const fits = (path: string) => isArtifact(path, folder);
  const isContext = (path: string) => path === `${folder}/context.md`;
  const given = () =>
    copyNewer(folder, { from: main, to: checkout }, (path) => fits(path) || isContext(path));
  const taken = () => copyNewer(folder, { from: checkout, to: main }, fits);
  const sandbox = shell.sandbox?.bind(shell);
  return {
    get description() {
      return shell.description;
    },
    ...(sandbox === undefined ? {} : { sandbox }),
    run: async (request, signal) => {
      await given();
      const result = await shell.run(request, signal);
      await taken();
      const { layer } = result;
      if (layer === undefined) return result;
      const apply: typeof layer.apply = async (changes) => {
        const left = await layer.apply(changes);
        await taken();
        return left;
      };
      const { changes, left } = layer;
      const discard = () => layer.discard();
      return {
        ...result,
        layer: { changes, left, read: (one) => layer.read(one), apply, discard },
      };
    },
    endOrphaned: () => shell.endOrphaned(),
  };
}

/** Copies the files of a folder that fit and are newer than those in the other place. No link is followed. */
async function copyNewer(
  folder: string,
  { from, to }: { readonly from: FileSystem; readonly to: FileSystem },
  fits: (path: string) => boolean,
): Promise<void> {
  let files = 0;
  for await (const { path, kind } of entriesBelow(folder, from, fits)) {
    if (kind === "file" && ++files <= mostFiles) await copyIfNewer(path, from, to);
  }
}

/**
 * Returns what a task's commands have put into its own folder in the checkout and what is not in the user's folder: links,
 * files that are too big, and those beyond the most that are carried.
 */
export async function leftArtifacts(
  folder: string,
  { checkout, main }: ArtifactPlaces,
): Promise<readonly FileLeft[]> {
  const left: FileLeft[] = [];
  for await (const { path, kind } of entriesBelow(folder, checkout, (at) =>
    isArtifact(at, folder),
  )) {
    if (kind === "folder" || (await isCarried(path, { checkout, main }))) continue;
    // A link's size would be that of the file it leads to.
    const isLink = kind === "other";
    const bytes = isLink ? 0 : ((await checkout.stat(path))?.size ?? 0);
    left.push({ path, bytes, why: isLink ? "link" : "tooMuch" });
  }
  return left;
}

/** Returns whether what is in the user's folder is as new, or the same. */
async function isCarried(path: string, { checkout, main }: ArtifactPlaces): Promise<boolean> {
  const [own, other] = await Promise.all([checkout.stat(path), main.stat(path)]);
  if (own === undefined || other === undefined) return own === undefined;
  if (other.modifiedAt >= own.modifiedAt) return true;
  if (own.size !== other.size || own.size > mostBytes) return false;
  const [mine, theirs] = await Promise.all([checkout.readFile(path), main.readFile(path)]);
  return mine !== undefined && theirs !== undefined && sameBytes(mine, theirs);
}

/** Goes through what fits in a folder, and in its folders. No link is followed: each is of the kind `other`. */
async function* entriesBelow(folder: string, files: FileSystem, fits: (path: string) => boolean) {
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    if ((await files.locate(at)).path !== at) continue;
    for (const entry of await files.readDirectory(at)) {
      const path = `${at}/${entry.name}`;
      if (!fits(path)) continue;
      const isLink = (await files.locate(path)).path !== path;
      const kind = isLink ? "other" : entry.kind;
      if (kind === "folder") folders.push(path);
      yield { path, kind };
    }
  }
}

async function copyIfNewer(path: string, from: FileSystem, to: FileSystem): Promise<void> {
  const [own, other] = await Promise.all([from.stat(path), to.stat(path)]);
  if (own === undefined || (other !== undefined && other.modifiedAt >= own.modifiedAt)) return;
  const found = await from.readLocated(path, mostBytes);
  if (found?.bytes === undefined || found.location.path !== path) return;
  if (other === undefined) {
    await to.createFile(path, found.bytes, { located: true });
  } else if (other.kind === "file") {
    const before = await to.readFile(path);
    if (before === undefined || sameBytes(before, found.bytes)) return;
    await to.replaceFile(path, found.bytes, { expected: before, located: true });
  }
  if (own.mode !== undefined && own.mode !== other?.mode) await to.setMode(path, own.mode & 0o777);
}
