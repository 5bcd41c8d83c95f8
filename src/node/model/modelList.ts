import * as z from "zod";
import { parseJson } from "../../core/documents/parseJson.js";
import { ModelError } from "../../core/errors.js";
import type { ModelFacts } from "../../core/models/modelFacts.js";
import { modelServers } from "../../core/models/modelServers.js";
import { beginningOf } from "../web/beginningOf.js";
import { checkKey } from "./keyCheck.js";
import { listedFacts } from "./listedFacts.js";
import { localFacts } from "./localFacts.js";
import { modelError, shownAddress } from "./modelErrors.js";
import { openAiClient } from "./openAiClient.js";
import type { ServerAccess } from "./serverOptions.js";

/**
 * Returns the models that a server lists, sorted by name, with what is known of each; those that cannot
 * chat are left out. Throws a `ModelError` if the server does not list its models.
 */
export async function modelList(server: ServerAccess, signal: AbortSignal): Promise<ModelFacts[]> {
  const entries = await modelEntries(server, signal);
  const names = entries.map(({ id }) => id);
  const more = await localFacts(server, entries, names, signal);
  return entries
    .map((entry) => ({ ...listedFacts(entry.id, entry), ...more.get(entry.id) }))
    .filter(({ chats }) => chats !== false);
}

/** Milliseconds to wait for a list, because a person may be waiting for it. */
const listTimeoutMs = 10_000;
/** Bytes that are read of a list. Those of servers with many hundreds of models have about one million. */
const longestList = 16_000_000;

/**
 * Returns the models that a server lists at `/models`, sorted by name. Throws a `ModelError` if that
 * fails.
 */
export async function modelEntries(
  server: ServerAccess,
  signal: AbortSignal,
): Promise<readonly { readonly id: string }[]> {
  const address = shownAddress(server);
  checkKey(server);
  const sdk = await import("openai");
  try {
    const client = openAiClient(server, sdk, listTimeoutMs);
    const response = await client.models.list({ signal }).asResponse();
    const entries = entriesIn(await beginningOf(response, longestList));
    if (entries !== undefined) return entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  } catch (error) {
    const options = { ...server, name: "" };
    const explained = modelError(error, options, sdk, { hasTools: false, hasBegun: false });
    if (!(explained instanceof ModelError) || explained.code !== "notFound") throw explained;
    throw new ModelError(
      "notFound",
      "{address} has no list of models (404). Check the model's address, or enter the model's name yourself.",
      {
        address,
      },
    );
  }
  throw new ModelError(
    "brokenResponse",
    "{address} sent no list of models. Check the model's address.",
    { address },
    { passing: false },
  );
}

const entry = z.looseObject({ id: z.string() });

/**
 * Returns the models in the body of a list; `undefined` if it is none, as the page of a web server. Together sends an
 * array alone, and Ollama `null` in place of an empty one.
 */
function entriesIn(text: string): z.infer<typeof entry>[] | undefined {
  const body = parseJson(text);
  if (!body.ok || typeof body.value !== "object" || body.value === null) return undefined;
  const list = "data" in body.value ? (body.value.data ?? []) : body.value;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((one) => entry.safeParse(one).data ?? []);
}

interface LocalServer {
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** Milliseconds to wait: a server on this machine answers at once. */
const searchTimeoutMs = 1500;

/**
 * Finds the model servers that run on this machine at their usual addresses. Runs only when the user
 * asks for it.
 */
export async function findLocalServers(
  signal: AbortSignal,
  candidates: readonly { readonly name: string; readonly baseUrl: string }[] = modelServers.filter(
    ({ baseUrl }) => baseUrl.startsWith("http://localhost:"),
  ),
): Promise<LocalServer[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(searchTimeoutMs)]);
  const found = await Promise.all(
    candidates.map(async ({ name, baseUrl }): Promise<LocalServer[]> => {
      try {
        const models = (await modelEntries({ baseUrl }, limit)).map(({ id }) => id);
        return [{ name, baseUrl, models }];
      } catch {
        return [];
      }
    }),
  );
  signal.throwIfAborted();
  return found.flat();
}
