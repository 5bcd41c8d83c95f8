import type { ModelFacts } from "../../core/models/modelFacts.js";
import { listedFacts } from "./listedFacts.js";
import { localFacts } from "./localFacts.js";
import { modelEntries } from "./modelEntries.js";
import type { OpenAiOptions } from "./openAiOptions.js";

/**
 * Returns the models that a server lists, sorted by name, with what is known of each; those that cannot
 * chat are left out. Throws a `ModelError` if the server does not list its models.
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
