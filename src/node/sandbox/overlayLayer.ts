import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { LayerChange, SandboxLayer } from "../../core/ports/shell.js";
import { fileError } from "../files/fileError.js";
import type { LayerFolder } from "./layerFolder.js";
import { putInPlace } from "./putInPlace.js";

/** The changes that a command has made over the workspace, in a folder of their own. */
export class OverlayLayer implements SandboxLayer {
  /**
   * @param root the workspace's absolute path without links
   * @param changes sorted by path
   */
  constructor(
    private readonly root: string,
    private readonly folder: LayerFolder,
    readonly changes: readonly LayerChange[],
  ) {}

  async read({ path }: LayerChange): Promise<Uint8Array> {
    try {
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
      const handle = await open(join(this.folder.upper, path), flags);
      try {
        return await handle.readFile();
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw fileError(error, path, "read");
    }
  }

  apply(changes: readonly LayerChange[]): ReturnType<SandboxLayer["apply"]> {
    const wanted = new Set(changes.map(({ path }) => path));
    const own = this.changes.filter(({ path }) => wanted.has(path));
    return putInPlace(this.root, own, this.folder);
  }

  discard(): Promise<void> {
    return this.folder.discard();
  }
}
