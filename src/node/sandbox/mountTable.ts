import { keptFlags, type MountPoint } from "./mountPoints.js";

/** What is mounted before bubblewrap starts, in the format of `/etc/fstab`: one program mounts it all. */
export class MountTable {
  private readonly lines: string[] = [];

  /** @param points what is mounted on the machine */
  constructor(private readonly points: readonly MountPoint[]) {}

  /** Shows the source at the target, with the flags that the source has. */
  bind(source: string, target: string): void {
    this.add(source, target, "none", "bind");
  }

  /** Shows the source at the target, and whoever writes there is refused. */
  bindReadOnly(source: string, target: string): void {
    // The system refuses to mount it again without one of these flags.
    const flags = keptFlags(source, this.points);
    this.add(source, target, "none", ["bind", "ro", ...flags].join(","));
  }

  /** As {@link bindReadOnly}, with all that is mounted below the source. */
  bindTree(source: string, target: string): void {
    this.add(source, target, "none", ["rbind", "ro", ...keptFlags(source, this.points)].join(","));
  }

  /**
   * Shows a folder and keeps what is written elsewhere.
   *
   * @param folders plain names in the folder where the mounting program runs: no character of a path
   *   of somebody else's has a meaning in them
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
