import { readFileSync } from "node:fs";

/**
 * The mounts to be made before bubblewrap starts, in the format of `/etc/fstab`: one program makes them
 * all.
 */
export class MountTable {
  private readonly lines: string[] = [];

  /** @param points the mount points of the machine */
  constructor(private readonly points: readonly MountPoint[]) {}

  /** Shows the source at the target, with the flags that the source has. */
  bind(source: string, target: string): void {
    this.add(source, target, "none", "bind");
  }

  /** Shows the source at the target, where it cannot be written to. */
  bindReadOnly(source: string, target: string): void {
    // The system refuses to mount the source again without one of these flags.
    const flags = keptFlags(source, this.points);
    this.add(source, target, "none", ["bind", "ro", ...flags].join(","));
  }

  /** Does the same as {@link bindReadOnly}, with everything that is mounted below the source. */
  bindTree(source: string, target: string): void {
    this.add(source, target, "none", ["rbind", "ro", ...keptFlags(source, this.points)].join(","));
  }

  /**
   * Shows the folder `lower` at the target and keeps what is written there in `upper`.
   *
   * @param folders plain names in the folder where the mounting program runs, so that no character of
   *   an arbitrary path has a special meaning in the options
   */
  overlay(
    target: string,
    folders: { readonly lower: string; readonly upper: string; readonly work: string },
  ): void {
    const { lower, upper, work } = folders;
    // Volatile: nothing is synced, least of all a whole disk at the end of a command.
    const options = `lowerdir=${lower},upperdir=${upper},workdir=${work},userxattr,volatile`;
    this.add("overlay", target, "overlay", options);
  }

  toString(): string {
    return this.lines.map((line) => `${line}\n`).join("");
  }

  private add(source: string, target: string, type: string, options: string): void {
    this.lines.push(`${escaped(source)} ${escaped(target)} ${type} ${options} 0 0`);
  }
}

function escaped(path: string): string {
  return path.replace(
    /[\s\\#]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}

/** A place at which a file system is mounted. */
interface MountPoint {
  /** The absolute path of the place. */
  readonly path: string;
  /** The flags of the mount, as in `rw`, `nosuid`, `relatime`. */
  readonly flags: readonly string[];
}

/**
 * Returns the mount points in the order in which they were mounted: of two at the same path, the later
 * one is seen.
 */
export function mountPoints(): MountPoint[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, , , , path, flags] = line.split(" ");
      if (path === undefined || flags === undefined) return [];
      return [{ path: unescaped(path), flags: flags.split(",") }];
    });
}

/** Flags that only root may drop when a file system is mounted again. */
const kept = ["nosuid", "nodev", "noexec"];

/**
 * Returns the flags of the file system that contains a path. They have to be repeated when a part of
 * that file system is mounted elsewhere.
 *
 * @param path absolute and without links
 */
export function keptFlags(path: string, points: readonly MountPoint[]): string[] {
  const around = points.filter((point) => isBelow(path, point.path));
  const longest = Math.max(...around.map((point) => point.path.length));
  const flags = around.filter((point) => point.path.length === longest).at(-1)?.flags ?? [];
  return kept.filter((flag) => flags.includes(flag));
}

function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_all, octal: string) =>
    String.fromCharCode(parseInt(octal, 8)),
  );
}

/** Returns whether the path is the folder or in it; both are absolute and without links. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
