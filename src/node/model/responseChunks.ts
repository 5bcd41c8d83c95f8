import { setImmediate } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { parseJson } from "../../core/documents/parseJson.js";
import { ModelError } from "../../core/errors.js";
import { endlessAnswer } from "../../core/models/answerLimit.js";
import type { ApiError, SdkErrors } from "./apiError.js";
import { valueAt } from "./contextTokens.js";
import { shownAddress } from "./modelErrors.js";
import { wordsIn } from "./readableRefusals.js";
import type { ServerOptions } from "./serverOptions.js";

/** A chunk of an answer as the server sends it, with more or fewer fields than the SDK's types have. */
export type ResponseChunk = Readonly<Record<string, unknown>>;

/** The most characters of one event, or of an answer that comes in one piece. */
const longestEvent = 20_000_000;
/** The most bytes of a body: a chunk of a few letters may have hundreds of bytes around them. */
const mostBytes = 400_000_000;
/** The most bytes of events in a row in which the model writes nothing: it may reason unseen, with an empty chunk for each token. */
const mostUnsaid = 100_000_000;
/** The bytes as which an event counts at least, for what reading it costs. */
const leastEvent = 200;
/** The bytes that are read before the process hears of signals again: more than arrive meanwhile, which would pile up. */
const mostUnheard = 200_000;

/** Inputs for reading a response's body. */
export interface Reading {
  readonly options: ServerOptions;
  readonly sdk: SdkErrors;
  /** Waits for a promise of the next bytes; rejects on a timeout or an abort. */
  readonly next: <T>(promise: Promise<T>) => Promise<T>;
  /** Returns how many characters the model has written so far, in the chunks that were yielded. */
  readonly written: () => number;
  /** Is told, whenever something comes, for how many milliseconds the model has written nothing; throws if that is too long. */
  readonly checkUnsaid: (ms: number) => void;
}

/**
 * Yields the chunks of a response's body, and `"done"` when the server marks the end. A server that
 * does not stream sends the whole answer, which is yielded as one chunk.
 *
 * @throws ModelError if the body is not an answer, such as a web page
 * @throws the `APIError` of the SDK if an error stands in the place of a chunk
 */
export async function* responseChunks(
  response: Response,
  reading: Reading,
): AsyncGenerator<ResponseChunk | "done"> {
  const type = response.headers.get("content-type") ?? "";
  const isJson = /^application\/([\w.-]+\+)?json/i.test(type);
  const events: { data: string; event?: string | undefined }[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  let plain = "";
  let isStream = false;
  /** The characters since the last event. */
  let pending = 0;
  /** The characters since the model wrote something, those that it had written by then, and when that was. */
  let [unsaid, written, saidAt] = [0, 0, performance.now()];
  const giveUp = (most: number) => endlessAnswer(shownAddress(reading.options), most);
  for await (const text of bodyText(response, reading)) {
    pending += text.length;
    if (pending > longestEvent) throw giveUp(longestEvent);
    unsaid += text.length;
    if (written !== reading.written())
      [unsaid, written, saidAt] = [0, reading.written(), performance.now()];
    if (unsaid > mostUnsaid) throw giveUp(mostUnsaid);
    reading.checkUnsaid(performance.now() - saidAt);
    if (!isStream) plain += text;
    if (!isStream && isJson) continue;
    parser.feed(text);
    for (const { data, event } of events.splice(0)) {
      isStream = true;
      unsaid += leastEvent;
      plain = "";
      pending = 0;
      if (data.startsWith("[DONE]")) yield "done";
      else yield* read(data, event === "error", response, reading);
    }
  }
  if (isStream) return;
  const whole = plain.trim();
  if (isJson && /^(data|event|id|retry)?:/.test(whole)) {
    yield* responseChunks(new Response(plain), reading);
  } else if (whole.startsWith("{")) {
    yield* read(whole, isRefusal(whole), response, reading);
    yield "done";
  } else throw noStream(whole, reading.options);
}

/**
 * Yields a body's text as it comes. Of one that comes fast, the process stops to hear of signals now and then.
 *
 * @throws ModelError if the body goes on and on
 */
async function* bodyText(response: Response, { next, options }: Reading): AsyncGenerator<string> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  const decoder = new TextDecoder();
  let unheard = 0;
  for (let bytes = 0; ;) {
    const part = reader && (await next(reader.read()));
    if (part?.value === undefined) break;
    bytes += part.value.length;
    if (bytes > mostBytes) throw endlessAnswer(shownAddress(options), mostBytes);
    yield decoder.decode(part.value, { stream: true });
    unheard += part.value.length;
    if (unheard < mostUnheard) continue;
    unheard = 0;
    await setImmediate();
  }
  // The last event may lack the empty line that ends it.
  yield `${decoder.decode()}\n\n`;
}

