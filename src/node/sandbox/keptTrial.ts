import { readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../core/documents/parseJson.js";
import { DiskFileSystem } from "../files/diskFileSystem.js";
import { readSmallFile } from "../files/regularFile.js";
import { thisProcess } from "../processes/processIdentity.js";

const file = "tried.json";
const mostBytes = 10_000;

const kept = z.object({ key: z.string(), name: z.string(), forbidsNamespaces: z.boolean() });

/** What a trial of the sandbox has shown. */
export type Trial = Omit<z.infer<typeof kept>, "key">;

/**
 * A trial of the sandbox that worked, kept for later processes: trying takes as long as six programs. It counts until the machine
 * starts anew, for the same user, container, programs and file systems.
 */
export class KeptTrial {
  readonly #data: string;
  readonly #key: string;

  /**
   * @param data the folder of this program's own, which no command of the sandbox can write
   * @param programs the absolute paths of the programs
   * @param root the workspace's absolute path
   */
  constructor(data: string, programs: readonly string[], root: string) {
    this.#data = data;
    const { bootId } = thisProcess();
    const namespaces = ["user", "mnt"].map((name) => readlinkSync(`/proc/self/ns/${name}`));
    const found = programs.map((path) => {
      const { ino, size, mtimeMs } = statSync(path);
      return [path, ino, size, mtimeMs];
    });
    const systems = [data, root].map((path) => statSync(path, { throwIfNoEntry: false })?.dev ?? 0);
    this.#key = JSON.stringify([bootId, process.getuid?.(), namespaces, found, systems]);
  }

  /** Returns what the trial has shown; `undefined` if there was none under these conditions. */
  async read(): Promise<Trial | undefined> {
    const bytes = await readSmallFile(join(this.#data, file), mostBytes, { follow: false }).catch(
      () => undefined,
    );
    const json = parseJson(bytes?.toString("utf8") ?? "");
    const read = json.ok ? kept.safeParse(json.value) : undefined;
    return read?.data?.key === this.#key ? read.data : undefined;
  }

  /** Keeps it. Where that fails, the next process tries again. */
  async write({ name, forbidsNamespaces }: Trial): Promise<void> {
    const text = JSON.stringify({ key: this.#key, name, forbidsNamespaces });
    await new DiskFileSystem(this.#data).replaceFile(file, text).catch(() => undefined);
  }

  /** Forgets it, because a command could not be started. */
  async forget(): Promise<void> {
    await new DiskFileSystem(this.#data).removeFile(file).catch(() => undefined);
  }
}
