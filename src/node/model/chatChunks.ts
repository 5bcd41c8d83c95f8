import type { APIError } from "openai";
import type * as Sdk from "openai";
import { createParser } from "eventsource-parser";
import { ModelError } from "../../core/errors.js";
import { shownAddress } from "./modelErrors.js";
import type { OpenAiOptions } from "./openAiOptions.js";

/** A chunk of an answer as the server sends it, with more or fewer fields than OpenAI's types have. */
export type ChatChunk = Readonly<Record<string, unknown>>;

/** Inputs for reading a response's body. */
export interface Reading {
  readonly options: OpenAiOptions;
  readonly sdk: typeof Sdk;
  /** Waits for a promise of the next bytes; rejects on a timeout or an abort. */
  readonly next: <T>(promise: Promise<T>) => Promise<T>;
}

/**
 * Yields the chunks of a response's body, and `"done"` when the server marks the end. A server that
 * does not stream sends a whole chat completion, which is yielded as one chunk.
 *
 * @throws ModelError if the body is not an answer, such as a web page
 * @throws APIError if an error stands in the place of a chunk
 */
export async function* chatChunks(
  response: Response,
  reading: Reading,
): AsyncGenerator<ChatChunk | "done"> {
  const type = response.headers.get("content-type") ?? "";
  const isJson = /^application\/([\w.-]+\+)?json/i.test(type);
  const events: { data: string; event?: string | undefined }[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  let plain = "";
  let isStream = false;
  for await (const text of bodyText(response, reading)) {
    if (!isStream) plain += text;
    if (!isStream && isJson) continue;
    parser.feed(text);
    for (const { data, event } of events.splice(0)) {
      isStream = true;
      plain = "";
      if (data.startsWith("[DONE]")) yield "done";
      else yield* read(data, event === "error", response, reading);
    }
  }
  if (isStream) return;
  const whole = plain.trim();
  if (isJson && /^(data|event|id|retry)?:/.test(whole)) {
    yield* chatChunks(new Response(plain), reading);
  } else if (whole.startsWith("{")) {
    yield* read(whole, false, response, reading);
    yield "done";
  } else throw noStream(whole, reading.options);
}

async function* bodyText(response: Response, { next }: Reading): AsyncGenerator<string> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const part = reader && (await next(reader.read()));
    if (part?.value === undefined) break;
    yield decoder.decode(part.value, { stream: true });
  }
  // The last event may lack the empty line that ends it.
  yield `${decoder.decode()}\n\n`;
}

function* read(
  data: string,
  isError: boolean,
  response: Response,
  { options, sdk }: Reading,
): Generator<ChatChunk> {
  for (const value of values(data, options)) {
    if (typeof value !== "object" || value === null) continue;
    const chunk = value as ChatChunk;
    const error = errorIn(chunk, isError);
    if (error !== undefined) throw asApiError(error, response, sdk);
    yield chunk;
  }
}

/**
 * Parses the data of an event. Some servers send no empty line between events, whose data then comes as
 * the lines of one event.
 */
function values(data: string, options: OpenAiOptions): unknown[] {
  try {
    return [JSON.parse(data)];
  } catch {
    const lines = data.split("\n").filter((line) => line.trim() !== "" && line !== "[DONE]");
    try {
      return lines.map((line): unknown => JSON.parse(line));
    } catch {
      throw new ModelError(
        "brokenResponse",
        "{address} sent something that is not a chat completion stream. Try again; if it stays like that, check the model's address.",
        { address: shownAddress(options) },
      );
    }
  }
}

function errorIn(chunk: ChatChunk, isError: boolean): unknown {
  if (chunk["error"]) return chunk["error"];
  return isError || chunk["object"] === "error" ? chunk : undefined;
}

function asApiError(error: unknown, response: Response, sdk: typeof Sdk): APIError {
  const body = typeof error === "object" && error !== null ? error : { message: String(error) };
  const { code, status } = body as { code?: unknown; status?: unknown };
  const known = [code, status].map(Number).find((number) => number >= 400 && number < 600);
  return new sdk.APIError(known, body, undefined, response.headers);
}

function noStream(body: string, options: OpenAiOptions): ModelError {
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
