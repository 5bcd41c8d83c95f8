import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A refusal, or a part of the answer with the connection cut after it. */
const passing = ["overloaded", "limited", "nothing", "half", "allButTheEnd"] as const;
/**
 * What gateways and models answer with as well: a web page, an answer without a byte, one that comes byte by byte, and one that
 * does not end.
 */
export const gatewayFaults = [...passing, "page", "empty", "slow", "endless"] as const;
type Fault = (typeof gatewayFaults)[number];

/** A server on 127.0.0.1 between a client and a model server, which spoils every fifth answer. */
export class FaultyProxy {
  readonly told = new Set<string>();
  requests = 0;
  url = "";

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly target: string,
    private readonly faults: readonly Fault[],
  ) {}

  /**
   * @param target the model server's base address
   * @param faults what comes instead of answers, in turns
   */
  static async start(target: string, faults: readonly Fault[] = passing): Promise<FaultyProxy> {
    const server = createServer();
    const proxy = new FaultyProxy(server, target, faults);
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
    const fault = at % 5 === 0 ? this.faults[(at / 5) % this.faults.length] : undefined;
    if (fault !== undefined) this.told.add(fault);
    if (fault === "overloaded" || fault === "limited") {
      const headers = { "content-type": "application/json", "retry-after": "30" };
      response.writeHead(fault === "limited" ? 429 : 503, headers).end("{}");
      return;
    }
    if (fault === "page") {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<!doctype html><title>Back soon</title><p>We are back soon.</p>");
      return;
    }
    if (fault === "empty") {
      response.writeHead(200, { "content-type": "text/event-stream" }).end();
      return;
    }
    if (fault === "endless") {
      await wordsWithoutEnd(response);
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
    if (fault === "slow") {
      for (const byte of whole) {
        response.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
      return;
    }
    const part = fault === "nothing" ? 0 : whole.length * (fault === "half" ? 0.5 : 0.9);
    response.write(whole.subarray(0, Math.max(1, Math.floor(part))), () => response.destroy());
  }
}

/** Streams words, as Chat Completions have them, until the client hangs up. */
async function wordsWithoutEnd(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = { choices: [{ index: 0, delta: { content: "and so on, ".repeat(500) } }] };
  const event = `data: ${JSON.stringify(chunk)}\n\n`;
  const isGone = new Promise((resolve) => response.once("close", resolve));
  while (!response.closed && !response.destroyed) {
    if (response.write(event)) await new Promise((resolve) => setImmediate(resolve));
    else await Promise.race([isGone, new Promise((resolve) => response.once("drain", resolve))]);
  }
}
