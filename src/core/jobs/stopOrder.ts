import type { FileSystem } from "../ports.js";
import { readOwnDocument } from "../tools/namedFile.js";
import { jobPlace } from "./jobPlace.js";

/**
 * A person's word to all who run a job, in whatever process: its file says something else than it did
 * when they began.
 */
export class StopOrder {
  private readonly path: string;

  constructor(
    private readonly files: FileSystem,
    stem: string,
  ) {
    this.path = `${jobPlace(stem)}/stop`;
  }

  /** @param id that no other order has */
  async give(id: string): Promise<void> {
    await this.files.replaceFile(this.path, `${id}\n`);
  }

  /** What tells one order from another; `""` while there was none. */
  async read(): Promise<string> {
    return new TextDecoder().decode(await readOwnDocument(this.path, this.files));
  }
}