function* read(
  data: string,
  isError: boolean,
  response: Response,
  { options, sdk }: Reading,
): Generator<ResponseChunk> {
  if (isError && !parseJson(data).ok) throw asApiError(data, response.headers, sdk);
  for (const value of values(data, options)) {
    if (typeof value !== "object" || value === null) continue;
    const chunk = value as ResponseChunk;
    const error = errorIn(chunk, isError);
    if (error !== undefined) throw asApiError(error, response.headers, sdk);
    yield chunk;
  }
}

/**
 * Parses the data of an event. Some servers send no empty line between events, whose data then comes as
 * the lines of one event.
 */
function values(data: string, options: ServerOptions): unknown[] {
  try {
    return [JSON.parse(data)];
  } catch {
    const lines = data.split("\n").filter((line) => line.trim() !== "" && line !== "[DONE]");
    try {
      return lines.map((line): unknown => JSON.parse(line));
    } catch {
      throw new ModelError(
        "brokenResponse",
        "{address} sent something that is not an answer of a model. Try again; if it stays like that, check the model's address.",
        { address: shownAddress(options) },
      );
    }
  }
}

/**
 * Returns whether a body that came in one piece says what is wrong and is no answer, although the status was that of
 * success: as in `{"code": 401, "message": "…"}`, or MiniMax's `base_resp`.
 */
function isRefusal(body: string): boolean {
  const parsed = parseJson(body);
  if (!parsed.ok || typeof parsed.value !== "object" || parsed.value === null) return false;
  const isAnswer = Object.keys(parsed.value).some((name) => answerFields.has(name));
  return !isAnswer && wordsIn(parsed.value) !== undefined;
}

/** A field that each answer of one of the APIs has. */
const answerFields: ReadonlySet<string> = new Set(["choices", "content", "output"]);

/** Fields of the events of a stream that are no errors. */
const eventFields: readonly string[] = [...answerFields, "type", "object", "usage", "id"];

function errorIn(chunk: ResponseChunk, isError: boolean): unknown {
  if (chunk["error"]) return chunk["error"];
  // OpenRouter's stands in the place of the reply.
  const inChoice = valueAt(chunk, ["choices", "0", "error"]);
  if (inChoice) return inChoice;
  const isEvent = eventFields.some((name) => Object.hasOwn(chunk, name));
  const isRefusal = !isEvent && wordsIn(chunk) !== undefined;
  return isError || isRefusal || chunk["object"] === "error" ? chunk : undefined;
}

/** Returns the error of an SDK for what a server tells of a failure after it has begun to answer, or in place of that. */
export function asApiError(error: unknown, headers: Headers, sdk: SdkErrors): ApiError {
  const given = typeof error === "object" && error !== null ? error : { message: String(error) };
  const body = "message" in given ? given : { ...given, ...wordsIn(given) };
  const { code, status, type } = body as { code?: unknown; status?: unknown; type?: unknown };
  const isLimit = code === "rate_limit_exceeded" || type === "rate_limit_error";
  const known = [code, status].map(Number).find((number) => number >= 400 && number < 600);
  const ApiErrorOfSdk = sdk.APIError as new (
    status: number | undefined,
    error: object,
    message: string | undefined,
    headers: Headers,
  ) => ApiError;
  return new ApiErrorOfSdk(known ?? (isLimit ? 429 : undefined), body, undefined, headers);
}

function noStream(body: string, options: ServerOptions): ModelError {
  const address = shownAddress(options);
  if (body === "")
    return new ModelError(
      "brokenResponse",
      "{address} answered with nothing. Try again; if it stays like that, check the model's address.",
      { address },
    );
  const what = body.startsWith("<") ? "a web page" : "something else";
  return new ModelError(
    "brokenResponse",
    "{address} answered with {what}, not with a stream. Check the model's address.",
    { address, what },
    { passing: false },
  );
}
