import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { wholeCharacters } from "../../core/text/wholeCharacters.js";
import { inFolderOf } from "./directoryHandle.js";
import { isMissing } from "./realLocation.js";

const exclusively = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** A new file to which texts are appended in order, up to a number of bytes. */
export class OutputFile {
  private room: number;
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly handle: FileHandle,
    most: number,
  ) {
    this.room = most;
  }

  /**
   * Makes the file, in place of a file or a link that has its name; the target of such a link is not
   * touched.
   *
   * @param absolute the file's path, its folder without links
   * @param most bytes that the file may have
   * @throws LeadsElsewhere where a part of the folder's path is a link by now; else as the system does
   */
  static async create(absolute: string, most: number): Promise<OutputFile> {
    return inFolderOf(absolute, { make: true }, async (folder, name) => {
      if (folder.look(name) !== undefined) {
        await folder.remove(name).catch((error: unknown) => {
          if (!isMissing(error)) throw error;
        });
      }
      return new OutputFile(await folder.open(name, exclusively), most);
    });
  }

  /**
   * Appends text to that of earlier calls. What exceeds the limit is left out; after that nothing more
   * is accepted.
   *
   * @returns whether all of the text was accepted, once it is with the system
   */
  async write(text: string): Promise<boolean> {
    const bytes = Buffer.from(text);
    const taken =
      bytes.length <= this.room ? bytes : bytes.subarray(0, wholeCharacters(bytes, this.room));
    this.room = taken === bytes ? this.room - bytes.length : 0;
    const before = this.last;
    const writing = before.then(() => this.handle.writeFile(taken));
    this.last = writing;
    await writing;
    return taken === bytes;
  }

  /** Closes the file once everything that was written before is with the system. */
  async close(): Promise<void> {
    await this.last.catch(() => undefined);
    await this.handle.close();
  }
}
