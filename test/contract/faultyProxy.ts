import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What comes instead of a whole answer: a refusal, or a part of the answer with the connection cut after it. */
const faults = ["overloaded", "limited", "nothing", "half", "allButTheEnd"] as const;

/** A server on 127.0.0.1 between a client and a model server, which spoils every fifth answer. */
export class FaultyProxy {
  readonly told = new Set<string>();
  requests = 0;
  url = "";

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly target: string,
  ) {}

  /** @param target the model server's base address */
  static async start(target: string): Promise<FaultyProxy> {
    const server = createServer();
    const proxy = new FaultyProxy(server, target);
    server.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const path = (request.url ?? "").replace(/^\/v1/, "");
        proxy.answer(path, Buffer.concat(chunks), response).catch(() => response.destroy());
      });
    });
    await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
    proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    return proxy;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async answer(path: string, body: Buffer, response: ServerResponse): Promise<void> {
    const at = ++this.requests;
    const fault = at % 5 === 0 ? faults[(at / 5) % faults.length] : undefined;
    if (fault !== undefined) this.told.add(fault);
    if (fault === "overloaded" || fault === "limited") {
      const headers = { "content-type": "application/json", "retry-after": "30" };
      response.writeHead(fault === "limited" ? 429 : 503, headers).end("{}");
      return;
    }
    const headers = { "content-type": "application/json" };
    const answer = await fetch(this.target + path, { method: "POST", headers, body });
    const whole = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "application/json",
    });
    if (fault === undefined) {
      response.end(whole);
      return;
    }
    const part = fault === "nothing" ? 0 : whole.length * (fault === "half" ? 0.5 : 0.9);
    response.write(whole.subarray(0, Math.max(1, Math.floor(part))), () => response.destroy());
  }
}
