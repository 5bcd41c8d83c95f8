import { type IncomingMessage } from "node:http";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../src/core/ports/model.js";
import type { Answer } from "./chatAnswers.js";
export interface ReceivedRequest {
  readonly headers: IncomingMessage["headers"];
  readonly url: string | undefined;
  readonly body: Record<string, unknown>;
}
/** A server on this machine that gives the answers of a test, one for each request, and keeps the requests. */
export declare class ScriptedServer {
  private readonly server;
  answers: Answer[];
  readonly requests: ReceivedRequest[];
  private readonly sockets;
  private constructor();
  static start(): Promise<ScriptedServer>;
  /** The address under which a model is asked, as in `http://127.0.0.1:8000/v1`. */
  get address(): string;
  stop(): Promise<void>;
}
/** Returns all events of a model's answer. */
export declare function eventsOf(
  model: LanguageModel,
  request: ModelRequest,
  signal?: AbortSignal,
): Promise<ModelEvent[]>;
