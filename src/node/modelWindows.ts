import type OpenAI from "openai";
import { contextTokens } from "./contextTokens.js";
import { localFacts } from "./localFacts.js";
import type { OpenAiOptions } from "./openAiOptions.js";

const patience = 10_000;
/** A server that does not say is not asked at every turn; one may say it once the model is loaded. */
const attempts = 2;

/** The windows of a server's models, in tokens, as far as the server tells. */
export class ModelWindows {
  private readonly known = new Map<string, number>();
  private readonly asked = new Map<string, number>();

  of(name: string): number | undefined {
    return this.known.get(name);
  }

  /** Asks the server, unless that was done. Never rejects. */
  async read(client: OpenAI, options: OpenAiOptions, signal: AbortSignal): Promise<void> {
    const { baseUrl, name } = options;
    const key = JSON.stringify([baseUrl, name]);
    const times = this.asked.get(key) ?? 0;
    if (times >= attempts) return;
    this.asked.set(key, times + 1);
    try {
      const { data } = await client.models.list({ signal, timeout: patience, maxRetries: 0 });
      const local = (await localFacts(options, data, [name], signal)).get(name);
      const tokens = local?.contextTokens ?? contextTokens(data.find(({ id }) => id === name));
      if (tokens === undefined) return;
      this.known.set(name, tokens);
      this.asked.set(key, attempts);
    } catch {
      // It was a convenience: the server says it when a conversation is too long.
    }
  }
}
