import type { EditorDocuments } from "../../src/core/ports/editor.js";
import type { FileSystem } from "../../src/core/ports/files.js";
import { sameBytes } from "../../src/core/text/textFile.js";

/** An editor that holds unsaved changes of the files that a test says. */
export class MemoryDocuments implements EditorDocuments {
  readonly #unsaved = new Map<string, Uint8Array>();
  /** Returns what saving makes of a content, as a formatter would. */
  format = (content: Uint8Array): Uint8Array => content;

  constructor(private readonly files: FileSystem) {}

  /** Types: the document holds this and the disk does not. */
  type(path: string, text: string): void {
    this.#unsaved.set(path, new TextEncoder().encode(text));
  }

  unsaved(path: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#unsaved.get(path));
  }

  async replace(path: string, content: Uint8Array, expected: Uint8Array): Promise<boolean> {
    const held = this.#unsaved.get(path);
    if (!held || !sameBytes(held, expected)) return false;
    await this.files.replaceFile(path, this.format(content));
    this.#unsaved.delete(path);
    return true;
  }
}
