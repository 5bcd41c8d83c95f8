import type * as Sdk from "openai";
import type OpenAI from "openai";
import { addressOf, apiOf } from "../../core/models/serverAddress.js";
import { fetchReadably } from "./readableRefusals.js";
import { defaultTimeoutMs, type ServerAccess } from "./serverOptions.js";

/** The version of Anthropic's API: https://platform.claude.com/docs/en/api/versioning. */
const anthropicVersion = "2023-06-01";

/** Returns a client that takes nothing from the environment: a key of one address must not reach another. */
export function openAiClient(
  server: ServerAccess,
  sdk: typeof Sdk,
  timeoutMs = defaultTimeoutMs,
): OpenAI {
  const apiKey = server.apiKey ?? "";
  const address = new URL(addressOf(server));
  // The client accepts no query.
  const { origin, pathname, searchParams } = address;
  return new sdk.OpenAI({
    apiKey: apiKey === "" ? "none" : apiKey,
    baseURL: origin + pathname,
    defaultQuery: Object.fromEntries(searchParams),
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: "off",
    fetch: fetchReadably,
    defaultHeaders: {
      ...(apiKey === "" ? { Authorization: basicLogin(address) ?? null } : {}),
      // Anthropic's list of models has the same form as OpenAI's.
      ...(apiOf(server) === "messages" ? { "anthropic-version": anthropicVersion } : {}),
    },
  });
}

/** Returns the header that logs in with the name and password of an address, which `fetch` accepts in no address. */
export function basicLogin({ username, password }: URL): string | undefined {
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return login === ":" ? undefined : `Basic ${Buffer.from(login).toString("base64")}`;
}
