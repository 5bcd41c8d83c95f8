/** The response of a web address, as text. */
export interface WebAnswer {
  /** The address that answered, after redirects. */
  readonly address: string;
  /** The HTTP status; 404, for example, is an answer, too. */
  readonly status: number;
  /**
   * The media type without parameters, in lower case, as in `text/html`; empty when the server does not
   * say.
   */
  readonly contentType: string;
  /** A web page as Markdown, any other text as it is; empty where {@link redirectsTo} is given. */
  readonly text: string;
  /** Whether the response was longer than is read. */
  readonly truncated: boolean;
  /** The address on another site that the response redirects to; it has not been fetched. */
  readonly redirectsTo?: string;
}

export interface Web {
  /**
   * GETs an `http:` or `https:` address, without credentials or cookies; redirects are followed on the
   * same site only. Throws a `UserError` when the address is no web address, is in a private network
   * that the user has not allowed, or does not answer, and when the response is not text.
   */
  get(address: string, signal: AbortSignal): Promise<WebAnswer>;
}

export interface WebSearchHit {
  readonly title: string;
  readonly address: string;
  /** An excerpt of the page as plain text; may be empty. */
  readonly excerpt: string;
}

export interface WebSearch {
  /** The search service's address, for display. */
  readonly address: string;
  /**
   * Returns a few hits, best first. Throws a `UserError` when the service does not answer, or its answer
   * is not search results.
   */
  search(query: string, signal: AbortSignal): Promise<WebSearchHit[]>;
}
