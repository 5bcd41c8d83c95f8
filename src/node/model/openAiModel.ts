import type * as Sdk from "openai";
import type OpenAI from "openai";
import { ModelError } from "../../core/errors.js";
import { modelServerAt } from "../../core/models/modelServers.js";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../core/ports/model.js";
import { chatChunks } from "./chatChunks.js";
import { chatEvents } from "./chatEvents.js";
import { chatRequest, learn, type Unsupported } from "./chatRequest.js";
import { modelError, shownAddress } from "./modelErrors.js";
import { defaultTimeoutMs, openAiAddress, type OpenAiOptions } from "./openAiOptions.js";
import type { ModelWindows } from "./modelWindows.js";

/**
 * A model on any server that speaks OpenAI's chat completions. Failed requests are not retried here:
 * `RetryingModel` does that, which also sees answers that break off in the middle, and can be
 * stopped.
 */
export class OpenAiModel implements LanguageModel {
  /** Empty until the first call has asked for the settings. */
  name = "";
  private readonly unsupported = new Map<string, Unsupported>();

  /**
   * @param settings called before every request, so that a new key or address takes effect at once
   * @param windows if given, the server is also asked for its models' context windows
   */
  constructor(
    private readonly settings: () => Promise<OpenAiOptions>,
    private readonly windows?: ModelWindows,
  ) {}

  /**
   * The tokens of the context window according to the server's list; `undefined` until that has been
   * read, or if it does not say.
   */
  get contextTokens(): number | undefined {
    return this.windows?.of(this.name);
  }

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    const options = await this.settings();
    this.name = options.name;
    checkConfigured(options);
    // Imported here because loading takes a moment, which a window that asks no model need not spend.
    const sdk = await import("openai");
    const connection = new AbortController();
    try {
      const response = await this.open(request, options, sdk, signal, connection.signal);
      const ms = options.timeoutMs ?? defaultTimeoutMs;
      const limit = { ms, tooLate: () => stalled(options, ms) };
      const next = <T>(promise: Promise<T>) => withinTime(promise, signal, limit);
      const chunks = chatChunks(response, { options, sdk, next });
      yield* chatEvents(chunks, idsIn(request), options);
      signal.throwIfAborted();
    } catch (error) {
      signal.throwIfAborted();
      throw modelError(error, options, sdk, request.tools.length > 0);
    } finally {
      connection.abort();
    }
  }

  /** Sends the request, and retries it without the fields that the server turns out not to support. */
  private async open(
    request: ModelRequest,
    options: OpenAiOptions,
    sdk: typeof Sdk,
    signal: AbortSignal,
    connection: AbortSignal,
  ): Promise<Response> {
    const client = clientFor(options, sdk);
    // OpenAI's own list does not give windows. The answer is not awaited; it takes effect once it
    // arrives.
    if (options.baseUrl !== undefined) void this.windows?.read(client, options, connection);
    const without = this.unsupportedBy(options);
    for (;;) {
      const body = chatRequest(request, options, without);
      try {
        const sent = client.chat.completions.create(body, { signal: connection }).asResponse();
        return await withinTime(sent, signal);
      } catch (error) {
        const refused =
          error instanceof sdk.APIError &&
          (error.status === 400 || error.status === 422 || /image input/i.test(error.message));
        if (!refused || !learn(error.message, body, without)) throw error;
      }
    }
  }

  private unsupportedBy({ baseUrl, name }: OpenAiOptions): Unsupported {
    const key = JSON.stringify([baseUrl, name]);
    const plain = modelServerAt(baseUrl ?? openAiAddress)?.plainToolChoice === true;
    const known: Unsupported =
      this.unsupported.get(key) ?? new Set(plain ? (["tool_choice"] as const) : []);
    this.unsupported.set(key, known);
    return known;
  }
}

function checkConfigured(options: OpenAiOptions): void {
  const address = shownAddress(options);
  if (options.name.trim() === "") {
    throw new ModelError(
      "unconfigured",
      "No model is set. Choose one in the settings, or with the variable ROOROO_MODEL on the command line.",
      {},
    );
  }
  if (options.baseUrl === undefined && (options.apiKey ?? "") === "") {
    throw new ModelError(
      "unconfigured",
      "No API key is set for {address}. Use “Set API Key”, or the variable OPENAI_API_KEY on the command line.",
      { address },
    );
  }
}

/** Returns a client that takes nothing from the environment: a key of one address must not reach another. */
function clientFor(options: OpenAiOptions, sdk: typeof Sdk): OpenAI {
  const apiKey = options.apiKey ?? "";
  const { origin, pathname, username, password, searchParams } = new URL(
    options.baseUrl ?? openAiAddress,
  );
  // fetch accepts no name and password in an address, and the client accepts no query.
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const basic = login === ":" ? null : `Basic ${Buffer.from(login).toString("base64")}`;
  return new sdk.OpenAI({
    apiKey: apiKey === "" ? "none" : apiKey,
    baseURL: origin + pathname,
    defaultQuery: Object.fromEntries(searchParams),
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: options.timeoutMs ?? defaultTimeoutMs,
    logLevel: "off",
    ...(apiKey === "" ? { defaultHeaders: { Authorization: basic } } : {}),
  });
}

function stalled(options: OpenAiOptions, ms: number): ModelError {
  return new ModelError(
    "unreachable",
    "{address} stopped answering for {seconds} s in the middle of its answer. Try again, or allow it more time.",
    { address: shownAddress(options), seconds: ms / 1000 },
  );
}

function idsIn({ messages }: ModelRequest): Set<string> {
  return new Set(
    messages.flatMap((message) =>
      message.role === "assistant" ? message.toolCalls.map((call) => call.id) : [],
    ),
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
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever the signal's owner chose
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
