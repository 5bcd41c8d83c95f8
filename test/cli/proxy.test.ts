import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { join } from "node:path";
import { sendFollowingProxy } from "../../src/cli/session/followProxy.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const direct = { route: "direct", expert: "rooroo-developer", goal: "Look" };

/** A proxy on this machine, which keeps what it was asked for: `host path`, or `CONNECT host` for a tunnel. */
interface Proxy {
  readonly host: string;
  readonly asked: string[];
  /** The header `proxy-authorization` of the first request that had one. */
  authorization: string | undefined;
  /** Answers for a host; default: the model's server does. */
  readonly answers: Record<string, (answer: ServerResponse) => void>;
  model: URL | undefined;
}

const proxies: Server[] = [];

async function startProxy(): Promise<Proxy> {
  const server = createServer((asks, answer) => {
    const wanted = new URL(asks.url ?? "");
    proxy.asked.push(`${wanted.host} ${wanted.pathname}`);
    proxy.authorization ??= asks.headers["proxy-authorization"];
    const given = proxy.answers[wanted.host];
    if (given !== undefined) {
      given(answer);
      return;
    }
    if (proxy.model === undefined) {
      answer.end("by the proxy");
      return;
    }
    const { method, headers } = asks;
    const { hostname: host, port } = proxy.model;
    const path = `${wanted.pathname}${wanted.search}`;
    const on = request({ host, port, path, method, headers });
    on.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    asks.pipe(on);
  });
  server.on("connect", (asks, socket) => {
    proxy.asked.push(`CONNECT ${asks.url}`);
    proxy.authorization ??= asks.headers["proxy-authorization"];
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  proxies.push(server);
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: Proxy = { host, asked: [], authorization: undefined, answers: {}, model: undefined };
  return proxy;
}

function stopProxies(): void {
  for (const proxy of proxies.splice(0)) {
    proxy.close();
    proxy.closeAllConnections();
  }
}

describe("rooroo behind a proxy", () => {
  afterEach(closeStages);
  afterEach(stopProxies);

  /** Starts a proxy, and a stage in whose environment it is named. */
  async function behind(
    env: (proxy: string) => Record<string, string>,
    developer: Parameters<typeof plays>[1][string] = () => completes(),
  ) {
    const proxy = await startProxy();
    const stage = await Stage.open(
      plays(direct, { "rooroo-developer": developer }),
      {},
      env(proxy.host),
    );
    proxy.model = new URL(stage.model.url);
    return { stage, proxy };
  }

  const OPENAI_BASE_URL = "http://model.example.test/v1";

  it("asks the model through it", async () => {
    const { stage, proxy } = await behind((host) => ({
      OPENAI_BASE_URL,
      HTTP_PROXY: `http://${host}`,
    }));
    const { code, stdout, stderr } = await stage.runProcess("ask", "Look");
    assert.equal(code, 0, stdout + stderr);
    const models = proxy.asked.filter((one) => one === "model.example.test /v1/chat/completions");
    assert.equal(models.length, stage.model.requests.length);
    assert.ok(models.length > 1);
  });

  it("asks a model on this machine without it", async () => {
    const { stage, proxy } = await behind((host) => ({ HTTP_PROXY: `http://${host}` }));
    const { code, stdout, stderr } = await stage.run("ask", "Look");
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(proxy.asked, []);
  });

  it("reads pages and searches through it, and no private ones that the user has not named", async () => {
    const results: string[] = [];
    const { stage, proxy } = await behind(
      (host) => ({
        HTTP_PROXY: `http://${host}`,
        ROOROO_PRIVATE_HOSTS: "127.0.0.2",
        ROOROO_SEARCH_PROVIDER: "searxng",
        ROOROO_SEARCH_ADDRESS: "http://search.example.test",
      }),
      (asks) => {
        results.splice(0, results.length, ...asks.results.map(({ content }) => content));
        return (
          [
            calls("web_fetch", { url: "http://127.0.0.2/named" }),
            calls("web_fetch", { url: "http://127.0.0.3/private" }),
            calls("web_search", { query: "proxies" }),
          ][asks.results.length] ?? completes()
        );
      },
    );
    proxy.answers["127.0.0.2"] = (answer) => answer.end("The page behind it.");
    proxy.answers["search.example.test"] = (answer) => {
      const found = { url: "https://found.example.test/", title: "Found behind it" };
      answer.end(JSON.stringify({ results: [found] }));
    };
    const { code, stdout, stderr } = await stage.run("ask", "--approve", "all,web=all", "Look");
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(proxy.asked, ["127.0.0.2 /named", "search.example.test /search"]);
    assert.match(results[0] ?? "", /The page behind it\./);
    assert.match(results[1] ?? "", /127\.0\.0\.3 is an address of a private network/);
    assert.match(results[2] ?? "", /Found behind it/);
  });

  it("asks MCP servers through it: those of https in a tunnel, with what proves who asks", async () => {
    const { stage, proxy } = await behind((host) => ({
      HTTP_PROXY: host,
      HTTPS_PROXY: `http://me:s%26cret@${host}`,
    }));
    await mkdir(stage.home, { recursive: true });
    const mcpServers = {
      far: { url: "http://mcp.example.test/mcp" },
      secure: { url: "https://mcp.example.test/mcp" },
    };
    await writeFile(join(stage.home, "mcp.json"), JSON.stringify({ mcpServers }));
    proxy.answers["mcp.example.test"] = (answer) => answer.writeHead(403).end();
    const { stdout, stderr } = await stage.run("mcp", "list");
    assert.deepEqual([...new Set(proxy.asked)].sort(), [
      "CONNECT mcp.example.test:443",
      "mcp.example.test /mcp",
    ]);
    const given = Buffer.from("me:s&cret").toString("base64");
    assert.equal(proxy.authorization, `Basic ${given}`);
    assert.match(stdout, /secure cannot be used: fetch failed: Proxy response \(407\)/);
    assert.doesNotMatch(stdout + stderr, /s(%26|&)cret/);
  });

  for (const [variable, given] of [
    ["HTTP_PROXY", "http://me:s3cret@["],
    ["http_proxy", "socks5://me:s3cret@127.0.0.1:1"],
    ["HTTPS_PROXY", "http://me:s3cret%@127.0.0.1:1"],
    ["https_proxy", "me:s3cret@127.0.0.1:99999"],
  ] as const) {
    it(`says that what ${variable} names cannot be used if it is ${given}, without the password`, async () => {
      const { stage } = await behind(() => ({ [variable]: given }));
      const { code, stdout, stderr } = await stage.run("ask", "--verbose", "Look");
      assert.equal(code, 1);
      assert.equal(
        stderr,
        `rooroo: What ${variable} says is not a proxy that can be used. Give an address such as http://proxy.example:8080, or unset it.\n`,
      );
      assert.doesNotMatch(stdout, /s3cret/);
      assert.equal((await stage.run("--help")).code, 0);
    });
  }
});

describe("the variables that name a proxy", () => {
  let server: Server;
  let port: number;
  let proxy: Proxy;
  before(async () => {
    server = createServer((_asks, answer) => answer.end("by the server"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(async () => {
    proxy = await startProxy();
  });
  afterEach(stopProxies);
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  const toServer: LookupFunction = (_name, _options, answer) => {
    answer(null, [{ address: "127.0.0.1", family: 4 }]);
  };

  async function answered(env: Record<string, string>, url: string): Promise<string> {
    const signal = new AbortController().signal;
    const send = sendFollowingProxy(env);
    const body = await send(new URL(url), { lookup: toServer, headers: {}, signal });
    let text = "";
    for await (const piece of body) text += String(piece);
    return text;
  }

  const proxied: [what: string, env: (to: string) => Record<string, string>][] = [
    ["HTTP_PROXY", (to) => ({ HTTP_PROXY: `http://${to}` })],
    ["http_proxy", (to) => ({ http_proxy: `http://${to}` })],
    ["HTTP_PROXY without http://", (to) => ({ HTTP_PROXY: to })],
    ["http_proxy before HTTP_PROXY", (to) => ({ http_proxy: to, HTTP_PROXY: "127.0.0.1:1" })],
    ["no_proxy before NO_PROXY", (to) => ({ HTTP_PROXY: to, no_proxy: "", NO_PROXY: "*" })],
    ["a NO_PROXY of others", (to) => ({ HTTP_PROXY: to, NO_PROXY: "b.test,ya.test,sub.a.test" })],
    ["a NO_PROXY of another port", (to) => ({ HTTP_PROXY: to, NO_PROXY: "a.test:1" })],
  ];
  for (const [what, env] of proxied) {
    it(`lead through it: ${what}`, async () => {
      const url = `http://a.test:${port}/page`;
      assert.equal(await answered(env(proxy.host), url), "by the proxy");
      assert.deepEqual(proxy.asked, [`a.test:${port} /page`]);
    });
  }

  const past: [
    what: string,
    env: (to: string, port: number) => Record<string, string>,
    host?: string,
  ][] = [
    ["an empty http_proxy", (to) => ({ http_proxy: "", HTTP_PROXY: to })],
    ["HTTPS_PROXY alone", (to) => ({ HTTPS_PROXY: to })],
    ["NO_PROXY of a host", (to) => ({ HTTP_PROXY: to, NO_PROXY: "b.test, A.test" })],
    ["no_proxy of a host", (to) => ({ HTTP_PROXY: to, no_proxy: "a.test" })],
    ["NO_PROXY of a host and port", (to, port) => ({ HTTP_PROXY: to, NO_PROXY: `a.test:${port}` })],
    ["NO_PROXY of a domain", (to) => ({ HTTP_PROXY: to, NO_PROXY: "a.test" }), "sub.a.test"],
    ["NO_PROXY with a dot", (to) => ({ HTTP_PROXY: to, NO_PROXY: ".a.test" }), "sub.a.test"],
    ["NO_PROXY with *.", (to) => ({ HTTP_PROXY: to, NO_PROXY: "*.a.test" }), "sub.a.test"],
    ["NO_PROXY of *", (to) => ({ HTTP_PROXY: to, NO_PROXY: "*" })],
    ["NO_PROXY of * among others", (to) => ({ HTTP_PROXY: to, NO_PROXY: "b.test,*" })],
    ["no NO_PROXY, to localhost", (to) => ({ HTTP_PROXY: to }), "localhost"],
    ["no NO_PROXY, to 127.0.0.1", (to) => ({ HTTP_PROXY: to }), "127.0.0.1"],
    [
      "a NO_PROXY of others, to localhost",
      (to) => ({ HTTP_PROXY: to, NO_PROXY: "b" }),
      "localhost",
    ],
  ];
  for (const [what, env, host = "a.test"] of past) {
    it(`lead past it: ${what}`, async () => {
      const url = `http://${host}:${port}/page`;
      assert.equal(await answered(env(proxy.host, port), url), "by the server");
      assert.deepEqual(proxy.asked, []);
    });
  }

  for (const [what, env] of [
    ["HTTPS_PROXY", (to: string) => ({ HTTPS_PROXY: to })],
    ["https_proxy", (to: string) => ({ https_proxy: to, HTTPS_PROXY: "127.0.0.1:1" })],
    ["HTTP_PROXY, as there is no other", (to: string) => ({ HTTP_PROXY: to })],
  ] as const) {
    it(`lead https into a tunnel: ${what}`, async () => {
      await assert.rejects(answered(env(proxy.host), "https://a.test/"), /407/);
      assert.deepEqual(proxy.asked, ["CONNECT a.test:443"]);
    });
  }
});
