import * as z from "zod";
import { parseJson } from "../documents/parseJson.js";
import type { FileSystem, Signer } from "../ports.js";
import { isSigned, signJson } from "../provenance/signedJson.js";

/** Beside the locks, whose folder git ignores. */
const folder = ".rooroo/locks";
const ending = ".active";

const mark = z.object({ name: z.string(), seen: z.array(z.string()) });

/**
 * What is being worked on, as signed files that are there only while it is: one that is found at the
 * start was cut off by a crash or a reload, and goes on by itself. What a person stopped, or what
 * waits for a person, leaves none; one that came with the folder counts for nothing.
 */
export class ActiveWork {
  #kept = false;

  constructor(
    private readonly files: FileSystem,
    private readonly signer: Signer,
  ) {}

  /** From now on the end of work leaves its file: the process ends, not the work. */
  keep(): void {
    this.#kept = true;
  }

  /**
   * @param name a task's id, or `queue`
   * @param seen what the person has been told of when the work began; see {@link seenBy}
   */
  async during<T>(name: string, work: () => Promise<T>, seen: readonly string[] = []): Promise<T> {
    const path = pathOf(name);
    const text = signJson(`${JSON.stringify({ name, seen })}\n`, path, this.signer);
    // One that is there says what an earlier process had begun.
    if (!(await this.files.createFile(path, text))) await this.files.replaceFile(path, text);
    try {
      return await work();
    } finally {
      if (!this.#kept) await this.files.removeFile(path);
    }
  }

  /** Names of what was begun and has not ended, here or in a process that may be gone. */
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

  /** What the person had been told of when the work with this name began; none when it is unknown. */
  async seenBy(name: string): Promise<readonly string[]> {
    return (await this.#read(name))?.seen ?? [];
  }

  async clear(names: readonly string[]): Promise<void> {
    for (const name of names) await this.files.removeFile(pathOf(name));
  }

  async #read(name: string): Promise<z.infer<typeof mark> | undefined> {
    const bytes = await this.files.readFile(pathOf(name));
    const text = new TextDecoder().decode(bytes);
    if (!isSigned(text, pathOf(name), this.signer)) return undefined;
    const json = parseJson(text);
    return mark.safeParse(json.ok ? json.value : undefined).data;
  }
}

function pathOf(name: string): string {
  return `${folder}/${name}${ending}`;
}
