import { openAiAddress, type OpenAiOptions } from "./openAiOptions.js";
import { modelError } from "./modelErrors.js";

/** Milliseconds that a person is kept waiting for a list. */
const patience = 10_000;

/** The names that a server lists at `/models`, sorted. Throws a `ModelError` when it does not. */
export async function modelList(
  server: Pick<OpenAiOptions, "baseUrl" | "apiKey">,
  signal: AbortSignal,
): Promise<string[]> {
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
    return data.map(({ id }) => id).sort();
  } catch (error) {
    throw modelError(error, { ...server, name: "" }, sdk, false);
  }
}
