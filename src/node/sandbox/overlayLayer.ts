import { join } from "node:path";
import { FileError } from "../../core/errors.js";
import type { LayerChange, LayerLeft, SandboxLayer } from "../../core/ports/shell.js";
import { fileError } from "../files/fileError.js";
import { readSmallFile } from "../files/regularFile.js";
import type { LayerFolder } from "./layerFolder.js";
import { putInPlace } from "./putInPlace.js";

/** The changes that a command has made over the workspace, in a folder of their own. */
export class OverlayLayer implements SandboxLayer {
  readonly changes: readonly LayerChange[];
  readonly left: readonly LayerLeft[];

  /**
   * @param root the workspace's absolute path without links
   * @param found sorted by path
   */
  constructor(
    private readonly root: string,
    private readonly folder: LayerFolder,
    found: Pick<SandboxLayer, "changes" | "left">,
  ) {
    this.changes = found.changes;
    this.left = found.left;
  }

  async read({ path, size }: LayerChange): Promise<Uint8Array> {
    let bytes: Uint8Array | undefined;
    try {
      bytes = await readSmallFile(join(this.folder.upper, path), size, { follow: false });
    } catch (error) {
      throw fileError(error, path, "read");
    }
    if (bytes !== undefined) return bytes;
    throw new FileError(
      "ENOTFILE",
      path,
      "{path} is a device or a pipe, not a file. Name a file.",
      { path },
    );
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
