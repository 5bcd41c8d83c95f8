import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A web server on 127.0.0.1 that does what one function says, and keeps what it was asked. */
export class WebServer {
  readonly asked: { readonly url: string; readonly headers: IncomingMessage["headers"] }[] = [];

  private constructor(
    private readonly server: Server,
    readonly host: string,
  ) {}

  static async start(handler: Handler): Promise<WebServer> {
    const server = createServer();
    await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
    const { port } = server.address() as AddressInfo;
    const web = new WebServer(server, `127.0.0.1:${port}`);
    server.on("request", (request, response) => {
      web.asked.push({ url: request.url ?? "", headers: request.headers });
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        handler(request, response, body);
      });
    });
    return web;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}
