import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { type Said, spoken } from "../../src/core/text/words.js";
import { hostTools } from "../../src/core/tools/hostTool.js";
import { McpTools } from "../../src/node/mcp/mcpTools.js";
import { lazyMcpTools } from "../../src/runtime/lazy.js";
import { gif, png } from "../fakes/smallImages.js";

const never = new AbortController().signal;
const script = fileURLToPath(new URL("./mcpTestServer.js", import.meta.url));

/**
 * A server without a library. Its tool answers with the methods that it was sent, as a bare text. Its argument is what it
 * says of itself as it begins, as JSON.
 */
const rawServer = `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const heard = [];
const tools = [{ name: "heard", inputSchema: { type: "object" } }];
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  heard.push(method);
  appendFileSync("heard.txt", method + "\\n");
  if (id === undefined) return;
  const result =
    method === "initialize"
      ? JSON.parse(process.argv[2] ?? "null") ?? {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "raw", version: "1" },
        }
      : method === "tools/list"
        ? { tools }
        : { content: heard.join(" ") };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
`;

describe("MCP servers of the user's list", () => {
  let folder: string;
  let tools: McpTools;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "rooroo-mcp-")));
    tools = new McpTools({
      list: join(folder, "mcp.json"),
      root: folder,
      env: { SECRET: "s", PATH: process.env["PATH"] },
      startMs: 120_000,
    });
  });
  afterEach(async () => {
    await tools.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const local = (kind: string, more: object = {}) => ({
    command: process.execPath,
    args: [script, kind],
    ...more,
  });
  const list = (mcpServers: object) =>
    writeFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
  const names = () => tools.offered().map(({ name }) => name);
  const call = async (name: string, input = {}) => (await tools.call(name, input, never)).text;

  it("offers nothing without a list, and starts nothing before a session needs it", async () => {
    assert.deepEqual(await tools.ready(), []);
    await list({ one: local("plain") });
    assert.deepEqual(names(), []);
    assert.deepEqual(await tools.ready(), []);
    assert.ok(names().includes("one_echo"));
    assert.match(await call("one_echo", { text: "hello" }), /^You said hello to \d+\.$/);
  });

  it("are started again when they have ended in the middle of a call", async () => {
    await list({ one: local("plain") });
    await tools.ready();
    const before = await call("one_echo", { text: "a" });
    await assert.rejects(call("one_die"), { code: "mcpToolFailed" });
    const after = await call("one_echo", { text: "a" });
    assert.notEqual(after, before, "another process answers");
  });

  it("that end in the middle of a call are quoted with what they have printed last", async () => {
    await list({ one: local("plain") });
    await tools.ready();
    await assert.rejects(call("one_die"), /Connection closed\. It printed: .*No memory is left\.$/);
  });

  it("in a folder that is not there are told of by the folder, and not by their program", async () => {
    await mkdir(join(folder, "there"));
    await list({ one: local("plain", { cwd: "there" }), two: local("plain", { cwd: "gone" }) });
    const [problem, ...others] = await tools.ready();
    assert.match(spoken(problem!), /its "cwd" \S+gone is no folder/);
    assert.deepEqual(others, []);
    assert.ok(names().includes("one_echo"));
  });

  it("are not told to cancel what they have answered, when they are ended", async () => {
    await writeFile(join(folder, "raw.mjs"), rawServer);
    await list({ one: { command: process.execPath, args: ["raw.mjs"] } });
    await tools.ready();
    await call("one_heard");
    await tools.stop();
    const heard = await readFile(join(folder, "heard.txt"), "utf8");
    assert.match(heard, /^initialize\n[^]*tools\/call\n$/);
  });

  it("are heard also if they answer with a text in the place of a list of parts", async () => {
    await writeFile(join(folder, "raw.mjs"), rawServer);
    await list({ one: { command: process.execPath, args: ["raw.mjs"] } });
    await tools.ready();
    assert.match(await call("one_heard"), /^initialize .*tools\/call$/);
  });

  it("are used also if they begin without what the protocol asks for, but in no version that is unknown", async () => {
    const path = join(folder, "raw.mjs");
    await writeFile(path, rawServer);
    const beginnings: Readonly<Record<string, object>> = {
      empty: {},
      unnamed: { protocolVersion: null, capabilities: { tools: {} } },
      nothing: { protocolVersion: "2025-06-18", capabilities: null, serverInfo: { name: "x" } },
      nulls: { capabilities: { tools: {}, prompts: null, resources: false } },
      listed: { capabilities: { tools: [{ name: "heard" }] } },
    };
    const local = (said: object) => ({
      command: process.execPath,
      args: [path, JSON.stringify(said)],
    });
    const entries = Object.entries(beginnings).map(([name, said]) => [name, local(said)] as const);
    const later = local({ protocolVersion: "2999-01-01", capabilities: {} });
    await list({ ...Object.fromEntries(entries), later });
    const [problem, ...others] = await tools.ready();
    assert.deepEqual(others, []);
    assert.match(spoken(problem ?? ""), /later cannot be used: .*version.* 2999-01-01/);
    assert.deepEqual(
      names().sort(),
      Object.keys(beginnings)
        .map((name) => `${name}_heard`)
        .sort(),
    );
    for (const name of names()) {
      assert.match(await call(name), /^initialize notifications\/initialized tools\/list/);
    }
    assert.deepEqual(await tools.prompts(), []);
    const heard = await readFile(join(folder, "heard.txt"), "utf8");
    assert.doesNotMatch(heard, /prompts|resources/);
  });

  it("are tried again after they have ended and could not be started at once", async () => {
    await list({ one: local("plain") });
    await tools.ready();
    const refusal = join(folder, "refuse-to-start");
    await writeFile(refusal, "");
    await assert.rejects(call("one_die"), { code: "mcpToolFailed" });
    await assert.rejects(call("one_echo"), { code: "mcpServerFailed" });
    await rm(refusal);
    assert.match(await call("one_echo", { text: "a" }), /^You said a/);
  });

  it("tell what fails, and what does not fit its own schema", async () => {
    await list({ one: local("plain") });
    await tools.ready();
    const failure = await tools.call("one_fail", {}, never);
    const wanted = { text: "No such thing.\n(Image 1)", images: [Buffer.from(png)], failed: true };
    assert.deepEqual(failure, wanted);
    assert.match(
      await call("one_lie"),
      /^n is a word\n\n\(The tool has run\. Its answer does not fit the schema .*\bn\b.*number/s,
    );
    await assert.rejects(call("one_unknown"), { code: "mcpToolGone" });
  });

  it("give images apart from the text that names their places, also those of resources", async () => {
    await list({ one: local("plain") });
    await tools.ready();
    const { text, images } = await tools.call("one_picture", {}, never);
    assert.equal(text, "Seen:\n(Image 1)\n(Image 2)\n(Something that is not text: audio.)");
    assert.deepEqual(
      images,
      [png, gif].map((bytes) => Buffer.from(bytes)),
    );
  });

  it("that ask for what is not offered are refused, and the answer says what they asked", async () => {
    await list({ one: local("plain") });
    await tools.ready();
    const given = { message: "Log\u202E in.", url: "https://login.example.test/" };
    const first =
      "(The server asked to ask a person something: Log⟨U+202E⟩ in. It was refused, because that is not offered to servers. A person can open https://login.example.test/.)";
    const [codes, ...rest] = (await call("one_ask", given)).split("\n");
    assert.equal(codes, "-32601 -32601 -32601 -32601");
    assert.equal(rest[0], first);
    assert.deepEqual(
      rest.slice(1).map((line) => /^\(The server asked (.*?)\. It was refused/.exec(line)?.[1]),
      ["to use the model", "for the folders that are open", "for other/thing"],
    );
    await assert.rejects(call("one_ask", { message: "Why?", fail: true }), (error: Error) => {
      assert.match(error.message, /I need an answer\.\n\(The server asked to ask a person.*Why\?/);
      return true;
    });
    assert.doesNotMatch(await call("one_echo", { text: "a" }), /asked/, "it was another call's");
  });

  it("get no more of the environment than they need, and what their entry names", async () => {
    const env = { TOKEN: "${env:SECRET}" };
    await list({ one: local("plain", { env }) });
    process.env["OPENAI_API_KEY"] = "sk-1";
    try {
      await tools.ready();
      const seen = (await call("one_environment")).split(" ");
      assert.ok(seen.includes("TOKEN") && seen.includes("PATH"));
      assert.ok(!seen.includes("OPENAI_API_KEY") && !seen.includes("SECRET"));
    } finally {
      delete process.env["OPENAI_API_KEY"];
    }
  });

  it("say once why one cannot be used, and the others can", async () => {
    await list({
      broken: local("broken"),
      missing: { command: join(folder, "nothing") },
      "!?": local("plain"),
      empty: {},
      variable: { url: "http://127.0.0.1:1/${env:NOT_SET}" },
      input: local("plain", { env: { KEY: "${input:key-1}" } }),
      file: { url: "file:///etc/passwd" },
      off: local("plain", { disabled: true, cwd: "${env:NOT_SET}" }),
      one: local("plain", { tools: ["echo"] }),
    });
    const problems = await tools.ready();
    const expected = [
      /"!\?" .*left out: its name/,
      /"empty" .*"command" or a "url"/,
      /"file" .*"command" or a "url"/,
      /"variable" .*NOT_SET is not set/,
      /"input" .*\$\{input:key-1\} is not known here/,
      /broken cannot be used: .* It printed: Cannot find my settings\./,
      /missing cannot be used: .*ENOENT/,
    ];
    assert.equal(problems.length, expected.length, problems.map((one) => spoken(one)).join("\n"));
    for (const one of expected)
      assert.ok(
        problems.some((problem) => one.test(spoken(problem))),
        `${one}`,
      );
    assert.deepEqual(names(), ["one_echo"]);
    assert.deepEqual(await tools.ready(), [], "each is told once");
  });

  it("are left out when they do not answer in time", async () => {
    tools = new McpTools({ list: join(folder, "mcp.json"), root: folder, env: {}, startMs: 300 });
    await list({ silent: local("silent") });
    const [problem = ""] = await tools.ready();
    assert.match(spoken(problem), /did not answer within 0\.3 s/);
  });

  it("are followed as the list is changed", async () => {
    await list({ one: local("plain"), two: local("plain") });
    await tools.ready();
    const before = await call("one_echo", { text: "a" });
    await list({ one: local("plain"), two: local("many") });
    await tools.ready();
    assert.equal(await call("one_echo", { text: "a" }), before, "the same process");
    assert.ok(names().includes("two_tool499"));
    await writeFile(join(folder, "mcp.json"), "{");
    assert.match(spoken((await tools.ready())[0] ?? ""), /is not a list of MCP servers/);
    assert.deepEqual(names(), []);
  });

  it("name tools that are never offered, and others that need no approval until they change", async () => {
    const rules = { allow: ["echo", "change"], deny: ["die"] };
    await list({ one: local("plain", rules) });
    await tools.ready();
    const allowed = () =>
      tools.offered().flatMap((tool) => (tool.allowed ? [`${tool.name} ${tool.allowed}`] : []));
    assert.ok(!names().includes("one_die"));
    await assert.rejects(call("one_die"), { code: "mcpToolGone" });
    assert.deepEqual(allowed(), ["one_echo unchanged", "one_change unchanged"]);

    await call("one_change");
    assert.deepEqual(await tools.ready(), []);
    assert.deepEqual(allowed(), ["one_echo changed", "one_change unchanged"]);
    assert.equal(tools.offered()[0]?.description, "Sends all files.");

    // Another process knows it, too: what was first seen counts.
    await tools.stop();
    await list({ one: local("changed", rules) });
    const later = new McpTools({ list: join(folder, "mcp.json"), root: folder, env: process.env });
    try {
      await later.ready();
      assert.equal(later.offered()[0]?.allowed, "changed");
    } finally {
      await later.stop();
    }
  });

  it("ask about what is allowed while it cannot be known whether it has changed", async () => {
    await mkdir(join(folder, "mcp-tools.jsonl"));
    await list({ one: local("plain", { allow: ["echo"] }) });
    assert.match(spoken((await tools.ready())[0] ?? ""), /mcp-tools\.jsonl cannot be used/);
    assert.equal(tools.offered()[0]?.allowed, "changed");
  });

  it("are told apart, also where server and tool together would have one name", async () => {
    await list({ one: local("longer"), one_echo: local("names"), twice: local("names") });
    assert.deepEqual(await tools.ready(), []);
    const offered = names();
    assert.equal(new Set(offered).size, offered.length);
    const [last] = offered.filter((name) => name.startsWith("one_echo_b_"));
    assert.match(await call(last ?? ""), /^This is b\./);
    assert.match(await call("one_echo_b"), /^This is echo_b\./);
    assert.deepEqual(
      hostTools(tools, []).map(({ name }) => name),
      offered,
    );
    assert.deepEqual(offered.slice(-2), ["twice_b", "twice_other"]);
  });

  it("give an image also where they write it as the address of one in a page", async () => {
    await list({ one: local("odd") });
    await tools.ready();
    const data = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
    const answer = JSON.stringify({ content: [{ type: "image", data }] });
    const { images } = await tools.call("one_answer", { text: answer }, never);
    assert.deepEqual(images, [Buffer.from(png)]);
  });

  it("keep their other tools when entries of their list are odd, and say which cannot be used", async () => {
    await list({ one: local("odd") });
    assert.equal(
      said(await tools.ready()),
      "The MCP server one is used without these of its tools: missing (the schema of its input is not that of an object), " +
        "listed (the schema of its input is not that of an object), #5 (it has no name), " +
        "slow (it runs as a task only, which is not supported).",
    );
    assert.deepEqual(
      names(),
      [
        "untyped",
        "bare",
        "uncompiled",
        "nullable",
        "ofBoth",
        "strict",
        "page",
        "login",
        "answer",
      ].map((one) => `one_${one}`),
    );
    for (const { parameters } of tools.offered()) assert.equal(parameters["type"], "object");
    assert.match(await call("one_uncompiled", { text: "a" }), /^You said a/);
    assert.match(await call("one_bare"), /^You said/);
    assert.deepEqual(await tools.ready(), [], "it is told once");
  });

  it("are not called with an input that does not fit a tool's schema", async () => {
    await list({ one: local("odd") });
    await tools.ready();
    await assert.rejects(call("one_strict", { n: "1" }), /was not called.*\bn\b.*integer/);
    assert.match(await call("one_strict", { n: 1 }), /^You said/);
  });

  it("are not waited for when they have sent an answer that the protocol does not allow", async () => {
    await list({ one: local("odd") });
    await tools.ready();
    assert.equal(await call("one_answer", { text: "null" }), "");
    await assert.rejects(
      call("one_answer", { text: '["done"]' }),
      /an answer that MCP does not allow: .*"result":\["done"\]/,
    );
  });

  it("are told without web pages, and with the address that a person has to open", async () => {
    await list({ one: local("odd") });
    await tools.ready();
    await assert.rejects(call("one_page"), ({ message }: Error) => {
      assert.match(message, /Error 502 \(a web page\)/);
      return !message.includes("<");
    });
    await assert.rejects(call("one_login"), /open https:\/\/login\.example\.test\/ \(Log in\.\)/);
  });

  it("are read page by page without a warning about listeners", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    try {
      await list({ one: local("paged") });
      assert.deepEqual(await tools.ready(), []);
      assert.equal(names().length, 1_000);
      await nextTurn();
    } finally {
      process.off("warning", note);
    }
    assert.deepEqual(warnings, []);
  });

  it("are tried again by a later session when they could not be started", async () => {
    const options = { list: join(folder, "mcp.json"), root: folder, env: {}, retryMs: 0 };
    const later = new McpTools(options);
    const refusal = join(folder, "refuse-to-start");
    await writeFile(refusal, "");
    await list({ one: local("plain") });
    try {
      assert.match(said(await later.ready()), /one cannot be used/);
      await rm(refusal);
      assert.deepEqual(await later.ready(), []);
      assert.ok(later.offered().length > 0);
    } finally {
      await later.stop();
    }
  });

  it("are left out where their entry says that they are not enabled", async () => {
    await list({ one: local("plain", { enabled: false }), two: local("names", { enabled: true }) });
    assert.deepEqual(await tools.ready(), []);
    assert.deepEqual(names(), ["two_b", "two_other"]);
  });

  it("fill no prompt, however many tools they have", async () => {
    await list({ many: local("many") });
    await tools.ready();
    assert.equal(names().length, 500);
    const inPrompt = hostTools(tools, []).map(({ name }) => name);
    assert.deepEqual(inPrompt, ["find_tools", "use_tool"]);
  });

  it("offer prompts and resources to people, and are started for that", async () => {
    await list({ one: local("content"), two: local("plain"), broken: local("broken") });
    const [greet, ...others] = await tools.prompts();
    const parameters = [{ name: "who", required: true }];
    const expected = {
      server: "one",
      name: "greet",
      description: "Greets.",
      arguments: parameters,
    };
    assert.deepEqual([greet, others], [expected, []]);
    assert.deepEqual(await tools.resources(), [
      { server: "one", uri: "note://a", name: "Note A", description: "" },
      { server: "one", uri: "note://picture", name: "picture", description: "A picture." },
    ]);
    assert.match(said(await tools.ready()), /broken cannot be used/, "it is told all the same");

    const text = await tools.prompt("one", "greet", { who: "Ann" }, never);
    const parts = ["Greet Ann.", "(An example of an answer:)\nHello!", "A note."];
    assert.equal(text, [...parts, "(Something that is not text: image.)"].join("\n\n"));
    assert.deepEqual(
      (await tools.prompts()).map(({ name }) => name),
      ["greet", "more3"],
    );
    assert.equal(await tools.resource("one", "note://a", never), "The note.");
    const picture = await tools.resource("one", "note://picture", never);
    assert.equal(picture, "(Something that is not text: blob.)");
    const code = "mcpContentFailed";
    await assert.rejects(tools.prompt("one", "greet", { who: "nobody" }, never), { code });
    await assert.rejects(tools.resource("one", "note://c", never), { code });
    await assert.rejects(tools.resource("two", "note://a", never), { code });
    await assert.rejects(tools.resource("three", "note://a", never), { code: "mcpServerGone" });
    const reason = new Error("stopped");
    const stopped = AbortSignal.abort(reason);
    await assert.rejects(tools.resource("one", "note://a", stopped), reason);
  });

  it("keep their other prompts and resources when some are odd, and give their texts", async () => {
    await list({ one: local("oddContent") });
    const who = { name: "who", required: false };
    assert.deepEqual(await tools.prompts(), [
      { server: "one", name: "plain", description: "", arguments: [who] },
      { server: "one", name: "none", description: "", arguments: [] },
    ]);
    assert.deepEqual(await tools.resources(), [
      { server: "one", uri: "note://a", name: "note://a", description: "" },
    ]);
    assert.equal(await tools.prompt("one", "plain", {}, never), "A text.\n\nTwo\nparts");
    assert.equal(await tools.resource("one", "note://a", never), "The note.");
  });

  it("offer what they have to menus and requests while another one does not answer", async () => {
    await list({ silent: local("silent"), one: local("content") });
    const patient = new McpTools({
      list: join(folder, "mcp.json"),
      root: folder,
      env: process.env,
      startMs: 3_600_000,
    });
    try {
      const only = await patient.prompts({ server: "one" });
      assert.deepEqual(
        only.map(({ server, name }) => `${server} ${name}`),
        ["one greet"],
      );
      assert.deepEqual(await patient.prompts({ withinMs: 0 }), only, "those that are known");
      assert.equal((await patient.resources({ server: "one" })).length, 2);
      assert.equal(await patient.resource("one", "note://a", never), "The note.");
    } finally {
      await patient.stop();
    }
  });

  it("are not started any more once they are to end, whoever waits for them", async () => {
    await list({ one: local("content") });
    const prompts = tools.prompts();
    await tools.stop();
    assert.deepEqual(await prompts, []);
    assert.deepEqual(await tools.ready(), []);
    assert.deepEqual(names(), []);

    const ended = new AbortController();
    const options = { list: join(folder, "mcp.json"), root: folder, env: process.env };
    const late = lazyMcpTools(options, ended.signal);
    const commands = late.prompts();
    ended.abort();
    assert.deepEqual(await commands, []);
  });

  it("end a call that the user stops", async () => {
    await list({ one: local("plain") });
    await tools.ready();
    const reason = new Error("stopped");
    await assert.rejects(tools.call("one_echo", {}, AbortSignal.abort(reason)), reason);
  });

  it("can be reached over HTTP, with the headers of their entry", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      const mcp = new McpServer({ name: "remote", version: "1" });
      mcp.registerTool("hello", { description: "Says hello." }, () => ({
        content: [{ type: "text", text: "Hello." }],
      }));
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      void mcp
        .connect(transport as unknown as Parameters<typeof mcp.connect>[0])
        .then(() => transport.handleRequest(request, response));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
      await list({ far: { url, headers: { Authorization: "Bearer ${env:SECRET}" } } });
      assert.deepEqual(await tools.ready(), []);
      assert.equal(await call("far_hello"), "Hello.");
      assert.deepEqual([...new Set(seen)], ["Bearer s"]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("are not listened to without end, whatever they answer over HTTP", async () => {
    let sent = 0;
    const server = createServer((request, response) => {
      const begin = (type: string, start: string, piece: string) => {
        sent = 0;
        response.writeHead(200, { "content-type": type }).write(start);
        const more = () => {
          sent += piece.length;
          while (!response.destroyed && response.write(piece)) sent += piece.length;
        };
        response.on("drain", more);
        more();
      };
      const mcp = new McpServer({ name: "endless", version: "1" });
      mcp.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "Hello." }] }));
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      void text(request).then(async (body) => {
        if (body.includes('"tools/call"')) {
          const piece = "x".repeat(65_536);
          if (body.includes('"form":"json"')) begin("application/json", '{"jsonrpc":"', piece);
          else if (body.includes('"form":"line"')) begin("text/event-stream", "data: ", piece);
          else begin("text/event-stream", "", `data: ${piece}\r\n`);
          return;
        }
        await mcp.connect(transport);
        const asked: unknown = body === "" ? undefined : JSON.parse(body);
        await transport.handleRequest(request, response, asked);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      await list({ far: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` } });
      for (const form of ["json", "line", "lines"]) {
        assert.deepEqual(await tools.ready(), []);
        const problem = /One message has more than 10485760 bytes/;
        await assert.rejects(call("far_hello", { form }), problem, form);
        assert.ok(sent < 40_000_000, `${form}: ${sent}`);
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("can be older ones that speak over SSE, also where their entry does not say so", async () => {
    // oxlint-disable-next-line typescript/no-deprecated -- older servers speak nothing else
    let transport: SSEServerTransport | undefined;
    const server = createServer((request, response) => {
      const path = request.url?.split("?")[0];
      if (request.method === "GET" && path === "/sse") {
        const mcp = new McpServer({ name: "older", version: "1" });
        mcp.registerTool("hello", { description: "Says hello." }, () => ({
          content: [{ type: "text", text: "Hello." }],
        }));
        // oxlint-disable-next-line typescript/no-deprecated -- as older servers do
        transport = new SSEServerTransport("/messages", response);
        void mcp.connect(transport);
      } else if (request.method === "POST" && path === "/messages") {
        void transport?.handlePostMessage(request, response);
      } else {
        response.writeHead(path === "/sse" ? 405 : 404, { "content-type": "text/html" });
        response.end("<!DOCTYPE html><html><body>Cannot POST</body></html>");
      }
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await list({ far: { url: `${origin}/sse` } });
      assert.deepEqual(await tools.ready(), []);
      assert.equal(await call("far_hello"), "Hello.");
      await list({ none: { url: `${origin}/nothing` } });
      const problem = said(await tools.ready());
      assert.match(problem, /none cannot be used: .*\(a web page\)/);
      assert.ok(!problem.includes("<"), problem);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

function said(problems: readonly Said[]): string {
  return problems.map((one) => spoken(one)).join("\n");
}
