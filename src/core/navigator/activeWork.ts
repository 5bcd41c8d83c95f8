import type { FileSystem } from "../ports.js";

/** Beside the locks, whose folder git ignores. */
const folder = ".rooroo/locks";
const ending = ".active";

/**
 * What is being worked on, as files that are there only while it is: one that is found at the start
 * was cut off by a crash or a reload, and goes on by itself. What a person stopped, or what waits for
 * a person, leaves none.
 */
export class ActiveWork {
  #kept = false;

  constructor(private readonly files: FileSystem) {}

  /** From now on the end of work leaves its file: the process ends, not the work. */
  keep(): void {
    this.#kept = true;
  }

  /** @param name a task's id, or `queue` */
  async during<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.files.createFile(`${folder}/${name}${ending}`, "");
    try {
      return await work();
    } finally {
      if (!this.#kept) await this.files.removeFile(`${folder}/${name}${ending}`);
    }
  }

  /** Names of what was begun and has not ended, here or in a process that may be gone. */
  async names(): Promise<string[]> {
    const names = (await this.files.readDirectory(folder)).map(({ name }) => name);
    return names
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length));
  }

  async clear(names: readonly string[]): Promise<void> {
    for (const name of names) await this.files.removeFile(`${folder}/${name}${ending}`);
  }
}
