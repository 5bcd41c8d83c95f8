import {
  areTooMany,
  cannotBe,
  guessedMessage,
  guessedTokens,
} from "../../core/agent/context/tokenGuess.js";
import { ModelError } from "../../core/errors.js";
import { AnswerLimit } from "../../core/models/answerLimit.js";
import type { ModelApi } from "../../core/models/modelApi.js";
import { apiOf, keyVariable } from "../../core/models/serverAddress.js";
import type {
  LanguageModel,
  ModelEvent,
  ModelRequest,
  PartsRefused,
} from "../../core/ports/model.js";
import type { ApiError } from "./apiError.js";
import { checkKey } from "./keyCheck.js";
import { modelError, shownAddress, toolsUnsupported } from "./modelErrors.js";
import type { ModelWindows } from "./modelWindows.js";
import { KnownOf, type ModelWire } from "./modelWire.js";
import { RefusedImages, refusesAnImage } from "./refusedImages.js";
import { RefusedSchemas, speaksOfSchemas } from "./refusedSchemas.js";
import { responseChunks } from "./responseChunks.js";
import { defaultTimeoutMs, type ServerOptions } from "./serverOptions.js";
import { sendableRequest } from "./wireMessages.js";

/** Loads a wire with its SDK: that takes a moment, which a window that asks no model need not spend. */
const loadWire: Readonly<Record<ModelApi, () => Promise<ModelWire>>> = {
  chat: async () => new (await import("./chatWire.js")).ChatWire(),
  responses: async () => new (await import("./responsesWire.js")).ResponsesWire(),
  messages: async () => new (await import("./messagesWire.js")).MessagesWire(),
};

/**
 * A model on a server, which is asked by the API that the server speaks. Failed requests are not retried here:
 * `RetryingModel` does that, which also sees answers that break off in the middle, and can be
 * stopped.
 */
export class ServerModel implements LanguageModel {
  /** The options of the latest call; `undefined` before the first has asked for the settings. */
  private latest: ServerOptions | undefined;
  private readonly wires = new Map<ModelApi, Promise<ModelWire>>();
  private readonly schemas = new KnownOf(() => new RefusedSchemas());
  private readonly images = new KnownOf(() => new RefusedImages());

  /**
   * @param settings called before every request, so that a new key or address takes effect at once
   * @param windows if given, the server is also asked for its models' context windows
   */
  constructor(
    private readonly settings: () => Promise<ServerOptions>,
    private readonly windows?: ModelWindows,
  ) {}

  /** Empty before the first call. */
  get name(): string {
    return this.latest?.name ?? "";
  }

  /**
   * The tokens of the context window according to the server's list; `undefined` until that has been
   * read, or if it does not say.
   */
  get contextTokens(): number | undefined {
    return this.latest && this.windows?.of(this.latest);
  }

  async *respond(given: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    const request = sendableRequest(given);
    const options = await this.settings();
    this.latest = options;
    checkConfigured(options);
    const wire = await this.wireOf(options);
    const sdk = wire.errors;
    const connection = new AbortController();
    let hasBegun = false;
    try {
      // OpenAI's own list does not give windows. The answer is not awaited; it takes effect once it
      // arrives.
      if (options.baseUrl !== undefined) void this.windows?.read(options, connection.signal);
      const images = this.images.of(options);
      const refused: PartsRefused[] = [];
      const asked = { wire, options, images, refused, signal, connection: connection.signal };
      const response = await openWithSchemas(request, this.schemas.of(options), asked);
      hasBegun = true;
      yield* refused;
      const ms = options.timeoutMs ?? defaultTimeoutMs;
      const patience = { ms, tooLate: () => stalled(options, ms) };
      const limit = new AnswerLimit(shownAddress(options), options.maxOutputTokens);
      const chunks = responseChunks(response, {
        options,
        sdk,
        next: (promise) => withinTime(promise, signal, patience),
        written: () => limit.written,
        checkUnsaid(unsaidMs) {
          const longest = ms * timesUnsaid;
          if (unsaidMs > longest) throw stalled(options, longest);
        },
      });
      yield* withTrueCounts(wire.events(chunks, request, options, limit), request);
      signal.throwIfAborted();
    } catch (error) {
      signal.throwIfAborted();
      throw modelError(error, options, sdk, { hasTools: request.tools.length > 0, hasBegun });
    } finally {
      connection.abort();
    }
  }

  private wireOf(options: ServerOptions): Promise<ModelWire> {
    const api = apiOf(options);
    const wire = this.wires.get(api) ?? loadWire[api]();
    this.wires.set(api, wire);
    return wire;
  }
}

