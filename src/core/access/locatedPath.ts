import type { FileSystem, Location } from "../ports/files.js";
import type { Words } from "../text/words.js";
import { gitLayout } from "./gitFolder.js";
import type { IgnoreSource } from "./ignoredFiles.js";
import { protection } from "./protectedFiles.js";
import { mayHoldSecrets } from "./secretFiles.js";
import { spelledAlike } from "./spelledAlike.js";

const judged = Symbol("judged");

/**
 * A path that was located and judged. Only {@link WorkspaceGuard} makes one, so whoever has one need
 * neither follow its links nor ask again what may be done with it. Files are read and written by it
 * only if it still leads to the same place then.
 */
export interface LocatedPath extends Location {
  readonly [judged]: true;
  /** The reason why agents must neither see nor change the file, as in `hidden by …`; `undefined` if they may. */
  readonly ignored: string | undefined;
  /** The reason why writing the file is always asked about; `undefined` for an ordinary file. */
  readonly protection: Words | undefined;
  /** Whether reading is asked about: the file may hold keys or passwords, or is outside the workspace. */
  readonly secret: boolean;
}

/** Judges paths. This is the only place that does, whichever tool or command names them. */
export interface PathGuard {
  /**
   * Locates and judges a path. Links are followed, even if the end of the path does not exist yet.
   *
   * @param path relative to the workspace, or absolute; it may contain `..`
   * @throws a `FileError` if it is uncertain where the path leads, or which files are ignored; access must
   *   then be denied
   */
  locate(path: string): Promise<LocatedPath>;
  /**
   * Locates and judges a path as a model or a person types it, as {@link spelledAlike} says, or returns the paths that may
   * be meant.
   */
  locateTyped(path: string): Promise<LocatedPath | readonly string[]>;
}

export class WorkspaceGuard implements PathGuard {
  /** @param files all files, also those that are hidden from experts */
  constructor(
    private readonly files: FileSystem,
    private readonly hidden: IgnoreSource,
  ) {}

  async locate(path: string): Promise<LocatedPath> {
    const [{ path: real, inside }, isIgnored] = await Promise.all([
      this.files.locate(path),
      this.hidden.read(),
    ]);
    return {
      [judged]: true,
      path: real,
      inside,
      ignored: isIgnored(real),
      protection: inside ? (protection(real) ?? (await gitLayout(real, this.files))) : undefined,
      secret: !inside || mayHoldSecrets(real),
    };
  }

  async locateTyped(path: string): Promise<LocatedPath | readonly string[]> {
    const typed = await this.locate(path);
    if (!typed.inside) return typed;
    const isIgnored = await this.hidden.read();
    const isHidden = (one: string) => isIgnored(one) !== undefined;
    const meant = await spelledAlike(typed.path, this.files, isHidden);
    if (typeof meant !== "string") return meant;
    return meant === typed.path ? typed : this.locate(meant);
  }
}
