import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A refusal, or a part of the answer with the connection cut after it. */
const passing = ["overloaded", "limited", "nothing", "half", "allButTheEnd"] as const;
/** Answers that do not end, by the event of which they consist: words, no words, or a comment as a sign of life. */
const withoutEnd = {
  endless: dataEvent({ content: "and so on, ".repeat(500) }),
  blank: dataEvent({ content: "" }).repeat(50),
  alive: ": still here\n\n".repeat(500),
} as const;
/**
 * What gateways and models answer with as well: a web page, an answer without a byte, one that comes byte by byte, and some that
 * do not end.
 */
export const gatewayFaults = [
  ...passing,
  "page",
  "empty",
  "slow",
  "endless",
  "blank",
  "alive",
] as const;
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
    private readonly isSpared: (request: string) => boolean,
  ) {}

  /**
   * @param target the model server's base address
   * @param faults what comes instead of answers, in turns
   * @param isSpared returns whether the request with this body is answered as it should be, and not counted
   */
  static async start(
    target: string,
    faults: readonly Fault[] = passing,
    isSpared: (request: string) => boolean = () => false,
  ): Promise<FaultyProxy> {
    const server = createServer();
    const proxy = new FaultyProxy(server, target, faults, isSpared);
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
    const isSpared = this.isSpared(String(body));
    const at = isSpared ? 1 : ++this.requests;
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
    if (fault === "endless" || fault === "blank" || fault === "alive") {
      await sendWithoutEnd(withoutEnd[fault], response);
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

function dataEvent(delta: object): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
}

/** Streams the same events, as Chat Completions have them, until the client hangs up. */
async function sendWithoutEnd(events: string, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const isGone = new Promise((resolve) => response.once("close", resolve));
  while (!response.closed && !response.destroyed) {
    if (response.write(events)) await new Promise((resolve) => setImmediate(resolve));
    else await Promise.race([isGone, new Promise((resolve) => response.once("drain", resolve))]);
  }
}
