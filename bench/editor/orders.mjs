import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const PATIENCE_MS = 30_000;

/** The bench's side of `probe.cjs`. */
export class Orders {
  #count = 0;

  /** @param {string} folder As in ROOROO_BENCH_ORDERS. */
  constructor(folder) {
    this.folder = folder;
  }

  /**
   * The extension host that started last, once its probe runs.
   *
   * @param {number} since Milliseconds since the epoch.
   * @returns {Promise<number>}
   */
  host(since) {
    return until(async () => {
      for (const name of await readdir(this.folder)) {
        const pid = /^(\d+)\.here$/.exec(name)?.[1];
        if (pid === undefined) continue;
        if ((await stat(join(this.folder, name))).mtimeMs >= since) return Number(pid);
      }
      return undefined;
    }, "the probe did not start");
  }

  /**
   * @param {number} host
   * @param {{ type: "activate", id: string } | { type: "run", command: string }} order
   * @returns {Promise<any>}
   */
  async give(host, order) {
    const path = join(this.folder, `${host}-${++this.#count}`);
    await writeFile(`${path}.part`, JSON.stringify(order));
    await rename(`${path}.part`, `${path}.order`);
    const answer = await until(
      async () => {
        const text = await readFile(`${path}.done`, "utf8").catch(() => undefined);
        return text === undefined ? undefined : JSON.parse(text);
      },
      `the probe did not answer ${JSON.stringify(order)}`,
    );
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }
}

/**
 * @template T
 * @param {() => Promise<T | undefined>} look
 * @param {string} tooLate
 * @returns {Promise<T>}
 */
async function until(look, tooLate) {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(100);
  }
  throw new Error(`${tooLate} within ${PATIENCE_MS / 1000} s`);
}
