import type { HttpWebOptions } from "../../node/web/httpWeb.js";
import { type SearchOptions, searchProviders } from "../../node/web/searchService.js";
import { WrongUse } from "../commands/wrongUse.js";

/** What experts may reach on the web besides public addresses. */
export interface WebSettings extends HttpWebOptions {
  readonly search?: SearchOptions;
}

/** Reads the web settings from the environment, never from the workspace. Throws {@link WrongUse}. */
export function webSettings(env: NodeJS.ProcessEnv): WebSettings {
  const privateHosts = (env["ROOROO_PRIVATE_HOSTS"] ?? "").split(/[\s,]+/).filter(Boolean);
  const named = env["ROOROO_SEARCH_PROVIDER"]?.trim().toLowerCase() ?? "";
  if (named === "" || named === "none") return { privateHosts };
  const provider = searchProviders.find((one) => one === named);
  if (provider === undefined) {
    throw new WrongUse(
      `ROOROO_SEARCH_PROVIDER names ${JSON.stringify(named)}. Use ${searchProviders.join(", ")} or none.`,
    );
  }
  const address = env["ROOROO_SEARCH_ADDRESS"] ?? "";
  const key = env["ROOROO_SEARCH_KEY"];
  return { privateHosts, search: { provider, address, apiKey: () => Promise.resolve(key) } };
}
