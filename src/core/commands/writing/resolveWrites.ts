import { protection } from "../../access/protectedFiles.js";
import type { FileSystem } from "../../ports.js";
import { expandPattern } from "../paths/expandPattern.js";
import { folderTree, followPath, joinPath } from "../paths/followPath.js";
import type { Word } from "../line/word.js";
import type { Copies, WriteTargets } from "./writes.js";

export interface Writes {
  /** Canonical paths; for a link, both its own path and its target's. */
  readonly paths: readonly string[];
  /** A sentence, if some of what is written cannot be named. */
  readonly unnamed: string | undefined;
  /** The files and folders that the command creates. */
  readonly made: readonly MadePath[];
}

/** A path that a command creates, through which another command of the same line may write. */
interface MadePath {
  /** The path, with links not resolved. */
  readonly path: string;
  /** The path that it is a copy of, with links not resolved; `undefined` if it is a link itself. */
  readonly copyOf: string | undefined;
}

/** Matches devices, which keep nothing. */
const devices = /^\/dev\/(null|zero|stdin|stdout|stderr|tty|fd\/\d+)$/;
const mostListed = 500;
const mostCopied = 2000;

/**
 * Finds where targets lead in the workspace as it is.
 *
 * @param folders where the command may run; `undefined` if that is unknown
 */
export async function resolveWrites(
  targets: WriteTargets,
  folders: readonly string[] | undefined,
  files: FileSystem,
): Promise<Writes> {
  const paths = new Set<string>();
  const made: MadePath[] = [];
  let unnamed = targets.unnamed;

  /** Returns the paths of a word from the workspace's root, with links not resolved. */
  const placesOf = async (word: Word): Promise<string[]> => {
    if (word.kind === "literal" && devices.test(word.text)) return [];
    const isFixed = word.kind === "literal" && word.text.startsWith("/");
    if (word.kind === "unknown" || word.kind === "status" || (folders === undefined && !isFixed)) {
      unnamed ??= `Where it writes shows only when it runs (${word.text}).`;
      return [];
    }
    const places: string[] = [];
    for (const folder of folders ?? [""]) {
      const words =
        word.kind === "literal" ? [word.text] : await expandPattern(word.text, folder, files);
      if (words === undefined) unnamed ??= `What ${word.text} stands for cannot be told.`;
      for (const one of words ?? []) {
        const followed = await followPath(folder, one, files);
        if (followed !== undefined) places.push(followed.place);
      }
    }
    return places;
  };
  const add = async (place: string): Promise<string> => {
    const { path, inside } = await files.locate(place);
    paths.add(path);
    // Writing goes through a link to its target; deleting removes the link itself.
    if (inside && !/^(\/|\.\.)/.test(place)) paths.add(place);
    return path;
  };
  const below = async (path: string, most: number, found: (path: string) => unknown) => {
    if ((await files.stat(path))?.kind !== "folder") return true;
    for await (const entry of folderTree(path, files, most, () => true)) {
      if (entry === undefined) return false;
      await found(entry.path.slice(path === "" ? 0 : path.length + 1));
    }
    return true;
  };

  const addTree = async (place: string): Promise<void> => {
    const path = await add(place);
    // A path outside needs approval anyway, and deep folders are not worth a long look.
    if (path.startsWith("/")) return;
    await below(path, mostListed, (inner) => paths.add(joinPath(path, inner)));
  };
  const addCopies = async ({ from, to, links, mayBeRemote, keepsFolders }: Copies) => {
    const isRemote = ({ text }: Word) => mayBeRemote === true && /^[^/]+:/.test(text);
    if (isRemote(to)) return;
    const put = async (place: string, source: string): Promise<void> => {
      await add(place);
      made.push({ path: place, copyOf: links === true ? undefined : source });
    };
    for (const target of await placesOf(to)) {
      const isFolder = (await files.stat(target))?.kind === "folder";
      if (from.length === 0) await add(target);
      for (const word of from) {
        if (isRemote(word)) {
          unnamed ??= "What it copies is on another machine.";
          continue;
        }
        if (keepsFolders === true) await add(joinPath(target, word.text));
        for (const source of await placesOf(word)) {
          const name = source.replace(/^.*\//, "");
          if (!isFolder) await put(target, source);
          else if (name !== "") await put(joinPath(target, name), source);
          const whole = await below(source, mostCopied, async (inner) => {
            await add(joinPath(target, inner));
            if (isFolder && name !== "") await add(joinPath(target, `${name}/${inner}`));
          });
          if (!whole) unnamed ??= `${word.text} has too many files to look through.`;
        }
      }
    }
  };

  for (const word of targets.files ?? []) {
    for (const place of await placesOf(word)) await add(place);
  }
  for (const word of targets.trees ?? []) {
    for (const place of await placesOf(word)) await addTree(place);
  }
  for (const word of targets.perhaps ?? []) {
    for (const place of await placesOf(word)) {
      const isThere = (await files.stat(place)) !== undefined;
      if (isThere || protection(place) !== undefined) await addTree(place);
    }
  }
  for (const copies of targets.copies ?? []) await addCopies(copies);
  return { paths: [...paths], unnamed, made };
}

/**
 * Returns a sentence if it cannot be told where a line writes: one of its commands makes, copies or
 * moves a link, and another one writes through it. The files as they are now do not show that.
 *
 * @param writes of the line's commands, one item for each
 */
export async function throughNewLinks(
  writes: readonly Writes[],
  files: FileSystem,
): Promise<string | undefined> {
  for (const [index, { made }] of writes.entries()) {
    for (const one of made) {
      for (const [other, { paths }] of writes.entries()) {
        if (other === index) continue;
        for (const path of paths) {
          if (path !== one.path && !path.startsWith(`${one.path}/`)) continue;
          if (await leadsElsewhere(one, path, files))
            return `It writes ${path} through ${one.path}, which it makes itself.`;
        }
      }
    }
  }
  return undefined;
}

/** Returns whether a created path will be a link; for a copy, the original tells. */
async function leadsElsewhere(
  { path: made, copyOf }: MadePath,
  path: string,
  files: FileSystem,
): Promise<boolean> {
  if (copyOf === undefined) return true;
  const original = copyOf + path.slice(made.length);
  return (await files.locate(original)).path !== original;
}
