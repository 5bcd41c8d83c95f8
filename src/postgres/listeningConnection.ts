import pg from "pg";

type Heard = (text?: string) => void;

/** Milliseconds before a connection that broke is made again. */
const restMs = 2_000;

/** The one connection of a process on which the server tells what has happened. It is there while somebody listens. */
export class ListeningConnection {
  readonly #heard = new Map<string, Set<Heard>>();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly config: pg.ClientConfig) {}

  /** As `Database.listen`. */
  listen(channel: string, heard: Heard): () => void {
    const all = this.#heard.get(channel) ?? new Set();
    this.#heard.set(channel, all.add(heard));
    if (this.#client !== undefined) void this.#ask(this.#client, channel);
    else if (this.#timer === undefined) void this.#connect();
    return () => {
      all.delete(heard);
      if ([...this.#heard.values()].every(({ size }) => size === 0)) void this.close();
    };
  }

  async close(): Promise<void> {
    this.#heard.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.config);
    this.#client = client;
    client.on("notification", ({ channel, payload }) => {
      for (const heard of this.#heard.get(channel) ?? []) heard(payload ?? "");
    });
    client.on("error", () => {
      this.#again(client);
    });
    client.on("end", () => {
      this.#again(client);
    });
    try {
      await client.connect();
      for (const channel of this.#heard.keys()) await this.#ask(client, channel);
    } catch {
      this.#again(client);
    }
  }

  async #ask(client: pg.Client, channel: string): Promise<void> {
    try {
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch {
      this.#again(client);
      return;
    }
    for (const heard of this.#heard.get(channel) ?? []) heard();
  }

  /** Makes another connection after a rest, unless that was done or nobody listens any more. */
  #again(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void client.end().catch(() => undefined);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#connect();
    }, restMs);
  }
}
