import { ModelError } from "../../core/errors.js";
import { addressOf, apiOf, keyVariable } from "../../core/models/serverAddress.js";
import { momentText } from "../../core/text/momentText.js";
import { beginningOf } from "../../core/text/wellFormed.js";
import { type ApiError, fieldIn, type SdkErrors, withoutStatus } from "./apiError.js";
import { valueAt } from "./contextTokens.js";
import { type RateLimit, rateLimitOf } from "./rateLimits.js";
import { defaultTimeoutMs, type ServerOptions } from "./serverOptions.js";
import { tooLong } from "./tooLong.js";

/**
 * Turns an error of an SDK into one that says what to do and never contains the key; returns
 * unknown errors as they are.
 *
 * @param request whether it offered tools, and whether an answer had begun
 */
export function modelError(
  error: unknown,
  options: ServerOptions,
  sdk: SdkErrors,
  { hasTools, hasBegun }: { readonly hasTools: boolean; readonly hasBegun: boolean },
): unknown {
  if (error instanceof ModelError) return error;
  const address = shownAddress(options);
  if (error instanceof sdk.APIConnectionTimeoutError) {
    const seconds = (options.timeoutMs ?? defaultTimeoutMs) / 1000;
    return new ModelError(
      "unreachable",
      "{address} did not answer within {seconds} s. Check that it is up, or allow it more time.",
      { address, seconds },
    );
  }
  if (error instanceof sdk.APIConnectionError) {
    // The SDK keeps an error that our `fetch` has thrown as the cause of its own.
    return error.cause instanceof ModelError ? error.cause : noConnection(error, address);
  }
  if (error instanceof sdk.APIError) {
    return refusal(error, options, hasTools);
  }
  // fetch throws this when a connection ends in the middle of a body.
  if (error instanceof TypeError && hasBegun) {
    return new ModelError(
      "brokenResponse",
      "The connection to {address} broke in the middle of the answer. Try again; if it stays like that, check the model's address.",
      { address },
    );
  }
  // And this for a request that cannot be sent as it is: its words may repeat a header, and so the key.
  if (error instanceof TypeError) {
    const { apiKey = "" } = options;
    const cause = apiKey === "" ? error.message : error.message.replaceAll(apiKey, "…");
    return new ModelError(
      "badRequest",
      "The request to {address} could not be sent ({cause}). Check the model's address and its key.",
      { address, cause },
    );
  }
  return error;
}

/** Returns the error of a server whose answer stopped without the event that ends it. */
export function endedEarly(address: string): ModelError {
  return new ModelError(
    "brokenResponse",
    "The answer of {address} ended before its end. Try again; if it stays like that, check the model's address.",
    { address },
  );
}

/** Returns the error of a server that has begun to answer, and says at the end that it has failed. */
export function endedInTheMiddle(address: string): ModelError {
  return new ModelError("server", "{address} failed in the middle of its answer. Try again.", {
    address,
  });
}

/**
 * Returns the model's address without name, password and query, which may be secrets. Throws a
 * `ModelError` if it is not a web address.
 */
export function shownAddress(options: Pick<ServerOptions, "baseUrl" | "api">): string {
  const address = addressOf(options);
  try {
    const url = new URL(address);
    return url.origin + url.pathname.replace(/\/$/, "");
  } catch {
    throw new ModelError(
      "unconfigured",
      "The model's address {address} is not a web address. Set one like http://localhost:11434/v1.",
      { address: JSON.stringify(address) },
    );
  }
}

function noConnection(error: Error, address: string): ModelError {
  const code = causeCode(error, address);
  switch (code) {
    case "ECONNREFUSED":
      return new ModelError(
        "unreachable",
        "Nothing answers at {address}. Start the model's server, or correct its address.",
        { address },
      );
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new ModelError(
        "unreachable",
        "The name of {address} cannot be found. Check the address and the network.",
        { address },
      );
    case undefined:
      return new ModelError(
        "unreachable",
        "No connection to {address}. Check the address and the network.",
        { address },
      );
    default:
      return code.includes("CERT") || code.includes("SIGN") || code.includes("TLS")
        ? new ModelError(
            "unreachable",
            "The certificate of {address} is not trusted ({cause}). Check the address, or make the system trust it.",
            { address, cause: code },
            { passing: false },
          )
        : new ModelError(
            "unreachable",
            "No connection to {address} ({cause}). Check the address, the network, and the proxy if there is one.",
            { address, cause: code },
          );
  }
}

