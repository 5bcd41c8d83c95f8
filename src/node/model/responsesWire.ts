import * as sdk from "openai";
import type { AnswerLimit } from "../../core/models/answerLimit.js";
import type { ModelEvent, ModelRequest } from "../../core/ports/model.js";
import { KnownOf, type ModelWire, type PreparedRequest } from "./modelWire.js";
import { openAiClient } from "./openAiClient.js";
import { asApiError, type ResponseChunk } from "./responseChunks.js";
import { responsesEvents } from "./responsesEvents.js";
import { learn, responsesRequest, type Unsupported } from "./responsesRequest.js";
import type { ServerOptions } from "./serverOptions.js";

/** OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses. Nothing is stored at the server. */
export class ResponsesWire implements ModelWire {
  readonly errors = sdk;
  private readonly unsupported = new KnownOf<Unsupported>(() => new Set());

  prepare(request: ModelRequest, options: ServerOptions): PreparedRequest {
    const without = this.unsupported.of(options);
    const body = responsesRequest(request, options, without);
    const client = openAiClient(options, sdk, options.timeoutMs);
    return {
      send: (connection) => client.responses.create(body, { signal: connection }).asResponse(),
      learn: (refusal) => learn(refusal, body, without),
    };
  }

  events(
    chunks: AsyncIterable<ResponseChunk | "done">,
    _request: ModelRequest,
    options: ServerOptions,
    limit: AnswerLimit,
  ): AsyncIterable<ModelEvent> {
    const asError = (told: unknown) => asApiError(told, new Headers(), sdk);
    return responsesEvents(chunks, options, limit, asError);
  }
}
