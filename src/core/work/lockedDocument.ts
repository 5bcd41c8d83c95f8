import { readOwnDocument } from "../access/namedFile.js";
import { UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import type { Lock } from "../ports/locks.js";
import { decodeLossless, encodeLossless } from "../text/losslessText.js";

/** The number of attempts before a document that changes all the time is left alone. */
const attempts = 20;

/** The document's new text, and the result for the caller. */
interface DocumentChange<T> {
  readonly text: string;
  readonly result: T;
}

interface DocumentPlace {
  /** Relative to the workspace. */
  readonly path: string;
  /** The name of the lock that everybody holds who changes the document. */
  readonly lock: string;
  /** The most bytes that are read. Default 5,000,000. */
  readonly most?: number;
}

/**
 * A text document of the workspace that several processes, and people with their editors, change.
 * Processes take turns by a lock. Editors know nothing of it, so a change is written only if the
 * document still is what it was decided on; every byte that is not the change is kept.
 */
export class LockedDocument {
  constructor(
    private readonly files: FileSystem,
    private readonly lock: Lock,
    private readonly place: DocumentPlace,
  ) {}

  /**
   * Reads the document; returns `""` if there is none. Throws a {@link UserError} that names it if it is
   * not a regular file, too long, or a link to a file that must not be read.
   */
  async text(): Promise<string> {
    const bytes = await this.#read();
    return bytes === undefined ? "" : decodeLossless(bytes);
  }

  /**
   * Calls `decide` with the document's text and writes the text that it returns. Starts over if the
   * document has changed in between, or if `decide` returns `undefined`. Other processes wait meanwhile,
   * so `decide` must be quick.
   *
   * @returns the result of the decision that was written, or that left the text unchanged
   * @throws UserError when the document changes all the time; and as `decide` and {@link text} do
   */
  change<T>(
    decide: (text: string) => DocumentChange<T> | Promise<DocumentChange<T> | undefined>,
  ): Promise<T> {
    const { path, lock } = this.place;
    return this.lock.exclusively(lock, async () => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const before = await this.#read();
        const text = before === undefined ? "" : decodeLossless(before);
        const change = await decide(text);
        if (change === undefined) continue;
        // An editor that saves in place leaves half a document for a moment: no decision is based on it.
        const isDone =
          change.text === text
            ? (await this.text()) === text
            : await this.#replace(before, encodeLossless(change.text));
        if (isDone) return change.result;
      }
      throw new UserError(
        "documentBusy",
        "Another program keeps changing {path}, so it was not changed. End that program, then try again.",
        { path },
      );
    });
  }

  #read(): Promise<Uint8Array | undefined> {
    return readOwnDocument(this.place.path, this.files, this.place.most);
  }

  #replace(expected: Uint8Array | undefined, content: Uint8Array): Promise<boolean> {
    const { path } = this.place;
    return expected === undefined
      ? this.files.createFile(path, content)
      : this.files.replaceFile(path, content, { expected });
  }
}
