import { lookup, type LookupAddress } from "node:dns";
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { promisify } from "node:util";
import { messageOf, UserError } from "../../core/errors.js";
import type { Web, WebAnswer } from "../../core/ports/web.js";
import { htmlToMarkdown } from "./htmlToMarkdown.js";
import { isPublicAddress } from "./publicAddress.js";
import { readBody, type WebResponse } from "./readBody.js";

/** Sends a request for a page, and follows no redirect. A connection to the page's own host asks `lookup` for its address. */
export type SendRequest = (
  url: URL,
  options: {
    readonly lookup: LookupFunction;
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal;
  },
) => Promise<WebResponse>;

export interface HttpWebOptions {
  /** Hosts of a private network that may be asked nevertheless, as in `localhost:3000` or `intranet`. */
  readonly privateHosts: readonly string[];
  /** Milliseconds for the whole request, redirects included. Default: 30 s. */
  readonly timeoutMs?: number;
  /** Bytes of a decompressed body that are read at most; the rest is left out. Default: 2 MB. */
  readonly maxBytes?: number;
  /** Default: Node's own modules, which VS Code leads through the proxy of its settings. */
  readonly send?: SendRequest;
}

/** Looks up all addresses of a host's name. */
type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const maxRedirects = 5;
const dnsLookup = promisify(lookup);

/**
 * Fetches pages over the machine's own network. The name of each hop is resolved once, its addresses
 * are checked, and the connection goes to those very addresses. Where a proxy is between them (VS
 * Code's settings may name one, or the command line's environment), that proxy resolves the names once more.
 */
export class HttpWeb implements Web {
  /** @param options called for every request, so that a changed setting takes effect at once */
  constructor(
    private readonly options: () => HttpWebOptions,
    private readonly resolve: Resolve = (hostname) => dnsLookup(hostname, { all: true }),
  ) {}

  async get(address: string, signal: AbortSignal): Promise<WebAnswer> {
    signal.throwIfAborted();
    const { timeoutMs = 30_000 } = this.options();
    const time = AbortSignal.timeout(timeoutMs);
    try {
      return await this.follow(webUrl(address), AbortSignal.any([signal, time]));
    } catch (error) {
      signal.throwIfAborted();
      if (time.aborted) {
        throw new UserError(
          "pageTooSlow",
          "{address} did not answer in full within {seconds} s. Check the address, or try again later.",
          {
            address,
            seconds: timeoutMs / 1000,
          },
        );
      }
      throw error instanceof UserError ? error : fetchFailure(error, address);
    }
  }

