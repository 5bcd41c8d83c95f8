import * as sdk from "openai";
import type { AnswerLimit } from "../../core/models/answerLimit.js";
import { modelServerAt } from "../../core/models/modelServers.js";
import { addressOf } from "../../core/models/serverAddress.js";
import type { ModelEvent, ModelRequest } from "../../core/ports/model.js";
import { chatEvents } from "./chatEvents.js";
import { chatRequest, learn, type Unsupported } from "./chatRequest.js";
import { KnownOf, type ModelWire, type PreparedRequest } from "./modelWire.js";
import { openAiClient } from "./openAiClient.js";
import type { ResponseChunk } from "./responseChunks.js";
import type { ServerOptions } from "./serverOptions.js";

/** OpenAI's Chat Completions, which most servers speak: https://platform.openai.com/docs/api-reference/chat. */
export class ChatWire implements ModelWire {
  readonly errors = sdk;
  private readonly unsupported = new KnownOf<Unsupported>((options) => {
    const isPlain = modelServerAt(addressOf(options))?.plainToolChoice === true;
    return new Set(isPlain ? (["tool_choice"] as const) : []);
  });

  prepare(request: ModelRequest, options: ServerOptions): PreparedRequest {
    const without = this.unsupported.of(options);
    const body = chatRequest(request, options, without);
    const client = openAiClient(options, sdk, options.timeoutMs);
    return {
      send: (connection) =>
        client.chat.completions.create(body, { signal: connection }).asResponse(),
      learn: (refusal) => learn(refusal, body, without),
    };
  }

  events(
    chunks: AsyncIterable<ResponseChunk | "done">,
    request: ModelRequest,
    options: ServerOptions,
    limit: AnswerLimit,
  ): AsyncIterable<ModelEvent> {
    return chatEvents(chunks, callIdsIn(request), options, limit);
  }
}

/** Returns the ids of the tool calls that are in the conversation already. */
function callIdsIn({ messages }: ModelRequest): Set<string> {
  return new Set(
    messages.flatMap((message) =>
      message.role === "assistant" ? message.toolCalls.map((call) => call.id) : [],
    ),
  );
}
