import { protection } from "../../access/protectedFiles.js";
import { type Words, words } from "../../text/words.js";
import type { Word } from "../line/word.js";
import { expandPattern } from "../paths/expandPattern.js";
import { folderTree, followPath, joinPath } from "../paths/followPath.js";
import type { ReviewedFiles } from "../paths/reviewedFiles.js";
import type { Copies, WriteTargets } from "./writes.js";

export interface Writes {
  /** Canonical paths; for a link, both its own path and its target's. */
  readonly paths: readonly string[];
  /** A sentence, if some of what is written cannot be named. */
  readonly unnamed: Words | undefined;
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
  files: ReviewedFiles,
): Promise<Writes> {
  const resolver = new WriteResolver(folders, files, targets.unnamed);
  await resolver.addAll(targets);
  const { paths, unnamed, made } = resolver;
  return { paths: [...paths], unnamed, made };
}

class WriteResolver {
  readonly paths = new Set<string>();
  readonly made: MadePath[] = [];

  /** @param unnamed why, if some of what is written cannot be named; the first one is kept */
  constructor(
    private readonly folders: readonly string[] | undefined,
    private readonly files: ReviewedFiles,
    public unnamed: Words | undefined,
  ) {}

  async addAll(targets: WriteTargets): Promise<void> {
    for (const word of targets.files ?? []) {
      for (const place of await this.placesOf(word)) await this.add(place);
    }
    for (const word of targets.trees ?? []) {
      for (const place of await this.placesOf(word)) await this.addTree(place);
    }
    for (const word of targets.perhaps ?? []) {
      for (const place of await this.placesOf(word)) {
        const isThere = (await this.files.stat(place)) !== undefined;
        if (isThere || protection(place) !== undefined) await this.addTree(place);
      }
    }
    for (const copies of targets.copies ?? []) await this.addCopies(copies);
  }

  /** Returns the paths of a word from the workspace's root, with links not resolved. */
  private async placesOf(word: Word): Promise<string[]> {
    const { folders, files } = this;
    if (word.kind === "literal" && devices.test(word.text)) return [];
    const isFixed = word.kind === "literal" && word.text.startsWith("/");
    if (word.kind === "unknown" || word.kind === "status" || (folders === undefined && !isFixed)) {
      this.unnamed ??= words("Where it writes shows only when it runs ({word}).", {
        word: word.text,
      });
      return [];
    }
    const places: string[] = [];
    for (const folder of folders ?? [""]) {
      const named =
        word.kind === "literal" ? [word.text] : await expandPattern(word.text, folder, files);
      if (named === undefined) {
        this.unnamed ??= words("What {word} stands for cannot be told.", { word: word.text });
      }
      for (const one of named ?? []) {
        const followed = await followPath(folder, one, files);
        if (followed !== undefined) places.push(followed.place);
      }
    }
    return places;
  }

  private async add(place: string): Promise<string> {
    const { path, inside } = await this.files.locate(place);
    this.paths.add(path);
    // Writing goes through a link to its target; deleting removes the link itself.
    if (inside && !/^(\/|\.\.)/.test(place)) this.paths.add(place);
    return path;
  }

  private async addTree(place: string): Promise<void> {
    const path = await this.add(place);
    // A path outside needs approval anyway, and deep folders are not worth a long look.
    if (path.startsWith("/")) return;
    await this.below(path, mostListed, (inner) => this.paths.add(joinPath(path, inner)));
  }

  private async addCopies(copies: Copies): Promise<void> {
    const { from, to, keepsFolders } = copies;
    if (isRemote(to, copies)) return;
    for (const target of await this.placesOf(to)) {
      const isFolder = (await this.files.stat(target))?.kind === "folder";
      if (from.length === 0) await this.add(target);
      for (const word of from) {
        if (isRemote(word, copies)) {
          this.unnamed ??= words("What it copies is on another machine.");
          continue;
        }
        if (keepsFolders === true) await this.add(joinPath(target, word.text));
        await this.addCopiesOf(word, target, isFolder, copies);
      }
    }
  }

  /** @param isFolder whether the target is a folder, into which the copies go */
  private async addCopiesOf(word: Word, target: string, isFolder: boolean, { links }: Copies) {
    const put = async (place: string, source: string): Promise<void> => {
      await this.add(place);
      this.made.push({ path: place, copyOf: links === true ? undefined : source });
    };
    for (const source of await this.placesOf(word)) {
      const name = source.replace(/^.*\//, "");
      if (!isFolder) await put(target, source);
      else if (name !== "") await put(joinPath(target, name), source);
      const whole = await this.below(source, mostCopied, async (inner) => {
        await this.add(joinPath(target, inner));
        if (isFolder && name !== "") await this.add(joinPath(target, `${name}/${inner}`));
      });
      if (!whole) {
        this.unnamed ??= words("{path} has too many files to look through.", { path: word.text });
      }
    }
  }

  /**
   * Calls `found` with the path of each file and folder below a folder, relative to it. Resolves with
   * `false` if there are more than `most`.
   */
  private async below(
    path: string,
    most: number,
    found: (path: string) => unknown,
  ): Promise<boolean> {
    if ((await this.files.stat(path))?.kind !== "folder") return true;
    for await (const entry of folderTree(path, this.files, most, () => true)) {
      if (entry === undefined) return false;
      await found(entry.path.slice(path === "" ? 0 : path.length + 1));
    }
    return true;
  }
}

function isRemote({ text }: Word, { mayBeRemote }: Copies): boolean {
  return mayBeRemote === true && /^[^/]+:/.test(text);
}

/**
 * Returns why it cannot be told where a line writes, if so: one of its commands makes, copies or
 * moves a link, and another one writes through it. The files as they are now do not show that.
 *
 * @param writes of the line's commands, one item for each
 */
export async function throughNewLinks(
  writes: readonly Writes[],
  files: ReviewedFiles,
): Promise<Words | undefined> {
  for (const [index, { made }] of writes.entries()) {
    for (const one of made) {
      for (const [other, { paths }] of writes.entries()) {
        if (other === index) continue;
        for (const path of paths) {
          if (path !== one.path && !path.startsWith(`${one.path}/`)) continue;
          if (await leadsElsewhere(one, path, files))
            return words("It writes {path} through {link}, which it makes itself.", {
              path,
              link: one.path,
            });
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
  files: ReviewedFiles,
): Promise<boolean> {
  if (copyOf === undefined) return true;
  const original = copyOf + path.slice(made.length);
  return (await files.locate(original)).path !== original;
}
