import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

interface Listener {
  readonly port: number;
  readonly token: string;
  /** The first folder of the window; empty if there is none. */
  readonly folder: string;
  readonly pid: number;
}

/** What does not happen within this time is taken not to happen at all. */
const patienceMs = 120_000;

/**
 * Runs a window's commands by their ids, without the command palette, which loses the focus to whatever else asks for it
 * meanwhile. `test/bridge` is its other end, in the window's extension host.
 */
export class Bridge {
  private found: Listener | undefined;

  /** @param directory in which each window says where it listens */
  constructor(readonly directory: string) {}

  /** Forgets the window that is there; called before it is left, so that the next one is found and not that one. */
  async forget(): Promise<void> {
    this.found = undefined;
    await rm(this.directory, { recursive: true, force: true });
  }

  /**
   * Starts a command in the window of a folder. Resolves when it has begun, to what tells of its end: its result, or what it
   * throws, as an error with its message.
   */
  async start(
    folder: string,
    command: string,
    ...args: readonly unknown[]
  ): Promise<{ readonly ended: Promise<unknown> }> {
    this.found ??= await this.windowOf(folder);
    const { port, token } = this.found;
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: "POST",
      body: JSON.stringify({ token, command, args }),
    });
    return { ended: ended(response, command) };
  }

  private async windowOf(folder: string): Promise<Listener> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const names = await readdir(this.directory).catch(() => []);
      for (const name of names.filter((one) => one.endsWith(".json"))) {
        const text = await readFile(join(this.directory, name), "utf8").catch(() => "null");
        const found = JSON.parse(text) as Listener | null;
        if (found?.folder === folder) return found;
      }
      if (Date.now() > deadline) throw new Error(`No window takes commands for ${folder}.`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function ended(response: Response, command: string): Promise<unknown> {
  const { result, error } = (await response.json()) as { result?: unknown; error?: string };
  if (error !== undefined) throw new Error(`${command}: ${error}`);
  return result;
}
