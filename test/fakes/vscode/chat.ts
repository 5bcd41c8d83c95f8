import type * as real from "vscode";
import { CancellationTokenSource, EventEmitter } from "./events.js";

export class ChatRequestTurn {
  constructor(
    readonly prompt: string,
    readonly command: string | undefined,
    readonly references: readonly unknown[],
    readonly participant: string,
  ) {}
}
export class ChatResponseTurn {
  constructor(
    readonly response: readonly unknown[],
    readonly result: unknown,
    readonly participant: string,
    readonly command?: string,
  ) {}
}
export class ChatResponseMarkdownPart {
  constructor(readonly value: unknown) {}
}

/** One thing that a participant wrote: what, and with which words. */
interface Written {
  readonly kind: string;
  readonly args: readonly unknown[];
}

/** The participants of VS Code's chat, and a way to ask them. */
export class Chat {
  private readonly handlers = new Map<string, real.ChatRequestHandler>();

  /** Asks a participant as a person does in the chat. */
  async ask(
    id: string,
    request: Partial<real.ChatRequest>,
    context: Partial<real.ChatContext> = {},
    token: real.CancellationToken = new CancellationTokenSource().token,
  ) {
    const handler = this.handlers.get(id);
    if (handler === undefined) throw new Error(`No participant ${id} is registered.`);
    const written: Written[] = [];
    const stream = new Proxy({} as real.ChatResponseStream, {
      get:
        (_, kind) =>
        (...args: unknown[]) => {
          written.push({ kind: String(kind), args });
        },
    });
    const all = { prompt: "", command: undefined, references: [], toolReferences: [], ...request };
    const result = await handler(
      all as unknown as real.ChatRequest,
      { history: [], ...context },
      stream,
      token,
    );
    return { written, result };
  }

  get api() {
    return {
      createChatParticipant: (id: string, handler: real.ChatRequestHandler) => {
        this.handlers.set(id, handler);
        return {
          id,
          requestHandler: handler,
          onDidReceiveFeedback: new EventEmitter<never>().event,
          dispose: () => {
            this.handlers.delete(id);
          },
        };
      },
    } satisfies Partial<typeof real.chat>;
  }
}