  private async follow(first: URL, signal: AbortSignal): Promise<WebAnswer> {
    let url = first;
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const response = await this.ask(url, signal);
      const status = response.statusCode ?? 0;
      const target = redirectTarget(response, url);
      if (target === undefined) return this.read(response, url);
      response.destroy();
      if (!isSameSite(url, target)) {
        const redirectsTo = target.href;
        const { href } = url;
        return { address: href, status, contentType: "", text: "", truncated: false, redirectsTo };
      }
      url = target;
    }
    throw new UserError(
      "tooManyRedirects",
      "{address} redirects more than {most} times. Fetch another page.",
      {
        address: first.href,
        most: maxRedirects,
      },
    );
  }

  private async ask(url: URL, signal: AbortSignal): Promise<WebResponse> {
    const addresses = await this.checked(url, signal);
    const { send = sendDirectly } = this.options();
    return send(url, {
      signal,
      // The name is not resolved a second time, because the answer could differ from the one checked.
      lookup: (_hostname, { all }, answer) => {
        const [only] = addresses;
        if (all === true) answer(null, [...addresses]);
        else answer(null, only?.address ?? "", only?.family);
      },
      headers: {
        "user-agent": "rooroo-navigator",
        accept:
          "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.8, */*;q=0.1",
        "accept-encoding": "gzip, deflate, br",
      },
    });
  }

  /**
   * Resolves the name of a host. Throws a `UserError` if any of its addresses is not on the internet,
   * unless the settings allow the host.
   */
  private async checked(url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const addresses =
      isIP(host) === 0 ? await this.resolve(host) : [{ address: host, family: isIP(host) }];
    signal.throwIfAborted();
    if (addresses.length === 0)
      throw new UserError("hostUnknown", "The name {host} has no address. Check the address.", {
        host,
      });
    const allowed = this.options().privateHosts.some((one) => {
      const name = one.trim().toLowerCase();
      return name === url.host || name === url.hostname;
    });
    const inside = addresses.find(({ address }) => !isPublicAddress(address));
    if (inside === undefined || allowed) return addresses;
    throw inside.address === host
      ? new UserError(
          "privateAddress",
          '{host} is an address of a private network, so nothing was fetched from it. Only the user can allow it, with the setting "rooroo.web.privateHosts" or the variable ROOROO_PRIVATE_HOSTS.',
          { host },
        )
      : new UserError(
          "privateHost",
          '{host} is at {address}, an address of a private network, so nothing was fetched from it. Only the user can allow it, with the setting "rooroo.web.privateHosts" or the variable ROOROO_PRIVATE_HOSTS.',
          { host: url.host, address: inside.address },
        );
  }

  private async read(response: WebResponse, url: URL): Promise<WebAnswer> {
    const { maxBytes = 2_000_000 } = this.options();
    const body = await readBody(response, maxBytes);
    const isPage = /^(text\/html|application\/xhtml\+xml)$/.test(body.contentType);
    return {
      address: url.href,
      status: response.statusCode ?? 0,
      contentType: body.contentType,
      text: isPage ? await htmlToMarkdown(body.text, url.href) : body.text,
      truncated: body.truncated,
    };
  }
}

const sendDirectly: SendRequest = (url, options) =>
  new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http;
    const sent = request(url, { ...options, agent: false });
    sent.on("response", resolve);
    sent.on("error", reject);
    sent.end();
  });

function webUrl(address: string): URL {
  if (!URL.canParse(address)) {
    throw new UserError(
      "notAWebAddress",
      "{address} is not a web address. Give one that begins with https://.",
      {
        address: JSON.stringify(address),
      },
    );
  }
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) {
    throw new UserError(
      "protocolRefused",
      "{protocol} addresses are not fetched, only http: and https: ones.",
      { protocol: url.protocol },
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new UserError(
      "credentialsInAddress",
      "An address with a name or password in it is not fetched. Leave them out.",
    );
  }
  return url;
}

function redirectTarget({ statusCode, headers }: WebResponse, from: URL): URL | undefined {
  const { location } = headers;
  if (location === undefined || ![301, 302, 303, 307, 308].includes(statusCode ?? 0)) {
    return undefined;
  }
  if (!URL.canParse(location, from.href)) {
    throw new UserError(
      "redirectInvalid",
      "{address} redirects to something that is not an address. Fetch another page.",
      { address: from.href },
    );
  }
  return webUrl(new URL(location, from).href);
}

/**
 * Returns whether both addresses belong to the same site. The names may differ in `www.` only, https never
 * leads back to http, and hosts on other than the usual ports are sites of their own.
 */
function isSameSite(from: URL, to: URL): boolean {
  const name = ({ hostname }: URL) => hostname.replace(/^www\./, "");
  if (name(from) !== name(to)) return false;
  if (from.protocol === to.protocol) return from.port === to.port;
  return to.protocol === "https:" && from.port === "" && to.port === "";
}

function fetchFailure(error: unknown, address: string): UserError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new UserError(
        "hostNotFound",
        "The name in {address} cannot be found. Check the address.",
        { address },
      );
    case "ECONNREFUSED":
      return new UserError(
        "connectionRefused",
        "Nothing answers at {address}. Check the address.",
        { address },
      );
    default:
      return new UserError(
        "fetchFailed",
        "{address} could not be fetched: {cause}. Check the address, or try again later.",
        {
          address,
          cause: messageOf(error) || code,
        },
      );
  }
}
