import type { ToolCall, Usage } from "../../src/core/ports/messages.js";
import type {
  FinishReason,
  LanguageModel,
  ModelEvent,
  ModelRequest,
  PartsRefused,
} from "../../src/core/ports/model.js";
import { scripted } from "./assertedInScript.js";

/** One response, in short. */
export interface ScriptedResponse {
  /** A list is streamed piece by piece. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  /** `arguments` may be the object itself; an id is made where there is none. */
  readonly toolCalls?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly arguments: unknown;
  }[];
  readonly usage?: Usage;
  /** The parts of the request that the server has refused before it answered. */
  readonly refused?: PartsRefused;
  readonly finish?: FinishReason;
  /** Thrown after everything above. */
  readonly error?: Error;
}

export type ModelScript =
  | ScriptedResponse
  | ((request: ModelRequest, signal: AbortSignal) => ScriptedResponse | Promise<ScriptedResponse>);

/** Answers with the next script of a list, or whatever one function makes of each request. */
export class ScriptedModel implements LanguageModel {
  readonly name = "scripted";
  readonly requests: ModelRequest[] = [];
  private calls = 0;

  constructor(private readonly scripts: readonly ModelScript[] | ModelScript) {}

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    // The messages of a request grow with the conversation; a test looks at them as they were.
    this.requests.push({ ...request, messages: [...request.messages] });
    signal.throwIfAborted();
    const script = Array.isArray(this.scripts)
      ? (this.scripts as readonly ModelScript[])[this.requests.length - 1]
      : (this.scripts as ModelScript);
    if (!script) throw new Error(`no script for request ${this.requests.length}`);
    const response =
      typeof script === "function" ? await scripted(() => script(request, signal)) : script;

    signal.throwIfAborted();
    if (response.refused) yield response.refused;
    if (response.reasoning !== undefined) yield { type: "reasoning", text: response.reasoning };
    for (const text of pieces(response.text)) {
      yield { type: "text", text };
      signal.throwIfAborted();
    }
    for (const call of response.toolCalls ?? []) yield { type: "toolCall", call: this.call(call) };
    if (response.usage) yield { type: "usage", usage: response.usage };
    if (response.error) throw response.error;
    yield {
      type: "finish",
      reason: response.finish ?? (response.toolCalls ? "toolCalls" : "stop"),
    };
  }

  private call(script: { id?: string; name: string; arguments: unknown }): ToolCall {
    this.calls++;
    return {
      id: script.id ?? `call_${this.calls}`,
      name: script.name,
      arguments:
        typeof script.arguments === "string" ? script.arguments : JSON.stringify(script.arguments),
    };
  }
}

/** Returns a model that never answers: it waits until it is stopped. */
export function neverAnswers(started?: () => void): ModelScript {
  return (_request, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the port says: the signal's reason
        reject(signal.reason);
      });
      started?.();
    });
}

function pieces(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return typeof text === "string" ? [text] : text;
}

/** Returns whether a tool's result says that the file is as the call wants it: written now, or before a crash. */
export function saysWritten(result: string): boolean {
  return /^(Created|Replaced) |has this content already/.test(result);
}
