import type { GuardedPath, PathGuard } from "../agent/tool.js";
import { protection } from "./protectedFiles.js";
import { mayHoldSecrets } from "./secretFiles.js";
import type { FileSystem } from "../ports.js";
import { gitLayout } from "./gitFolder.js";
import type { Hidden } from "./ignoredFiles.js";

export class WorkspaceGuard implements PathGuard {
  /** @param files all files, also those that are hidden from experts */
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
      steers: protection(real) ?? (await gitLayout(real, this.files)),
      secret: mayHoldSecrets(real),
    };
  }
}