function refusal(error: ApiError, options: ServerOptions, hasTools: boolean): ModelError {
  const { status } = error;
  const address = shownAddress(options);
  const reply = serverReply(error, options);
  const model = JSON.stringify(options.name);
  const limit = rateLimitOf(error);
  const asked = {
    ...limit,
    ...(error.headers?.get("x-should-retry") === "false" ? { passing: false } : {}),
  };
  const isUnpaid = hasNoCredit(error);
  const isForbidden = status === 403 && !isUnpaid;
  const forbidden = isForbidden ? forbiddenFor(error, options) : undefined;
  if (forbidden === "region" || (status === 400 && refusesPlace.test(error.message))) {
    return new ModelError(
      "unauthorised",
      "{address} does not serve the model {model} here ({status}).{reply} Use another model or server.",
      { address, model, status: status ?? 400, reply },
    );
  }
  if (forbidden === "content") {
    return new ModelError(
      "badRequest",
      "{address} refuses what the request says (403).{reply} Change it, or use another model.",
      { address, reply },
    );
  }
  if (forbidden === "other") {
    return new ModelError(
      "unauthorised",
      "{address} does not allow this request (403).{reply} Check what the key and the account may use.",
      { address, reply },
    );
  }
  if (status === 401 || isForbidden || (status === 400 && refusesKey.test(error.message))) {
    const { keyVariable: variable = keyVariable(options) } = options;
    if (variable === "") {
      return new ModelError(
        "unauthorised",
        "{address} refuses the API key, or there is none ({status}).{reply} Use “Set API Key”; for the command line, name the key's variable as “keyVariable” in the model's profile.",
        { address, status, reply },
      );
    }
    return (options.apiKey ?? "") === ""
      ? new ModelError(
          "unauthorised",
          "{address} wants an API key and none is set ({status}).{reply} Use “Set API Key”, or the variable {variable} on the command line.",
          { address, status, variable, reply },
        )
      : new ModelError(
          "unauthorised",
          "{address} refuses the API key ({status}).{reply} Use “Set API Key”, or the variable {variable} on the command line.",
          { address, status, variable, reply },
        );
  }
  if (hasTools && refusesTools(error)) return toolsUnsupported(error, options);
  const long = tooLong(error);
  if (long !== undefined) {
    return new ModelError(
      "contextTooLong",
      "The conversation is too long for {model}.{reply} Start a new task, or use a model with a larger context.",
      { model, reply: reply },
      { contextTokens: long.window, requestTokens: long.asked },
    );
  }
  if (status === 404 && new URL(address).pathname === "/" && apiOf(options) !== "messages") {
    return new ModelError(
      "notFound",
      "{address} does not know the model {model}, or the address is wrong (404).{reply} Most servers' addresses end with /v1: try {longer}.",
      { address, model, reply, longer: `${address}/v1` },
    );
  }
  if (status === 404) {
    return new ModelError(
      "notFound",
      "{address} does not know the model {model}, or the address is wrong (404).{reply} Check both.",
      { address, model, reply: reply },
    );
  }
  if (status === 402 && /afford|fewer max_tokens/i.test(error.message)) {
    return new ModelError(
      "rateLimited",
      'The account at {address} has too little credit for so long an answer (402).{reply} Set "rooroo.model.maxOutputTokens" lower, add credit, or use another model.',
      { address, reply },
      { passing: false },
    );
  }
  if (status === 402 || isUnpaid) {
    return new ModelError(
      "rateLimited",
      "The account at {address} has no credit left ({status}).{reply} Add some, or use another model.",
      { address, status: status ?? "no status", reply },
      { passing: false },
    );
  }
  if (status === 429) return limited({ address, reply }, asked);
  if (status === undefined || status >= 500 || passingStatuses.has(status)) {
    const number = status === undefined ? "" : ` (${status})`;
    return new ModelError(
      "server",
      "{address} failed{status}.{reply} Try again in a moment, or use another model.",
      { address, status: number, reply: reply },
      asked,
    );
  }
  return new ModelError(
    "badRequest",
    "{address} refused the request ({status}).{reply} Check the model's settings.",
    { address, status, reply: reply },
  );
}

/** Returns the error of a server that takes no tool. */
export function toolsUnsupported(error: ApiError, options: ServerOptions): ModelError {
  return new ModelError(
    "toolsUnsupported",
    '{address} cannot give tools to the model {model}.{reply} Choose another model, or set "rooroo.model.dialect" to "envelope".',
    {
      address: shownAddress(options),
      model: JSON.stringify(options.name),
      reply: serverReply(error, options),
    },
  );
}

/**
 * Returns whether a server that has no status of its own for that says that the account has no credit left: OpenAI,
 * Moonshot, Alibaba (400) and One API (403) by a code or type, Z.ai (429), MiniMax and Anthropic (400) in words. Gemini's
 * words for every limit speak of “billing” and “quota”.
 */
function hasNoCredit({ code, type, message }: ApiError): boolean {
  return (
    /^(insufficient_(user_)?quota|Arrearage)$/.test(code ?? "") ||
    type === "exceeded_current_quota_error" ||
    /insufficient (account )?(balance|credit|funds)|credit balance is too low|余额不足/i.test(
      message,
    )
  );
}

