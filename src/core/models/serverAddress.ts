import type { ModelApi } from "./modelApi.js";

export const openAiAddress = "https://api.openai.com/v1";
const anthropicAddress = "https://api.anthropic.com/v1";

/** The facts about a server that are known before it is asked. */
interface Server {
  /** The API that it speaks, if the user has set it. */
  readonly api?: ModelApi | undefined;
  readonly baseUrl?: string | undefined;
}

/** Returns the API by which a server is asked: what is set, else what is known of its address, else `chat`. */
export function apiOf({ api, baseUrl }: Server): ModelApi {
  if (api !== undefined) return api;
  return hostOf(baseUrl ?? openAiAddress) === hostOf(anthropicAddress) ? "messages" : "chat";
}

/**
 * What clients add to a server's address; people copy it along from the servers' documentation. A path that is `/models` alone
 * is Azure's own: https://learn.microsoft.com/azure/ai-foundry/foundry-models/how-to/inference.
 */
const endpoint =
  /\/(?:chat\/completions|responses|messages|(?<!^https?:\/\/[^/]+\/)models)\/?(?=$|[?#])/;

/** Returns a server's address: the one that is set, without an endpoint at its end, or that of the API's own maker. */
export function addressOf(server: Server): string {
  const own = apiOf(server) === "messages" ? anthropicAddress : openAiAddress;
  return server.baseUrl?.replace(endpoint, "") ?? own;
}

/**
 * Returns the address that the environment names for servers of an API, by the variables of the makers' own clients; no
 * key of one maker is sent to the address for the other.
 */
export function addressIn(
  env: Readonly<Record<string, string | undefined>>,
  api: ModelApi | undefined,
): string | undefined {
  const given = env[addressVariable(api)]?.trim() ?? "";
  if (api !== "messages") return given || undefined;
  const address = given.replace(/\/$/, "");
  if (address === "") return undefined;
  // Anthropic's clients put the version behind it themselves.
  return /\/v\d+$/.test(address) ? address : `${address}/v1`;
}

/** Returns the environment variable that names the address of servers of an API. */
export function addressVariable(api: ModelApi | undefined): string {
  return api === "messages" ? "ANTHROPIC_BASE_URL" : "OPENAI_BASE_URL";
}

/**
 * Returns the origin of a server's address, as in `https://api.openai.com`; a server's key is kept under it. An address
 * that cannot be read stands for itself.
 */
export function serverOrigin(server: Server): string {
  const address = addressOf(server);
  return URL.canParse(address) ? new URL(address).origin : address;
}

/** Returns the environment variable from which the key for a server is read: no key reaches another maker's server. */
export function keyVariable(server: Server): string {
  return apiOf(server) === "messages" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY";
}

/** Returns an address's host with the port, in small letters; every name of this machine becomes `localhost`. */
export function hostOf(address: string): string {
  const [, host = ""] = /^https?:\/\/(?:[^/@]*@)?([^/?#]+)/i.exec(address) ?? [];
  return host.toLowerCase().replace(/^(127\.0\.0\.1|\[::1\])(?=:|$)/, "localhost");
}
