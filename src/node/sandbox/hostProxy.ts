import { lookup, type LookupAddress } from "node:dns";
import { closeSync, constants, openSync } from "node:fs";
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import { messageOf } from "../../core/errors.js";
import { isPublicAddress } from "../web/publicAddress.js";

/** The functions with which the proxy reaches hosts. */
export interface HostAccess {
  /** Resolves with all addresses of a name. */
  resolve(name: string): Promise<readonly LookupAddress[]>;
  /** Returns a connection to one address, which may not be open yet. */
  connect(address: string, port: number): Socket;
}

const dnsLookup = promisify(lookup);

const systemAccess: HostAccess = {
  resolve: (name) => dnsLookup(name, { all: true }),
  connect: (address, port) => connect(port, address),
};

const webPorts = [80, 443];

/** The reason why a request is refused, worded for the reader of a tool's error message. */
class Refusal extends Error {}

/**
 * A proxy for one sandboxed command that lets it reach the hosts of a list and nothing else. It listens
 * on a Unix socket, never on a port. A name is resolved once, by the proxy; the connection goes to that
 * very address, and only if the address is one of the internet's.
 *
 * The proxy checks names, not content: a server that serves several sites may be asked for another one
 * within an encrypted connection.
 */
export class HostProxy {
  private readonly open = new Set<Duplex>();

  private constructor(
    private readonly hosts: readonly string[],
    private readonly access: HostAccess,
    private readonly server: Server,
  ) {
    server.on("connection", (socket) => {
      this.keep(socket);
    });
    server.on("connect", (request, socket, head) => {
      void this.tunnel(request, socket, head);
    });
    server.on("request", (request, response) => {
      void this.forward(request, response);
    });
    // An invalid request must not end the host process.
    server.on("clientError", (_error, socket) => {
      socket.destroy();
    });
  }

  /**
   * Starts a proxy that listens on a socket called `proxy.sock`.
   *
   * @param folder the absolute path of the folder for the socket
   * @param hosts names that may be reached; `*.example.test` stands for all names below it
   */
  static async start(
    folder: string,
    hosts: readonly string[],
    access: HostAccess = systemAccess,
  ): Promise<HostProxy> {
    const proxy = new HostProxy(hosts.map(plainName), access, createServer());
    // A socket's path must be short, and the folder's may be long.
    const held = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await new Promise<void>((resolve, reject) => {
        proxy.server.once("error", reject);
        proxy.server.listen({ path: `/proc/self/fd/${held}/proxy.sock` }, resolve);
      });
    } finally {
      closeSync(held);
    }
    return proxy;
  }

  /** Closes the proxy and ends all its connections. May be called more than once. */
  async close(): Promise<void> {
    for (const stream of this.open) stream.destroy();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private async tunnel(request: IncomingMessage, near: Duplex, head: Buffer): Promise<void> {
    try {
      const [, name = "", port = ""] = /^(.+):(\d+)$/.exec(request.url ?? "") ?? [];
      const address = await this.addressOf(name, Number(port));
      const far = this.keep(this.access.connect(address, Number(port)));
      await opened(far);
      near.write("HTTP/1.1 200 Connection established\r\n\r\n");
      far.write(head);
      near.on("close", () => far.destroy());
      far.on("close", () => near.destroy());
      near.pipe(far);
      far.pipe(near);
    } catch (error) {
      const { status, text } = answerTo(error);
      near.end(
        `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${text}`,
      );
    }
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const address = request.url ?? "";
      const url = URL.canParse(address) ? new URL(address) : undefined;
      if (url?.protocol !== "http:")
        throw new Refusal("This proxy forwards http: and CONNECT only.");
      const port = url.port === "" ? 80 : Number(url.port);
      const reached = await this.addressOf(url.hostname, port);
      const sent = sendRequest({
        method: request.method ?? "GET",
        path: `${url.pathname}${url.search}`,
        headers: { ...withoutHops(request), host: url.host },
        createConnection: () => this.keep(this.access.connect(reached, port)),
      });
      sent.on("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      sent.on("error", (error) => {
        refuse(response, error);
      });
      request.pipe(sent);
    } catch (error) {
      refuse(response, error);
    }
  }

  /**
   * Returns the address to connect to. Throws a {@link Refusal} if the host, the port or the address is
   * not allowed.
   */
  private async addressOf(host: string, port: number): Promise<string> {
    const name = plainName(host);
    if (!this.hosts.some((allowed) => isCovered(name, allowed))) {
      const list = this.hosts.length === 0 ? "no host" : this.hosts.join(", ");
      throw new Refusal(`The sandbox may not reach ${name}, only ${list}.`);
    }
    if (!webPorts.includes(port)) {
      throw new Refusal(`The sandbox may reach ports 80 and 443 of ${name} only.`);
    }
    const addresses =
      isIP(name) === 0 ? await this.access.resolve(name) : [{ address: name, family: isIP(name) }];
    const [first] = addresses;
    if (first === undefined) throw new Refusal(`The name ${name} leads nowhere.`);
    if (addresses.some(({ address }) => !isPublicAddress(address))) {
      throw new Refusal(`${name} leads into a private network, which the sandbox may not reach.`);
    }
    return first.address;
  }

  private keep<T extends Duplex>(stream: T): T {
    this.open.add(stream);
    stream.on("error", () => stream.destroy());
    stream.on("close", () => this.open.delete(stream));
    return stream;
  }
}

function isCovered(name: string, allowed: string): boolean {
  return allowed.startsWith("*.") ? name.endsWith(allowed.slice(1)) : name === allowed;
}

/**
 * Returns a host's name in lower case, without a dot at its end and without the brackets around an
 * address.
 */
function plainName(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[(.*)\]$/, "$1");
}

/** Returns the headers without those that are meant for the proxy or for one connection. */
function withoutHops({ headers }: IncomingMessage): IncomingMessage["headers"] {
  const hops = ["connection", "keep-alive", "te", "trailer", "upgrade"];
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith("proxy-") && !hops.includes(name)),
  );
}

function opened(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
}

function refuse(response: ServerResponse, error: unknown): void {
  const { status, text } = answerTo(error);
  if (response.headersSent) response.destroy();
  else response.writeHead(Number(status.slice(0, 3)), { "content-type": "text/plain" }).end(text);
}

function answerTo(error: unknown): { status: string; text: string } {
  if (error instanceof Refusal) return { status: "403 Forbidden", text: `${error.message}\n` };
  return { status: "502 Bad Gateway", text: `${messageOf(error)}\n` };
}