/** Puts estimates in the place of counts of the request and of the answer that cannot be. */
async function* withTrueCounts(
  events: AsyncIterable<ModelEvent>,
  { messages, tools }: ModelRequest,
): AsyncGenerator<ModelEvent> {
  let answer = "";
  for await (const event of events) {
    if (event.type === "text" || event.type === "reasoning") answer += event.text;
    if (event.type === "toolCall") answer += event.call.name + event.call.arguments;
    if (event.type !== "usage") {
      yield event;
      continue;
    }
    const answerGuess = guessedTokens(answer);
    const { outputTokens } = event.usage;
    const isCounted = !areTooMany(outputTokens, answerGuess);
    const usage = { ...event.usage, outputTokens: isCounted ? outputTokens : answerGuess };
    const offered = tools.length === 0 ? 0 : guessedTokens(JSON.stringify(tools));
    const guess = messages.reduce((sum, message) => sum + guessedMessage(message), offered);
    const doubted = usage.inputTokens;
    const cachedTokens = Math.min(usage.cachedTokens, guess);
    yield cannotBe(doubted, guess)
      ? { type: "usage", usage: { ...usage, inputTokens: guess, cachedTokens, doubted } }
      : { type: "usage", usage };
  }
}

interface Asked {
  readonly wire: ModelWire;
  readonly options: ServerOptions;
  readonly images: RefusedImages;
  /** The parts that the server has refused; each is added when it is learnt. */
  readonly refused: PartsRefused[];
  readonly signal: AbortSignal;
  readonly connection: AbortSignal;
}

/** Sends the request; where the server refuses the schemas of its tools, sends it again with those that it takes. */
async function openWithSchemas(
  request: ModelRequest,
  schemas: RefusedSchemas,
  asked: Asked,
): Promise<Response> {
  const { wire } = asked;
  for (;;) {
    try {
      return await open(schemas.fitted(request), asked);
    } catch (error) {
      if (!(error instanceof wire.errors.APIError) || request.tools.length === 0) throw error;
      const { status, message }: ApiError = error;
      if (!speaksOfSchemas(status, message)) throw error;
      const leftOut = await schemas.learn(request, (tools) => isTaken(tools, asked));
      if (leftOut === undefined) throw error;
      if (leftOut === "all") throw toolsUnsupported(error, asked.options);
      asked.refused.push({ type: "partsRefused", what: "schemas", leftOut });
    }
  }
}

/** Asks the server whether it takes a small request with these tools; the answer itself is not read. */
async function isTaken(tools: ModelRequest["tools"], asked: Asked): Promise<boolean> {
  const { wire, options, connection } = asked;
  const messages = [{ role: "user", content: "Say OK." }] as const;
  const ended = new AbortController();
  const either = AbortSignal.any([connection, ended.signal]);
  try {
    const small = { ...options, maxOutputTokens: Math.min(options.maxOutputTokens ?? 16, 16) };
    await open({ messages, tools }, { ...asked, options: small, connection: either });
    return true;
  } catch (error) {
    if (!(error instanceof wire.errors.APIError)) throw error;
    const { status, message }: ApiError = error;
    if (!speaksOfSchemas(status, message)) throw error;
    return false;
  } finally {
    ended.abort();
  }
}

/** Sends the request, and sends it again without the fields and images that the server turns out not to take. */
async function open(
  request: ModelRequest,
  { wire, options, images, refused, signal, connection }: Asked,
): Promise<Response> {
  for (;;) {
    const prepared = wire.prepare(images.without(request), options);
    try {
      return await withinTime(prepared.send(connection), signal);
    } catch (error) {
      if (!(error instanceof wire.errors.APIError)) throw error;
      const { status, message }: ApiError = error;
      const leftOut = refusesAnImage(message) ? images.learn(request) : [];
      if (leftOut.length > 0) {
        refused.push({ type: "partsRefused", what: "images", leftOut });
        continue;
      }
      const isRefusal = status === 400 || status === 422 || /image input/i.test(message);
      if (!isRefusal || !prepared.learn(message)) throw error;
    }
  }
}

function checkConfigured(options: ServerOptions): void {
  const address = shownAddress(options);
  if (options.name.trim() === "") {
    throw new ModelError(
      "unconfigured",
      "No model is set. Choose one in the settings, or with the variable ROOROO_MODEL on the command line.",
      {},
    );
  }
  checkKey(options);
  if (options.baseUrl === undefined && (options.apiKey ?? "") === "") {
    throw new ModelError(
      "unconfigured",
      "No API key is set for {address}. Use “Set API Key”, or the variable {variable} on the command line.",
      { address, variable: options.keyVariable ?? keyVariable(options) },
    );
  }
}

/**
 * How many times as long as it may be silent a server may send signs of life without a word: some models reason unseen for most
 * of an hour.
 */
const timesUnsaid = 6;

function stalled(options: ServerOptions, ms: number): ModelError {
  return new ModelError(
    "unreachable",
    "{address} stopped answering for {seconds} s in the middle of its answer. Try again, or allow it more time.",
    { address: shownAddress(options), seconds: ms / 1000 },
  );
}

/**
 * Waits for a promise within a time limit. Rejects with the signal's reason on an abort, and with the
 * error of `tooLate` when the time is up. The promise itself continues, and its failure is then
 * ignored.
 */
async function withinTime<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  limit?: { readonly ms: number; readonly tooLate: () => Error },
): Promise<T> {
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let stop: () => void = () => undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      promise.then(resolve, reject);
      stop = () => {
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whatever the signal's owner chose
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true });
      if (limit) {
        timer = setTimeout(() => {
          reject(limit.tooLate());
        }, limit.ms);
      }
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
