import { existsSync, lstatSync, readdirSync, realpathSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { FileError } from "../../core/errors.js";
import type { SandboxProfile } from "../../core/ports/shell.js";
import { isMissing } from "../files/realLocation.js";
import { takesTurns } from "../files/takesTurns.js";

/** A place of the workspace that a command must not see or not change. */
interface GuardedPlace {
  /** The path relative to the workspace, with `/`. */
  readonly path: string;
  readonly isFolder: boolean;
}

export interface GuardedPlaces {
  /** Places that the command finds empty. */
  readonly masked: readonly GuardedPlace[];
  /** Places that can be read but not changed; a folder stands for all that is in it. */
  readonly readOnly: readonly GuardedPlace[];
  /** The targets of masked links, as absolute paths. */
  readonly linkTargets: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "special";
}

interface Listing {
  /** A text that changes when something is made, renamed or removed in the folder. */
  readonly stamp: string;
  readonly entries: readonly Entry[];
}

interface Answers extends GuardedPlaces {
  readonly stamp: string;
  readonly folders: readonly string[];
}

/**
 * Nanoseconds; a folder that was changed so shortly before it was read may have been changed after it
 * as well.
 */
const settledNs = 50_000_000n;

/**
 * Finds what a profile masks or protects. A folder's entries are remembered until the folder changes,
 * and a profile's answers about them for as long as the same profile object is used.
 */
export class WorkspaceWalk {
  private readonly listings = new Map<string, Listing>();
  private readonly answers = new WeakMap<SandboxProfile, Map<string, Answers>>();

  /**
   * @param root the workspace's absolute path without links
   * @param now the time in milliseconds since the epoch
   */
  constructor(
    private readonly root: string,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Returns the places that a profile masks or protects. Throws a {@link FileError} for a name that no
   * mount can express.
   */
  async places(profile: SandboxProfile): Promise<GuardedPlaces> {
    const masked: GuardedPlace[] = [];
    const readOnly: GuardedPlace[] = [];
    const linkTargets: string[] = [];
    const known = this.answers.get(profile) ?? new Map<string, Answers>();
    const seen = new Map<string, Answers>();
    const pending = [""];
    /** Read-only folders, and all below them: their own entries are not listed as read-only again. */
    const closed = new Set<string>();
    const turn = takesTurns();
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const answers = this.answersOf(folder, profile, known.get(folder));
      if (answers !== undefined) {
        seen.set(folder, answers);
        masked.push(...answers.masked);
        if (closed.has(folder)) for (const inside of answers.folders) closed.add(inside);
        else readOnly.push(...answers.readOnly);
        for (const { path, isFolder } of answers.readOnly) if (isFolder) closed.add(path);
        linkTargets.push(...answers.linkTargets);
        pending.push(...answers.folders);
      }
      await turn();
    }
    this.answers.set(profile, seen);
    for (const folder of this.listings.keys()) if (!seen.has(folder)) this.listings.delete(folder);
    return { masked, readOnly, linkTargets };
  }

  /**
   * Returns what a profile says about a folder's entries; `undefined` if the folder does not exist or
   * may not be read.
   */
  private answersOf(
    folder: string,
    profile: SandboxProfile,
    known: Answers | undefined,
  ): Answers | undefined {
    const listing = this.listing(folder);
    if (listing === undefined) return undefined;
    if (listing.stamp !== "" && known?.stamp === listing.stamp) return known;
    const masked: GuardedPlace[] = [];
    const readOnly: GuardedPlace[] = [];
    const linkTargets: string[] = [];
    const folders: string[] = [];
    for (const { name, kind } of listing.entries) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const isFolder = kind === "folder";
      if (kind === "special" || profile.masks(path, isFolder)) {
        if (kind === "link") linkTargets.push(...targetOf(join(this.root, path)));
        else masked.push({ path: expressible(path), isFolder });
        continue;
      }
      // Writing through a link fails where its target is protected, and a change of the link itself is
      // judged afterwards.
      if (kind !== "link" && profile.protects(path)) {
        readOnly.push({ path: expressible(path), isFolder });
      }
      if (isFolder && isWalked(path)) folders.push(path);
    }
    return { stamp: listing.stamp, masked, readOnly, linkTargets, folders };
  }

  private listing(folder: string): Listing | undefined {
    try {
      const all = this.absolutes(folder);
      if (all.length === 0) return undefined;
      const stats = all.map((absolute) => lstatSync(absolute, { bigint: true }));
      const stamp = stats
        .map((one) => [one.dev, one.ino, one.mtimeNs, one.ctimeNs].join(" "))
        .join();
      const known = this.listings.get(folder);
      if (known?.stamp === stamp) return known;
      const entries = all.flatMap((absolute) =>
        readdirSync(absolute, { withFileTypes: true }).map(entryOf),
      );
      const now = BigInt(this.now()) * 1_000_000n;
      const isSettled = stats.every(({ ctimeNs }) => now - ctimeNs > settledNs);
      // The empty stamp belongs to no folder, so that this folder is read again next time.
      const listing = { stamp: isSettled ? stamp : "", entries };
      if (isSettled) this.listings.set(folder, listing);
      return listing;
    } catch (error) {
      if (isMissing(error) || isForbidden(error)) return undefined;
      throw error;
    }
  }

  /**
   * Returns the absolute paths of a folder: where a name in it is no UTF-8, it stands for all names that read the same, so that
   * what is in them is checked as well.
   */
  private absolutes(folder: string): (string | Buffer)[] {
    if (!folder.includes("\uFFFD")) return [join(this.root, folder)];
    const at = folder.lastIndexOf("/");
    const name = folder.slice(at + 1);
    return this.absolutes(folder.slice(0, Math.max(0, at))).flatMap((above) => {
      const names = name.includes("\uFFFD")
        ? readdirSync(above, { encoding: "buffer" }).filter((one) => one.toString() === name)
        : [Buffer.from(name)];
      const found = names.map((one) => Buffer.concat([Buffer.from(above), slash, one]));
      return found.filter((one) => existsSync(one));
    });
  }
}

const slash = Buffer.from("/");

/**
 * Returns whether the folder's own entries are checked. What is in `node_modules` is published by others and
 * known to all; in git's own folder, only what makes git run something is of interest.
 */
function isWalked(path: string): boolean {
  const parts = path.split("/");
  if (parts.includes("node_modules")) return false;
  const git = parts.indexOf(".git");
  if (git === -1 || git === parts.length - 1) return true;
  const [folder = "", ...deeper] = parts.slice(git + 1);
  return deeper.length === 0 && ["hooks", "info"].includes(folder);
}

function entryOf(entry: Dirent): Entry {
  const { name } = entry;
  if (entry.isDirectory()) return { name, kind: "folder" };
  if (entry.isSymbolicLink()) return { name, kind: "link" };
  return { name, kind: entry.isFile() ? "file" : "special" };
}

/** Returns where a link leads, if it leads to a file or folder. */
function targetOf(link: string): string[] {
  try {
    const target = realpathSync(link);
    return statSync(target).isFile() || statSync(target).isDirectory() ? [target] : [];
  } catch {
    return [];
  }
}

function expressible(path: string): string {
  if (!path.includes("\uFFFD")) return path;
  throw new FileError(
    "EILSEQ",
    path,
    "The sandbox cannot guard {path}, because its name is not valid UTF-8. Rename it.",
    { path },
  );
}

function isForbidden(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EACCES";
}
