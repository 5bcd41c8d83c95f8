import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { HostProxy, type HostAccess } from "../../src/node/sandbox/hostProxy.js";
import { describeSandboxed, noNetwork } from "./sandboxed.js";
import { temporaryFolder } from "./temporaryFolder.js";

const hosts = ["allowed.test", "*.below.test", "inside.test", "nowhere.test"];

/** Names lead to addresses of the internet, and connections to one server on this machine. */
function accessOf(port: number): HostAccess & { readonly asked: string[] } {
  const asked: string[] = [];
  const addresses: Readonly<Record<string, string>> = {
    "inside.test": "192.168.1.1",
    "10.0.0.1": "10.0.0.1",
  };
  return {
    asked,
    resolve: (name) => {
      if (name === "nowhere.test") return Promise.resolve([]);
      return Promise.resolve([{ address: addresses[name] ?? "8.8.8.8", family: 4 }]);
    },
    connect: (address, toPort) => {
      asked.push(`${address}:${toPort}`);
      return connect(port, "127.0.0.1");
    },
  };
}

async function listening() {
  const server = createServer((got, answer) =>
    answer.end(`${got.method} ${got.headers.host} ${got.url}`),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

describe("HostProxy", () => {
  const folder = temporaryFolder();
  let server: Awaited<ReturnType<typeof listening>>["server"];
  let world: ReturnType<typeof accessOf>;
  let proxy: HostProxy;
  beforeEach(async () => {
    const listener = await listening();
    server = listener.server;
    world = accessOf(listener.port);
    proxy = await HostProxy.start(folder.path, hosts, world);
  });
  afterEach(async () => {
    await proxy.close();
    server.close();
  });

  const ask = async (options: { method: string; path: string }) => {
    const sent = request({ ...options, socketPath: join(folder.path, "proxy.sock") });
    sent.setHeader("host", "forged.test");
    sent.setHeader("proxy-authorization", "secret");
    sent.end();
    const [answer] = (await once(sent, options.method === "CONNECT" ? "connect" : "response")) as [
      IncomingMessage,
    ];
    const status = answer.statusCode;
    if (options.method === "CONNECT") {
      answer.socket.destroy();
      return { status, said: "" };
    }
    return { status, said: await text(answer) };
  };

  it("forwards to a host of its list, by the address that it has looked up", async () => {
    const { status, said } = await ask({ method: "GET", path: "http://allowed.test/a?b" });
    assert.deepEqual([status, said], [200, "GET allowed.test /a?b"]);
    assert.deepEqual(world.asked, ["8.8.8.8:80"]);
  });

  it("makes a tunnel to a host of its list", async () => {
    assert.equal((await ask({ method: "CONNECT", path: "a.below.test:443" })).status, 200);
    assert.equal((await ask({ method: "CONNECT", path: "ALLOWED.test.:443" })).status, 200);
    assert.deepEqual(world.asked, ["8.8.8.8:443", "8.8.8.8:443"]);
  });

  it("refuses any other name, port and kind of address, and private networks", async () => {
    const tunnels = [
      "other.test:443",
      "below.test:443",
      "xallowed.test:443",
      "allowed.test.evil.test:443",
      "allowed.test:22",
      "inside.test:443",
      "nowhere.test:443",
      "10.0.0.1:443",
      "[::1]:443",
      "allowed.test",
    ];
    for (const path of tunnels) {
      assert.equal((await ask({ method: "CONNECT", path })).status, 403, path);
    }
    for (const path of [
      "http://other.test/",
      "https://allowed.test/",
      "ftp://allowed.test/",
      "/",
    ]) {
      assert.equal((await ask({ method: "GET", path })).status, 403, path);
    }
    assert.deepEqual(world.asked, []);
    const { said } = await ask({ method: "GET", path: "http://other.test/" });
    assert.match(said, /may not reach other\.test, only allowed\.test/);
  });
});

await describeSandboxed("Sandbox: named hosts", (world) => {
  it("are reached through the proxy, and others are not", async () => {
    const { server, port } = await listening();
    const hostAccess = accessOf(port);
    const script = `
      const ask = (url) => new Promise((done) => {
        const proxy = new URL(process.env.http_proxy);
        require("http").get({ host: proxy.hostname, port: proxy.port, path: url }, (answer) => {
          answer.setEncoding("utf8").on("data", (text) => console.log(answer.statusCode, text.trim())).on("end", done);
        });
      });
      ask("http://allowed.test/a").then(() => ask("http://other.test/"));
      require("net").connect(${port}, "127.0.0.1").on("error", ({ code }) => console.log(code));`;
    try {
      const { output } = await world.run(`"${process.execPath}" -e '${script}'`, {
        sandbox: { ...noNetwork, network: { hosts: ["allowed.test"] } },
        options: { hostAccess },
      });
      assert.deepEqual(output.trim().split("\n").sort(), [
        "200 GET allowed.test /a",
        "403 The sandbox may not reach other.test, only allowed.test.",
        "ECONNREFUSED",
      ]);
      assert.deepEqual(hostAccess.asked, ["8.8.8.8:80"]);
    } finally {
      server.close();
    }
  });
});
