import { ModelError } from "../../core/errors.js";
import { modelError, shownAddress } from "./modelErrors.js";
import { openAiAddress, type OpenAiOptions } from "./openAiOptions.js";

/** Milliseconds to wait for a list, because a person is waiting for it. */
const patience = 10_000;

/**
 * Returns the models that a server lists at `/models`, sorted by name. Throws a `ModelError` if that
 * fails.
 */
export async function modelEntries(
  server: Pick<OpenAiOptions, "baseUrl" | "apiKey">,
  signal: AbortSignal,
): Promise<readonly { readonly id: string }[]> {
  const sdk = await import("openai");
  const { apiKey = "", baseUrl = openAiAddress } = server;
  const client = new sdk.OpenAI({
    apiKey: apiKey === "" ? "none" : apiKey,
    baseURL: baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: patience,
    logLevel: "off",
    ...(apiKey === "" ? { defaultHeaders: { Authorization: null } } : {}),
  });
  try {
    const { data } = await client.models.list({ signal });
    return data.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  } catch (error) {
    const options = { ...server, name: "" };
    const explained = modelError(error, options, sdk, false);
    if (!(explained instanceof ModelError) || explained.code !== "notFound") throw explained;
    throw new ModelError("notFound", `${shownAddress(options)} has no list of models (404).`);
  }
}
