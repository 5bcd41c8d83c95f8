import type { FileSystem } from "../../ports.js";
import { readOwnDocument } from "../../access/namedFile.js";
import { jobPlace } from "../documents/jobPlace.js";

/**
 * The user's order to all runners of a job, in any process, to stop. It is given when the file's text differs
 * from the text at the start of the run.
 */
export class StopOrder {
  private readonly path: string;

  constructor(
    private readonly files: FileSystem,
    stem: string,
  ) {
    this.path = `${jobPlace(stem)}/stop`;
  }

  /**
   * Gives a new order.
   *
   * @param id an id that no other order has
   */
  async give(id: string): Promise<void> {
    await this.files.replaceFile(this.path, `${id}\n`);
  }

  /** Returns the text of the latest order, or `""` if there was none. */
  async read(): Promise<string> {
    return new TextDecoder().decode(await readOwnDocument(this.path, this.files));
  }
}
