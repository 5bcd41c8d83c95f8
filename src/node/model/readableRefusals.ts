import { parseJson } from "../../core/documents/parseJson.js";
import { ModelError } from "../../core/errors.js";
import { beginningOf } from "../web/beginningOf.js";
import { valueAt } from "./contextTokens.js";

/** The most bytes of a refusal's body that are read. */
const longestBody = 64 * 1024;

/** The most objects that a body is searched into, one in the other. */
const deepest = 5;

/** The most redirects that are followed. */
const mostRedirects = 5;

/**
 * A `fetch` that takes a prompt to no other origin, and gives refusals the form in which OpenAI's SDK finds their words: it
 * reads `error` of the body only, and so has no word of a list (Gemini), of `detail` (FastAPI), or of `message` at the top
 * (vLLM).
 *
 * @throws a `ModelError` where a server sends the request elsewhere
 */
export async function fetchReadably(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetchFromOrigin(...request);
  if (response.ok) return response;
  const text = await beginningOf(response, longestBody);
  const body = parseJson(text);
  const said = body.ok ? saidIn(body.value) : undefined;
  const headers = new Headers(response.headers);
  // They speak of the body as it came over the wire.
  for (const name of ["content-length", "content-encoding"]) headers.delete(name);
  const { status, statusText } = response;
  // `Response` refuses a body with this status.
  if (status === 304) return new Response(null, { status, statusText, headers });
  if (said === undefined) return new Response(text, { status, statusText, headers });
  headers.set("content-type", "application/json");
  return new Response(
    JSON.stringify({ error: { ...said, body: body.ok ? body.value : undefined } }),
    { status, statusText, headers },
  );
}

/** Sends a request, and follows redirects on the server itself, as from `/v1` to `/v1/`. */
async function fetchFromOrigin(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  let next = input;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(next, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    const isRedirect = response.status >= 300 && response.status < 400;
    if (!isRedirect || location === null || !URL.canParse(location, response.url)) return response;
    const url = new URL(response.url);
    const target = new URL(location, url);
    if (target.origin !== url.origin) {
      await response.body?.cancel();
      throw new ModelError(
        "unreachable",
        "{address} sends requests on to {target} ({status}), and your prompt goes to no address that you have not set. Set that one if you trust it.",
        {
          address: url.origin + url.pathname,
          target: target.origin + target.pathname,
          status: response.status,
        },
        { passing: false },
      );
    }
    // After other codes, a client asks by GET and without the body.
    const keepsBody = [307, 308].includes(response.status) || init?.body === undefined;
    if (!keepsBody || redirects === mostRedirects) return response;
    await response.body?.cancel();
    next = target;
  }
}

interface Said {
  readonly message: string;
  readonly code?: unknown;
  readonly type?: unknown;
}

/** The fields that hold a refusal's words. The last two are MiniMax's; one holds the other. */
const wordPlaces = ["error", "message", "detail", "msg", "errors", "base_resp", "status_msg"];

/** Returns the words in a refusal's body, with the code and type that stand beside them. */
export function wordsIn(body: unknown, depth = 0): Said | undefined {
  if (depth > deepest) return undefined;
  if (typeof body === "string") return fromText(body, depth);
  if (Array.isArray(body)) {
    const all = body.flatMap((one) => wordsIn(one, depth + 1) ?? []);
    const message = [...new Set(all.map((one) => one.message))].join("; ");
    return all[0] && { ...all[0], message };
  }
  if (typeof body !== "object" || body === null) return undefined;
  const at = (...path: string[]) => valueAt(body, path);
  // A gateway says what failed, and has the words of the server behind it with it.
  const behind = wordsIn(at("metadata", "raw"), depth + 1)?.message;
  for (const place of wordPlaces) {
    const found = wordsIn(at(place), depth + 1);
    if (found === undefined) continue;
    const { message, code = at("code"), type = at("type") } = found;
    const whole =
      behind === undefined || message.includes(behind) ? message : `${message}: ${behind}`;
    return { message: whole, code, type };
  }
  return behind === undefined ? undefined : { message: behind };
}

/** Returns the words in a refusal's body; the body itself where they stand in no place that is known. */
function saidIn(body: unknown): Said | undefined {
  const found = wordsIn(body);
  if (found !== undefined || typeof body !== "object" || body === null) return found;
  const whole = JSON.stringify(body);
  const says = /:(?:"[^"]|\d)|\["/.test(whole);
  return says ? { message: whole } : undefined;
}

/** A text may be JSON itself, as what a gateway passes on. */
function fromText(text: string, depth: number): Said | undefined {
  const inner = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  const found = inner?.ok ? wordsIn(inner.value, depth + 1) : undefined;
  return found ?? (text.trim() === "" ? undefined : { message: text.trim() });
}
