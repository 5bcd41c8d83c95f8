import type { GuardedPath, PathGuard } from "../agent/tool.js";
import { protection } from "../approvals/protectedFiles.js";
import { mayHoldSecrets } from "../approvals/secretFiles.js";
import type { FileSystem } from "../ports.js";
import type { Hidden } from "./hiddenFiles.js";

export class WorkspaceGuard implements PathGuard {
  /** @param files all of them, also those that are hidden from experts */
  constructor(
    private readonly files: FileSystem,
    private readonly hidden: Hidden,
  ) {}

  async look(path: string): Promise<GuardedPath> {
    const location = await this.files.locate(path);
    const isHidden = await this.hidden.read();
    const { path: real, inside } = location;
    if (!inside) return { ...location, hidden: false, steers: undefined, secret: true };
    return {
      ...location,
      hidden: isHidden(real) !== undefined,
      steers: protection(real) ?? (await this.gitLayout(real)),
      secret: mayHoldSecrets(real),
    };
  }

  /**
   * A folder with `HEAD`, `objects` and `refs` is a repository for git, whatever its name is: its
   * `config` and `hooks` are programs to run.
   */
  private async gitLayout(path: string): Promise<string | undefined> {
    const names = path.split("/");
    for (let depth = names.length - 1; depth >= 0; depth--) {
      const folder = names
        .slice(0, depth)
        .map((name) => `${name}/`)
        .join("");
      if ((await this.files.stat(`${folder}HEAD`)) === undefined) continue;
      const parts = ["objects", "refs"].map((name) => this.files.stat(folder + name));
      const found = await Promise.all(parts);
      if (found.every((part) => part?.kind === "folder")) {
        return `Git takes ${folder === "" ? "the workspace" : folder} for a repository's own folder.`;
      }
    }
    return undefined;
  }
}
