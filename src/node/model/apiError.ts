/** An answer that refuses a request, as OpenAI's and Anthropic's SDKs throw it. */
export interface ApiError extends Error {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  /** The body of the answer. */
  readonly error: unknown;
  readonly code?: string | null | undefined;
  readonly type?: string | null | undefined;
}

/** The classes of the errors of an SDK. */
export interface SdkErrors {
  readonly APIError: new (...args: never[]) => ApiError;
  readonly APIConnectionError: new (...args: never[]) => Error;
  readonly APIConnectionTimeoutError: new (...args: never[]) => Error;
}

/** Returns a refusal's words without the status that SDKs, and Alibaba as in `<400> …`, put in front of them. */
export function withoutStatus(message: string): string {
  return message.replace(/^(?:(?:<\d{3}>|\d{3}) )+/, "");
}

/** Returns the first value of a field's name in a body, however deep it stands; `undefined` if there is none. */
export function fieldIn(body: unknown, name: string, depth = 0): unknown {
  if (typeof body !== "object" || body === null || depth > 6) return undefined;
  if (Object.hasOwn(body, name)) return (body as Record<string, unknown>)[name];
  for (const inner of Object.values(body)) {
    const found = fieldIn(inner, name, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
