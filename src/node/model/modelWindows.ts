import { contextTokens } from "./contextTokens.js";
import { localFacts } from "./localFacts.js";
import { modelEntries } from "./modelList.js";
import type { ServerOptions } from "./serverOptions.js";

/**
 * The most times that a server is asked. It may report the window only once the model is loaded, but a
 * server that does not report it must not be asked at every turn.
 */
const attempts = 2;

/** The context windows of servers' models, in tokens, as far as the servers report them. */
export class ModelWindows {
  private readonly known = new Map<string, number>();
  private readonly asked = new Map<string, number>();

  of(options: ServerOptions): number | undefined {
    return this.known.get(keyOf(options));
  }

  /**
   * Asks the server for the model's window, unless the window is known or was asked for often enough.
   * Never rejects.
   */
  async read(options: ServerOptions, signal: AbortSignal): Promise<void> {
    const { name } = options;
    const key = keyOf(options);
    const times = this.asked.get(key) ?? 0;
    if (times >= attempts) return;
    this.asked.set(key, times + 1);
    try {
      const data = await modelEntries(options, signal);
      const local = (await localFacts(options, data, [name], signal)).get(name);
      const listed = data.find(({ id }) => id === name);
      const tokens = local?.contextTokens ?? contextTokens(listed);
      // A server that lists the model and loads none by itself says no more later.
      if (tokens === undefined && (local !== undefined || listed === undefined)) return;
      if (tokens !== undefined) this.known.set(key, tokens);
      this.asked.set(key, attempts);
    } catch {
      // The window is optional: the server also reports when a conversation is too long.
    }
  }
}

function keyOf({ baseUrl, name }: ServerOptions): string {
  return JSON.stringify([baseUrl, name]);
}
