import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../src/core/ports/model.js";
import type { Answer } from "./chatAnswers.js";

export interface ReceivedRequest {
  readonly headers: IncomingMessage["headers"];
  readonly url: string | undefined;
  readonly body: Record<string, unknown>;
}

/** A server on this machine that gives the answers of a test, one for each request, and keeps the requests. */
export class ScriptedServer {
  answers: Answer[] = [];
  readonly requests: ReceivedRequest[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on("connection", (socket: Socket) => this.sockets.add(socket));
    server.on("request", (request: IncomingMessage, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        const body = JSON.parse(text) as Record<string, unknown>;
        this.requests.push({ headers: request.headers, url: request.url, body });
        const answer = this.answers.shift();
        if (answer) answer(response, body);
        else response.writeHead(500).end("the test's script ends here");
      });
    });
  }

  static async start(): Promise<ScriptedServer> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new ScriptedServer(server);
  }

  /** The address under which a model is asked, as in `http://127.0.0.1:8000/v1`. */
  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, "close");
  }
}

/** Returns all events of a model's answer. */
export async function eventsOf(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.respond(request, signal)) events.push(event);
  return events;
}
