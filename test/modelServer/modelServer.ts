import { type ChatCompletionRequest, LLMock } from "@copilotkit/aimock";

/** What the server answers a request with. */
export type Reply =
  | {
      readonly say?: string;
      readonly calls?: readonly { readonly name: string; readonly args: object }[];
    }
  | { readonly refuse: number; readonly message: string }
  /** Says nothing until the promise resolves. */
  | { readonly after: Promise<unknown>; readonly then: Reply };

export const call = (name: string, args: object): Reply => ({ calls: [{ name, args }] });

export const triage = (route: string, args: object = {}): Reply =>
  call("triage", { route, reason: "test", ...args });

export const report = (status: string, message: string, more: object = {}): Reply =>
  call("attempt_completion", { status, message, ...more });

/** Returns the id of the task that a request is about. */
export function taskIdIn(request: ChatCompletionRequest): string {
  const [taskId] = /ROO#[A-Z]+_\w+/.exec(JSON.stringify(request.messages[1])) ?? [];
  if (taskId === undefined) throw new Error("no task id in the request");
  return taskId;
}

/** A reply, or what makes one of the request. */
export type Scripted = Reply | ((request: ChatCompletionRequest) => Reply);

/** An OpenAI-compatible server on 127.0.0.1 that answers with the next reply of a script. */
export class ModelServer {
  readonly #server = new LLMock({ host: "127.0.0.1", port: 0 });
  #script: Scripted[] = [];
  #stopped = false;
  readonly requests: ChatCompletionRequest[] = [];

  private constructor() {
    this.#server.on({ endpoint: "chat" }, async (request) => {
      this.requests.push(request);
      const next = this.#script.shift() ?? { refuse: 400, message: "The test's script ends here." };
      return wire(typeof next === "function" ? next(request) : next);
    });
  }

  static async start(): Promise<ModelServer> {
    const server = new ModelServer();
    await server.#server.start();
    return server;
  }

  /** The server's address, for `rooroo.model.baseUrl`. */
  get url(): string {
    return `${this.#server.url}/v1`;
  }

  /** Replies that were not asked for. */
  get left(): number {
    return this.#script.length;
  }

  /** Answers the next requests, in order; what an earlier script left over is forgotten. */
  script(...replies: readonly Scripted[]): void {
    this.#script = [...replies];
    this.requests.length = 0;
  }

  /** Stops the server; may be called again. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    await this.#server.stop();
  }
}

type Wire = Awaited<ReturnType<Extract<Parameters<LLMock["on"]>[1], (...args: never) => unknown>>>;

async function wire(reply: Reply): Promise<Wire> {
  if ("after" in reply) {
    await reply.after;
    return wire(reply.then);
  }
  if ("refuse" in reply) return { error: { message: reply.message }, status: reply.refuse };
  const toolCalls = (reply.calls ?? []).map(({ name, args }) => ({
    name,
    arguments: JSON.stringify(args),
  }));
  if (toolCalls.length === 0) return { content: reply.say ?? "" };
  return reply.say === undefined ? { toolCalls } : { content: reply.say, toolCalls };
}
