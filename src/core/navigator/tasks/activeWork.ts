import * as z from "zod";
import { parseJson } from "../../documents/parseJson.js";
import type { FileSystem } from "../../ports/files.js";
import type { Signer } from "../../ports/system.js";
import { isSigned, signJson } from "../../provenance/signedJson.js";

/** The files are beside the locks, because git ignores that folder. */
const folder = ".rooroo/locks";
const ending = ".active";

const storedWork = z.object({ name: z.string(), seen: z.array(z.string()) });

/**
 * Keeps a signed file for each piece of work while it is in progress. Work whose file is found at the
 * start was interrupted by a crash or a reload, and is resumed by itself. Work that a person stopped, or
 * that waits for a person, leaves no file; a file that came with the folder does not count.
 */
export class ActiveWork {
  #keepsFiles = false;

  constructor(
    private readonly files: FileSystem,
    private readonly signer: Signer,
  ) {}

  /** Keeps the files of work that ends from now on, because the process ends and not the work. */
  keep(): void {
    this.#keepsFiles = true;
  }

  /**
   * Runs work that counts as in progress until it ends.
   *
   * @param name a task's id, or `queue`
   * @param seen what the user had been told of when the work began; see {@link seenBy}
   */
  async during<T>(name: string, work: () => Promise<T>, seen: readonly string[] = []): Promise<T> {
    const path = pathOf(name);
    const text = signJson(`${JSON.stringify({ name, seen })}\n`, path, this.signer);
    // An existing file is from an earlier process that began this work.
    if (!(await this.files.createFile(path, text))) await this.files.replaceFile(path, text);
    try {
      return await work();
    } finally {
      if (!this.#keepsFiles) await this.files.removeFile(path);
    }
  }

  /** Returns the names of work that began and has not ended, here or in a process that may be gone. */
  async names(): Promise<string[]> {
    const files = (await this.files.readDirectory(folder)).map(({ name }) => name);
    const names = files
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length));
    const own = await Promise.all(
      names.map(async (name) => ((await this.#read(name)) === undefined ? undefined : name)),
    );
    return own.filter((name) => name !== undefined);
  }

  /**
   * Returns what the user had been told of when the work with this name began; empty when that is
   * unknown.
   */
  async seenBy(name: string): Promise<readonly string[]> {
    return (await this.#read(name))?.seen ?? [];
  }

  async clear(names: readonly string[]): Promise<void> {
    for (const name of names) await this.files.removeFile(pathOf(name));
  }

  async #read(name: string): Promise<z.infer<typeof storedWork> | undefined> {
    const bytes = await this.files.readFile(pathOf(name));
    const text = new TextDecoder().decode(bytes);
    if (!isSigned(text, pathOf(name), this.signer)) return undefined;
    const json = parseJson(text);
    return storedWork.safeParse(json.ok ? json.value : undefined).data;
  }
}

function pathOf(name: string): string {
  return `${folder}/${name}${ending}`;
}
