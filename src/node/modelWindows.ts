import type OpenAI from "openai";
import { contextTokens } from "./contextTokens.js";
import type { OpenAiOptions } from "./openAiOptions.js";

const patience = 10_000;
/** A server that does not say is not asked at every turn. */
const attempts = 2;

/** The windows of a server's models, in tokens, as far as its list of models tells. */
export class ModelWindows {
  private readonly known = new Map<string, number>();
  private readonly asked = new Map<string, number>();

  of(name: string): number | undefined {
    return this.known.get(name);
  }

  /** Asks the server, unless that was done. Never rejects. */
  async read(client: OpenAI, { baseUrl, name }: OpenAiOptions, signal: AbortSignal): Promise<void> {
    const key = JSON.stringify([baseUrl, name]);
    const times = this.asked.get(key) ?? 0;
    if (times >= attempts) return;
    this.asked.set(key, times + 1);
    try {
      const { data } = await client.models.list({ signal, timeout: patience, maxRetries: 0 });
      this.asked.set(key, attempts);
      const tokens = contextTokens(data.find(({ id }) => id === name));
      if (tokens !== undefined) this.known.set(name, tokens);
    } catch {
      // It was a convenience: the server says it when a conversation is too long.
    }
  }
}
