import { readFileSync } from "node:fs";
import { isBelow } from "./isBelow.js";

/** A place at which a file system is mounted. */
export interface MountPoint {
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
