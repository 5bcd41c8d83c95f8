import { EnvHttpProxyAgent, getGlobalDispatcher, request, setGlobalDispatcher } from "undici";
import { UserError } from "../../core/errors.js";
import type { SendRequest } from "../../node/web/httpWeb.js";

/** This machine's names: a model's server on it is not behind the proxy, whether or not `NO_PROXY` says so. */
const here = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Has every `fetch` of this process go through the proxy that the environment names, until the signal aborts: models,
 * web searches, and MCP servers over HTTP. Throws a {@link UserError} if the proxy cannot be used.
 */
export function followProxy(env: NodeJS.ProcessEnv, ended: AbortSignal): void {
  const agent = new EnvHttpProxyAgent(proxyOptions(env));
  const before = getGlobalDispatcher();
  setGlobalDispatcher(agent);
  ended.addEventListener("abort", () => {
    setGlobalDispatcher(before);
    void agent.destroy().catch(() => undefined);
  });
}

/**
 * Returns what sends a page's request as the environment says. Without the proxy in between, the connection goes to an
 * address that `lookup` gives; else the proxy looks the name up.
 */
export function sendFollowingProxy(env: NodeJS.ProcessEnv): SendRequest {
  return async (url, { lookup, headers, signal }) => {
    const dispatcher = new EnvHttpProxyAgent({ ...proxyOptions(env), connect: { lookup } });
    const end = () => void dispatcher.destroy().catch(() => undefined);
    try {
      const response = await request(url, { dispatcher, headers, signal });
      const { body, statusCode } = response;
      body.on("close", end);
      // A body that is let go of before its end is an error to undici.
      body.on("error", end);
      return Object.assign(body, { statusCode, headers: response.headers });
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** Returns what the variables say. None is left to undici, which would read the process's own. */
function proxyOptions(env: NodeJS.ProcessEnv): EnvHttpProxyAgent.Options {
  const httpProxy = proxyIn(env, "http_proxy", "HTTP_PROXY");
  const httpsProxy = proxyIn(env, "https_proxy", "HTTPS_PROXY");
  const direct = (env["no_proxy"] ?? env["NO_PROXY"] ?? "").split(/[\s,]+/).filter(Boolean);
  const noProxy = direct.includes("*") ? "*" : [...direct, ...here].join(",");
  // Many proxies let nothing but https through a tunnel.
  return { httpProxy, httpsProxy, noProxy, proxyTunnel: false };
}

/** Returns the proxy in the first of the variables that is set; "" if that is empty, or none is. */
function proxyIn(env: NodeJS.ProcessEnv, ...variables: string[]): string {
  const variable = variables.find((name) => env[name] !== undefined) ?? "";
  const given = env[variable]?.trim() ?? "";
  // People often leave it out.
  const address = given === "" || given.includes("://") ? given : `http://${given}`;
  if (address === "" || isProxy(address)) return address;
  throw new UserError(
    "proxyInvalid",
    "What {variable} says is not a proxy that can be used. Give an address such as http://proxy.example:8080, or unset it.",
    { variable },
  );
}

function isProxy(address: string): boolean {
  try {
    const { protocol, username, password } = new URL(address);
    decodeURIComponent(username + password);
    return protocol === "http:" || protocol === "https:";
  } catch {
    return false;
  }
}
