import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { sendFollowingProxy } from "../../src/cli/session/followProxy.js";
import { UserError } from "../../src/core/errors.js";
import { HttpWeb, type HttpWebOptions } from "../../src/node/web/httpWeb.js";
import { WebServer } from "./webServer.js";

const never = new AbortController().signal;

/** What each path of the server answers. */
const paths: Record<string, (response: ServerResponse) => void> = {
  "/page": (response) => {
    response.setHeader("content-type", "text/html; charset=iso-8859-1");
    response.end(Buffer.from("<title>T&amp;U</title><main><h2>Caf\u00e9</h2></main>", "latin1"));
  },
  "/json": (response) => {
    response.setHeader("content-type", "application/vnd.api+json");
    response.end('{"a":1}');
  },
  "/missing": (response) => {
    response.writeHead(404, { "content-type": "text/plain" }).end("no such thing");
  },
  "/picture": (response) => {
    response.writeHead(200, { "content-type": "image/png" }).end("x");
  },
  "/untold": (response) => response.end("plain enough"),
  "/binary": (response) => response.end(Buffer.from([0, 1, 2, 0])),
  "/gzip": (response) => {
    response.setHeader("content-encoding", "gzip");
    response.end(gzipSync("packed"));
  },
  "/deflate": (response) => {
    response.setHeader("content-encoding", "deflate");
    response.end(deflateSync("packed"));
  },
  "/br": (response) => {
    response.setHeader("content-encoding", "br");
    response.end(brotliCompressSync("packed"));
  },
  "/bomb": (response) => {
    response.setHeader("content-encoding", "gzip");
    response.end(gzipSync(Buffer.alloc(20_000_000, "a")));
  },
  "/torn": (response) => {
    response.setHeader("content-encoding", "gzip");
    response.end(gzipSync("packed").subarray(0, 12));
  },
  "/endless": (response) => {
    const more = (): void => {
      if (!response.destroyed && response.write("a".repeat(100_000))) setImmediate(more);
      else response.once("drain", more);
    };
    more();
  },
  "/silent": () => undefined,
  "/loop": (response) => response.writeHead(302, { location: "/loop" }).end(),
  "/hop": (response) => response.writeHead(301, { location: "json" }).end(),
  "/away": (response) => response.writeHead(302, { location: "http://example.com/?d=1" }).end(),
  "/inward": (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
  "/file": (response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/login": (response) => {
    response.writeHead(302, { location: `http://me:secret@${response.req.headers.host}/` }).end();
  },
};

for (const [how, sends] of [
  ["by itself", {}],
  ["by what would follow a proxy", { send: sendFollowingProxy({}) }],
] as const) {
  describe(`HttpWeb, sending ${how}`, () => {
    itReadsPages(sends);
  });
}

function itReadsPages(sends: Pick<HttpWebOptions, "send">): void {
  let server: WebServer;
  before(async () => {
    server = await WebServer.start((request, response) => {
      (paths[request.url ?? ""] ?? ((other) => other.writeHead(404).end()))(response);
    });
  });
  after(() => server.stop());

  const web = (more: Partial<HttpWebOptions> = {}) =>
    new HttpWeb(() => ({ privateHosts: [server.host], ...sends, ...more }));
  const get = (path: string, more?: Partial<HttpWebOptions>) =>
    web(more).get(server.url + path, never);
  const refusal = async (address: string, client = web()): Promise<UserError> => {
    try {
      await client.get(address, never);
    } catch (error) {
      assert.ok(error instanceof UserError, String(error));
      return error;
    }
    throw new Error(`${address} was answered`);
  };
  const hasCode = (error: UserError, code: string, params: UserError["params"]) => {
    assert.deepEqual([error.code, error.params], [code, params]);
  };

  it("answers with a page as Markdown, in whatever it is encoded", async () => {
    assert.deepEqual(await get("/page"), {
      address: `${server.url}/page`,
      status: 200,
      contentType: "text/html",
      text: "Title: T&U\n\n## Café",
      truncated: false,
    });
  });

  it("answers with other text as it is, and with refusals of the server", async () => {
    assert.equal((await get("/json")).text, '{"a":1}');
    assert.equal((await get("/untold")).text, "plain enough");
    const { status, text } = await get("/missing");
    assert.deepEqual([status, text], [404, "no such thing"]);
  });

  it("unpacks, and reads no more than its limit of what a small body unpacks to", async () => {
    for (const path of ["/gzip", "/deflate", "/br"]) {
      assert.equal((await get(path)).text, "packed", path);
    }
    const bomb = await get("/bomb", { maxBytes: 1000 });
    assert.deepEqual([bomb.text.length, bomb.truncated], [1000, true]);
    assert.equal((await refusal(`${server.url}/torn`)).code, "fetchFailed");
  });

  it("says that a text was cut only where something of it is missing", async () => {
    const whole = await get("/json", { maxBytes: 7 });
    assert.deepEqual([whole.text, whole.truncated], ['{"a":1}', false]);
    const cut = await get("/json", { maxBytes: 6 });
    assert.deepEqual([cut.text, cut.truncated], ['{"a":1', true]);
  });

  it("ends what has no end, by size and by time, and when it is told to", async () => {
    const endless = await get("/endless", { maxBytes: 200_000 });
    assert.deepEqual([endless.text.length, endless.truncated], [200_000, true]);
    const slow = web({ timeoutMs: 50 });
    hasCode(await refusal(`${server.url}/silent`, slow), "pageTooSlow", {
      address: `${server.url}/silent`,
      seconds: 0.05,
    });
    const stop = new AbortController();
    const stopped = web().get(`${server.url}/silent`, stop.signal);
    stop.abort(new UserError("stopped", "Stopped."));
    await assert.rejects(stopped, { code: "stopped" });
  });

  it("follows redirects of one site, a few; those to another it tells", async () => {
    const hop = await get("/hop");
    assert.deepEqual([hop.address, hop.text], [`${server.url}/json`, '{"a":1}']);
    hasCode(await refusal(`${server.url}/loop`), "tooManyRedirects", {
      address: `${server.url}/loop`,
      most: 5,
    });
    assert.equal((await get("/away")).redirectsTo, "http://example.com/?d=1");
    assert.equal((await get("/inward")).redirectsTo, "http://127.0.0.1:1/");
    hasCode(await refusal(`${server.url}/file`), "protocolRefused", { protocol: "file:" });
    assert.equal((await refusal(`${server.url}/login`)).code, "credentialsInAddress");
  });

  it("reads no pictures and no bytes that are not text", async () => {
    hasCode(await refusal(`${server.url}/picture`), "pageNotText", { type: "image/png" });
    assert.equal((await refusal(`${server.url}/binary`)).code, "pageUnknownType");
  });

  it("sends nothing that tells who asks", async () => {
    await get("/json");
    const headers = server.asked.at(-1)?.headers ?? {};
    assert.deepEqual(Object.keys(headers).sort(), [
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  it("asks no private address, however it is spelt", async () => {
    const before = server.asked.length;
    const closed = new HttpWeb(() => ({ privateHosts: [], ...sends }));
    const hosts = [
      "127.0.0.1",
      "localhost",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "127.1",
      "0",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[::127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "[2002:7f00:1::]",
      "１２７.0.0.1",
      "127.0.0.1.",
    ];
    for (const host of hosts) {
      const { code } = await refusal(`http://${host}:${server.port}/json`, closed);
      assert.ok(code === "privateAddress" || code === "privateHost", `${host}: ${code}`);
    }
    assert.equal(server.asked.length, before);
  });

  it("lets a host be asked that the person named, on that port only", async () => {
    const address = `http://localhost:${server.port}/json`;
    const allowed = (host: string) => new HttpWeb(() => ({ privateHosts: [host], ...sends }));
    assert.equal((await allowed(`LocalHost:${server.port}`).get(address, never)).status, 200);
    assert.equal((await allowed("localhost").get(address, never)).status, 200);
    assert.equal((await refusal(address, allowed("localhost:1"))).code, "privateHost");
    assert.equal((await refusal(address, allowed(server.host))).code, "privateHost");
  });

  it("connects to the very address that it checked, whatever the name leads to later", async () => {
    let asked = 0;
    const rebinding = new HttpWeb(
      () => ({ privateHosts: ["rebind.test"], ...sends }),
      () => Promise.resolve([{ address: asked++ === 0 ? "127.0.0.1" : "10.0.0.1", family: 4 }]),
    );
    const { status } = await rebinding.get(`http://rebind.test:${server.port}/json`, never);
    assert.deepEqual([status, asked], [200, 1]);
    assert.equal(server.asked.at(-1)?.headers.host, `rebind.test:${server.port}`);
  });

  it("refuses a name as soon as one of its addresses is private", async () => {
    const mixed = new HttpWeb(
      () => ({ privateHosts: [] }),
      () =>
        Promise.resolve([
          { address: "93.184.216.34", family: 4 },
          { address: "169.254.169.254", family: 4 },
        ]),
    );
    hasCode(await refusal("http://mixed.test/", mixed), "privateHost", {
      host: "mixed.test",
      address: "169.254.169.254",
    });
    const nowhere = new HttpWeb(
      () => ({ privateHosts: [] }),
      () => Promise.resolve([]),
    );
    assert.equal((await refusal("http://nowhere.test/", nowhere)).code, "hostUnknown");
  });

  it("says in words what is wrong with an address", async () => {
    assert.equal((await refusal("not one")).code, "notAWebAddress");
    hasCode(await refusal("file:///etc/passwd"), "protocolRefused", { protocol: "file:" });
    hasCode(await refusal("data:text/plain,x"), "protocolRefused", { protocol: "data:" });
    const gone = web({ privateHosts: ["127.0.0.1:1"] });
    assert.equal((await refusal("http://127.0.0.1:1/", gone)).code, "connectionRefused");
  });
}
