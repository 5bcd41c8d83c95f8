import type { AnswerLimit } from "../../core/models/answerLimit.js";
import type { ModelEvent, ModelRequest } from "../../core/ports/model.js";
import type { SdkErrors } from "./apiError.js";
import type { ResponseChunk } from "./responseChunks.js";
import type { ServerOptions } from "./serverOptions.js";

/** One API by which models are asked: how a request is written, and how its streamed answer is read. */
export interface ModelWire {
  /** The classes of the errors of the SDK that sends the requests. */
  readonly errors: SdkErrors;
  /** Writes a request without the fields that the server is known not to support. */
  prepare(request: ModelRequest, options: ServerOptions): PreparedRequest;
  /**
   * Translates the chunks of an answer into events. Tool calls, usage and the finish reason come last.
   *
   * @param limit is told of all that the model writes
   * @throws `ModelError` if the stream is no answer or breaks off
   */
  events(
    chunks: AsyncIterable<ResponseChunk | "done">,
    request: ModelRequest,
    options: ServerOptions,
    limit: AnswerLimit,
  ): AsyncIterable<ModelEvent>;
}

export interface PreparedRequest {
  /**
   * Sends it, and resolves to the response once its headers are there.
   *
   * @throws an error of the SDK
   */
  send(connection: AbortSignal): Promise<Response>;
  /**
   * Notes which of its fields a refusal names, so that the next request does without them. Returns whether there is
   * one, so that the next one may succeed.
   */
  learn(refusal: string): boolean;
}

/** What a wire knows of a model on a server, by what it has refused. */
export class KnownOf<T> {
  private readonly known = new Map<string, T>();

  constructor(private readonly initial: (options: ServerOptions) => T) {}

  of(options: ServerOptions): T {
    const key = JSON.stringify([options.baseUrl, options.name]);
    const known = this.known.get(key) ?? this.initial(options);
    this.known.set(key, known);
    return known;
  }
}
