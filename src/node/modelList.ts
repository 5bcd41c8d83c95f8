import type { ModelFacts } from "../core/models/modelFacts.js";
import { listedFacts } from "./listedFacts.js";
import { localFacts } from "./localFacts.js";
import { modelEntries } from "./modelEntries.js";
import type { OpenAiOptions } from "./openAiOptions.js";

/**
 * The models that a server lists, by name, with what it says that each can; those that cannot be talked
 * with are left out. Throws a `ModelError` when it does not list any.
 */
export async function modelList(
  server: Pick<OpenAiOptions, "baseUrl" | "apiKey">,
  signal: AbortSignal,
): Promise<ModelFacts[]> {
  const entries = await modelEntries(server, signal);
  const names = entries.map(({ id }) => id);
  const more = await localFacts(server, entries, names, signal);
  return entries
    .map((entry) => ({ ...listedFacts(entry.id, entry), ...more.get(entry.id) }))
    .filter(({ chats }) => chats !== false);
}
