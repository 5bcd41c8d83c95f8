import * as z from "zod";
import { messageOf, UserError } from "../../core/errors.js";
import type { WebSearch, WebSearchHit } from "../../core/ports/web.js";
import { beginningOf } from "./beginningOf.js";

export const searchProviders = ["tavily", "brave", "searxng"] as const;
type SearchProvider = (typeof searchProviders)[number];

export interface SearchOptions {
  readonly provider: SearchProvider;
  /** The address of the service. Empty: the provider's own; SearXNG has none. */
  readonly address: string;
  readonly apiKey: () => Promise<string | undefined>;
}

const timeoutMs = 20_000;
const wanted = 8;
const mostBytes = 2_000_000;

const ownAddress = {
  tavily: "https://api.tavily.com/search",
  brave: "https://api.search.brave.com/res/v1/web/search",
  searxng: "",
} as const;

const optional = z.string().nullish();
const hits = {
  // https://docs.tavily.com/documentation/api-reference/endpoint/search
  tavily: z.object({
    results: z.array(z.object({ url: z.string(), title: optional, content: optional })),
  }),
  // https://api-dashboard.search.brave.com/app/documentation/web-search
  brave: z.object({
    web: z
      .object({
        results: z.array(z.object({ url: z.string(), title: optional, description: optional })),
      })
      .nullish(),
  }),
  // https://docs.searxng.org/dev/search_api.html
  searxng: z.object({
    results: z.array(z.object({ url: z.string(), title: optional, content: optional })),
  }),
};

/** A search service that the user has chosen. The key is sent to its address and nowhere else. */
export class SearchService implements WebSearch {
  readonly address: string;

  constructor(private readonly options: SearchOptions) {
    this.address = addressOf(options);
  }

  async search(query: string, signal: AbortSignal): Promise<WebSearchHit[]> {
    signal.throwIfAborted();
    if (this.address === "") {
      throw new UserError(
        "searchAddressMissing",
        "The web search has no address. Name one in the settings.",
      );
    }
    const json = await this.ask(query, signal);
    switch (this.options.provider) {
      case "tavily":
      case "searxng": {
        const { results } = this.read(hits.searxng, json);
        return first(results.map(({ url, title, content }) => hit(url, title, content)));
      }
      case "brave": {
        const results = this.read(hits.brave, json).web?.results ?? [];
        return first(results.map(({ url, title, description }) => hit(url, title, description)));
      }
    }
  }

  private async ask(query: string, signal: AbortSignal): Promise<unknown> {
    const time = AbortSignal.timeout(timeoutMs);
    const { url, init } = await this.request(query);
    try {
      const response = await fetch(url, {
        ...init,
        // A redirect would take the key along.
        redirect: "error",
        signal: AbortSignal.any([signal, time]),
      });
      const text = await beginningOf(response, mostBytes);
      if (!response.ok) throw this.refusal(response.status);
      return JSON.parse(text) as unknown;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UserError) throw error;
      if (time.aborted) {
        throw new UserError(
          "searchTooSlow",
          "The web search did not answer within {seconds} s. Try again later.",
          {
            seconds: timeoutMs / 1000,
          },
        );
      }
      if (error instanceof SyntaxError) throw this.unreadable();
      throw new UserError(
        "searchUnreachable",
        "The web search at {address} cannot be reached: {cause}. Check its address and the network.",
        { address: this.address, cause: cause(error) },
      );
    }
  }

  private async request(query: string): Promise<{ url: string; init: RequestInit }> {
    const key = (await this.options.apiKey())?.trim() ?? "";
    const url = new URL(this.address);
    const accept = { accept: "application/json" };
    switch (this.options.provider) {
      case "tavily": {
        const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
        const body = JSON.stringify({ query, max_results: wanted });
        return { url: url.href, init: { method: "POST", headers, body } };
      }
      case "brave":
        url.searchParams.set("q", query);
        url.searchParams.set("count", String(wanted));
        return { url: url.href, init: { headers: { ...accept, "x-subscription-token": key } } };
      case "searxng":
        url.searchParams.set("q", query);
        url.searchParams.set("format", "json");
        return { url: url.href, init: { headers: accept } };
    }
  }

  private refusal(status: number): UserError {
    if (status === 401 || (status === 403 && this.options.provider !== "searxng")) {
      return new UserError(
        "searchKeyRefused",
        "The web search refuses the key, or there is none ({status}). The user sets it with “Set Web Search Key…”, or with the variable ROOROO_SEARCH_KEY on the command line.",
        { status },
      );
    }
    if (status === 403) {
      return new UserError(
        "searchFormatMissing",
        "The SearXNG server does not answer in JSON (403): its settings have to name that format.",
      );
    }
    if (status === 429)
      return new UserError(
        "searchRateLimited",
        "The web search takes no more requests for now (429). Try again later.",
      );
    return new UserError("searchFailed", "The web search failed ({status}). Try again later.", {
      status,
    });
  }

  private read<T>(schema: z.ZodType<T>, json: unknown): T {
    const parsed = schema.safeParse(json);
    if (!parsed.success) throw this.unreadable();
    return parsed.data;
  }

  private unreadable(): UserError {
    return new UserError(
      "searchAnswerInvalid",
      "{address} did not answer with search results. Check the web search's address.",
      {
        address: this.address,
      },
    );
  }
}

function addressOf({ provider, address }: SearchOptions): string {
  const given = address.trim();
  if (given === "" || !URL.canParse(given)) return given === "" ? ownAddress[provider] : "";
  const url = new URL(given);
  if (!/^https?:$/.test(url.protocol)) return "";
  if (provider === "searxng" && !url.pathname.endsWith("/search")) {
    url.pathname = `${url.pathname.replace(/\/$/, "")}/search`;
  }
  return url.href;
}

function first(found: readonly WebSearchHit[]): WebSearchHit[] {
  return found.filter(({ address }) => /^https?:\/\//i.test(address)).slice(0, wanted);
}

/** Makes a hit, without the tags that some services put around search terms. */
function hit(
  address: string,
  title: string | null | undefined,
  excerpt: string | null | undefined,
): WebSearchHit {
  const plain = (text: string | null | undefined) => (text ?? "").replace(/<\/?strong>/g, "");
  return { address, title: plain(title), excerpt: plain(excerpt) };
}

function cause(error: unknown): string {
  const inner = error instanceof Error ? error.cause : undefined;
  return messageOf(inner ?? error) || "no connection";
}
