import type { FileSystem } from "../ports.js";

const folder = ".rooroo/active";

/**
 * What is being worked on, as files that are there only while it is: one that is found at the start
 * was cut off by a crash or a reload, and goes on by itself. What a person stopped, or what waits for
 * a person, leaves none.
 */
export class ActiveWork {
  constructor(private readonly files: FileSystem) {}

  /** @param name a task's id, or `queue` */
  async during<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.files.createFile(`${folder}/${name}`, "");
    try {
      return await work();
    } finally {
      await this.files.removeFile(`${folder}/${name}`);
    }
  }

  /** Names of what a process that is gone had begun. */
  async cutOff(): Promise<string[]> {
    return (await this.files.readDirectory(folder)).map(({ name }) => name);
  }

  async clear(names: readonly string[]): Promise<void> {
    for (const name of names) await this.files.removeFile(`${folder}/${name}`);
  }
}
