import * as sdk from "@anthropic-ai/sdk";
import type { AnswerLimit } from "../../core/models/answerLimit.js";
import { addressOf } from "../../core/models/serverAddress.js";
import type { ModelEvent, ModelRequest } from "../../core/ports/model.js";
import { messagesEvents } from "./messagesEvents.js";
import { learn, messagesRequest, type MessagesLimits } from "./messagesRequest.js";
import { KnownOf, type ModelWire, type PreparedRequest } from "./modelWire.js";
import { fetchReadably } from "./readableRefusals.js";
import type { ResponseChunk } from "./responseChunks.js";
import { defaultTimeoutMs, type ServerOptions } from "./serverOptions.js";

/** Anthropic's Messages: https://platform.claude.com/docs/en/api/messages. */
export class MessagesWire implements ModelWire {
  readonly errors = sdk;
  private readonly limits = new KnownOf<MessagesLimits>(() => ({ without: new Set() }));

  prepare(request: ModelRequest, options: ServerOptions): PreparedRequest {
    const limits = this.limits.of(options);
    const body = messagesRequest(request, options, limits);
    const client = clientFor(options);
    return {
      send: (connection) => client.messages.create(body, { signal: connection }).asResponse(),
      learn: (refusal) => learn(refusal, body, limits),
    };
  }

  events(
    chunks: AsyncIterable<ResponseChunk | "done">,
    _request: ModelRequest,
    options: ServerOptions,
    limit: AnswerLimit,
  ): AsyncIterable<ModelEvent> {
    return messagesEvents(chunks, options, limit);
  }
}

/** Returns a client that takes no key from the environment: a key of one address must not reach another. */
function clientFor(options: ServerOptions): sdk.Anthropic {
  const { origin, pathname, searchParams } = new URL(addressOf(options));
  return new sdk.Anthropic({
    apiKey: options.apiKey === undefined || options.apiKey === "" ? "none" : options.apiKey,
    // The SDK adds the version to the path itself.
    baseURL: origin + pathname.replace(/\/v1\/?$/, ""),
    defaultQuery: Object.fromEntries(searchParams),
    maxRetries: 0,
    timeout: options.timeoutMs ?? defaultTimeoutMs,
    logLevel: "off",
    fetch: fetchReadably,
    openTelemetry: false,
  });
}
