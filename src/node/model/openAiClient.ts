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
  const { origin, pathname, username, password, searchParams } = new URL(addressOf(server));
  // fetch accepts no name and password in an address, and the client accepts no query.
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const basic = login === ":" ? null : `Basic ${Buffer.from(login).toString("base64")}`;
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
      ...(apiKey === "" ? { Authorization: basic } : {}),
      // Anthropic's list of models has the same form as OpenAI's.
      ...(apiOf(server) === "messages" ? { "anthropic-version": anthropicVersion } : {}),
    },
  });
}
