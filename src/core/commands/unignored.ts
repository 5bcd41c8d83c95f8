import { UserError } from "../errors.js";
import { IgnoreRules } from "../ignoreRules.js";
import type { FileSystem } from "../ports.js";

const names = [".gitignore", ".ignore", ".rgignore"];

/**
 * Finds the paths that a line with `!` in one of the workspace's ignore files may bring back into a
 * search, even if it skips names with a dot in front.
 */
export class Unignored {
  private readonly known = new Map<string, Promise<IgnoreRules | undefined>>();

  constructor(private readonly files: FileSystem) {}

  /**
   * Returns whether an ignore file may bring a path back.
   *
   * @param path canonical, in the workspace
   */
  async has(path: string): Promise<boolean> {
    const parts = path.split("/");
    for (const depth of parts.keys()) {
      const folder = parts.slice(0, depth).map((part) => `${part}/`);
      const way = parts.slice(depth).join("/");
      for (const name of names) {
        const file = folder.join("") + name;
        this.known.set(file, this.known.get(file) ?? this.read(file));
        const patterns = await this.known.get(file);
        if (patterns !== undefined && bringsBack(patterns, way)) return true;
      }
    }
    return false;
  }

  private async read(file: string): Promise<IgnoreRules | undefined> {
    const bytes = await this.files.readFile(file);
    const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
    const back = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    return back.length === 0 ? undefined : new IgnoreRules(back, { ignorecase: true });
  }
}

/**
 * Returns whether rules match a path as a file or as a folder; rules that would take too long to
 * match count as matching.
 */
function bringsBack(patterns: IgnoreRules, way: string): boolean {
  try {
    return patterns.ignores(way) || patterns.ignores(`${way}/`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return true;
  }
}
