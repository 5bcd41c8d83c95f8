import { closeSync, readSync } from "node:fs";
import { constants, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { DirectoryHandle } from "../directoryHandle.js";
import { openForReadingNow } from "../regularFile.js";

const exclusively = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
/** Bytes that are collected before they are written. */
const atOnce = 4_000_000;

/** A new file that contents are appended to, one after the other. It is made at the first of them. */
export class ContentPack {
  #handle: FileHandle | undefined;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #end = 0;

  constructor(
    private readonly folder: DirectoryHandle,
    readonly name: string,
  ) {}

  /** Appends a content and returns its offset. */
  async add(content: Uint8Array): Promise<number> {
    const offset = this.#end;
    this.#end += content.length;
    this.#waiting.push(content);
    this.#waitingBytes += content.length;
    if (this.#waitingBytes >= atOnce) await this.#write();
    return offset;
  }

  /** Closes the file once everything is on disk. */
  async close(): Promise<void> {
    try {
      if (this.#waiting.length > 0) await this.#write();
      await this.#handle?.sync();
    } finally {
      await this.#handle?.close();
    }
  }

  async #write(): Promise<void> {
    this.#handle ??= await this.folder.open(this.name, exclusively, 0o600);
    await this.#handle.writeFile(Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

/** Reads contents from the files of a folder, and holds these open meanwhile. */
export class PackReader {
  readonly #open = new Map<string, number>();

  /** @param folder absolute */
  constructor(private readonly folder: string) {}

  /** Throws as the system does, or if the file of contents is too short. */
  read(pack: string, offset: number, size: number): Buffer {
    let file = this.#open.get(pack);
    if (file === undefined) {
      file = openForReadingNow(join(this.folder, pack));
      this.#open.set(pack, file);
    }
    const bytes = Buffer.alloc(size);
    let done = 0;
    while (done < size) {
      const count = readSync(file, bytes, done, size - done, offset + done);
      if (count === 0) throw new Error(`${pack} ends too soon`);
      done += count;
    }
    return bytes;
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file);
    this.#open.clear();
  }
}