/** Returns the error of a limit that is used up, which says until when. */
function limited(
  said: { readonly address: string; readonly reply: string },
  asked: RateLimit & { readonly passing?: boolean },
): ModelError {
  const { retryAfterMs, isForDay } = asked;
  if (retryAfterMs !== undefined && retryAfterMs > toldFromMs) {
    return new ModelError(
      "rateLimited",
      "{address} takes no more requests until {time} (429).{reply} Try again then, or use another model.",
      { ...said, time: momentText(new Date(Date.now() + retryAfterMs)) },
      asked,
    );
  }
  if (retryAfterMs === undefined && isForDay) {
    return new ModelError(
      "rateLimited",
      "{address} takes no more requests for today (429), and does not say until when.{reply} Try again later, or use another model.",
      said,
      asked,
    );
  }
  return new ModelError(
    "rateLimited",
    "{address} takes no more requests for now (429).{reply} Wait a moment, then try again.",
    said,
    asked,
  );
}

/** The words with which Gemini and xAI refuse a key by 400. */
const refusesKey = /\bAPI key (is )?(not valid|invalid|expired)|\b(invalid|incorrect) API key\b/i;

/** The words with which Gemini refuses the place of whoever asks by 400. */
const refusesPlace = /\b(user )?location is not supported\b/i;

/** Returns what a server forbids, going by its words; `undefined` if that is the key, or it does not say. */
function forbiddenFor(
  { message, error }: ApiError,
  { apiKey = "" }: ServerOptions,
): "region" | "content" | "other" | undefined {
  const said = withoutStatus(message);
  const words = apiKey === "" ? said : said.replaceAll(apiKey, "");
  if (words.trim() === "" || words.startsWith("<") || words.includes("status code (no body)"))
    return undefined;
  if (/\b(region|country|countries|territory|location)\b/i.test(words)) return "region";
  if (/moderat|flagged|content.?(policy|filter)|safety|harmful/i.test(words)) return "content";
  if (fieldIn(error, "flagged_input") !== undefined) return "content";
  // OpenRouter: the key is valid, and what it may spend is spent.
  if (/\blimit exceeded\b/i.test(words)) return "other";
  return /api.?key|\bkey\b|token|credential|authenti|unauthori[sz]ed/i.test(words)
    ? undefined
    : "other";
}

/** Status codes of timeouts and conflicts; a retry may succeed. */
const passingStatuses: ReadonlySet<number> = new Set([408, 409, 425]);

/**
 * Returns whether the server says that this model cannot be given tools, in the words of Ollama, vLLM,
 * OpenRouter, llama.cpp, Gemini and DeepSeek; they share no error code for it.
 */
function refusesTools({ status, message }: ApiError): boolean {
  if (status === undefined || status === 429) return false;
  // Only a way of choosing among the tools is refused.
  if (message.includes("tool_choice")) return false;
  return (
    /(not|n't) support(ed)?\b[^.]{0,40}\b(tool|function)/i.test(message) ||
    /\b(tools?|functions?)\b[^.]{0,30}\b(not|n't) (be )?(supported|available|enabled)/i.test(
      message,
    ) ||
    /support tool use/i.test(message) ||
    /--enable-auto-tool-choice|--tool-call-parser|--jinja/i.test(message)
  );
}

/**
 * Returns the server's own message as a sentence, without the key that it may repeat; empty for a web
 * page.
 */
function serverReply({ error, message }: ApiError, { apiKey }: ServerOptions): string {
  // OpenAI's SDK gives the inner object, Anthropic's the whole body.
  const given = valueAt(error, ["message"]) ?? valueAt(error, ["error", "message"]);
  let reply = withoutStatus(typeof given === "string" ? given : message).trim();
  // An empty body of JSON says nothing either.
  const isEmpty = /^[[\]{}\s]*$/.test(reply);
  if (isEmpty || reply.startsWith("<") || reply.includes("status code (no body)")) return "";
  if (apiKey !== undefined && apiKey !== "") reply = reply.replaceAll(apiKey, "…");
  // Another key than the one that was sent, as a gateway may name it.
  reply = reply.replace(/\b(sk|gsk|xai|AIza|Bearer )[-_A-Za-z0-9.]{16,}/g, "…");
  const words = beginningOf(reply.replace(/\s+/g, " "), 300);
  return ` It says: ${words}${/[.!?…]$/.test(words) ? "" : "."}`;
}

/** Waits from this on are told with the time at which they end. */
const toldFromMs = 2 * 60_000;

/** Returns the code of what failed; its words if that was not the server, but a proxy on the way to it. */
function causeCode(error: Error, address: string): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    // Node throws this when it has tried several addresses of a name.
    if (at instanceof AggregateError && at.errors[0] instanceof Error) {
      return causeCode(at.errors[0], address);
    }
    if ("code" in at && typeof at.code === "string") {
      return isOnTheWay(at, address) ? at.message : at.code;
    }
  }
  return undefined;
}

function isOnTheWay(failure: object, address: string): boolean {
  const { code, hostname, port } = failure as Readonly<Record<string, unknown>>;
  // With these, undici tells what a proxy has refused.
  if (code === "UND_ERR_ABORTED" || code === "UND_ERR_INVALID_ARG") return true;
  const server = new URL(address);
  if (hostname !== undefined) return hostname !== server.hostname;
  const own = Number(server.port) || (server.protocol === "https:" ? 443 : 80);
  return port !== undefined && port !== own;
}
