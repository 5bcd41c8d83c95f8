import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { spoken } from "../../src/core/text/words.js";
import { McpTools } from "../../src/node/mcp/mcpTools.js";

const never = new AbortController().signal;
/** Prints the port of each server that begins to listen. */
const printsPort = `data:text/javascript,${encodeURIComponent(`
import { Server } from "node:net";
const { listen } = Server.prototype;
Server.prototype.listen = function (...given) {
  this.once("listening", () => console.log("PORT", this.address().port));
  return listen.apply(this, given);
};
`)}`;

/** Returns the path of one of the servers that the SDK brings along as examples. */
function example(name: string): string {
  const sdk = import.meta.resolve("@modelcontextprotocol/sdk/server/index.js");
  return fileURLToPath(new URL(`../examples/server/${name}.js`, sdk));
}

describe("the example servers of the MCP SDK", () => {
  let folder: string;
  let tools: McpTools;
  let started: ChildProcess | undefined;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "rooroo-mcp-")));
    tools = new McpTools({ list: join(folder, "mcp.json"), root: folder, env: {} });
  });
  afterEach(async () => {
    await tools.stop();
    if (started?.exitCode === null) {
      started.kill("SIGKILL");
      await once(started, "exit");
    }
    started = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const list = (mcpServers: object) =>
    writeFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
  const local = (name: string) => ({ command: process.execPath, args: [example(name)] });
  const call = async (name: string, input: object) =>
    (await tools.call(name, { ...input }, never)).text;

  it("answer with structured content, with progress, and not where they need a model of ours", async () => {
    await list({
      weather: local("mcpServerOutputSchema"),
      progress: local("progressExample"),
      // It prints a line that is no message, too.
      sampling: local("toolWithSampleServer"),
    });
    assert.deepEqual(await tools.ready(), []);
    const names = tools.offered().map(({ name }) => name);
    assert.deepEqual(names, ["weather_get_weather", "progress_count", "sampling_summarize"]);
    const weather = await call("weather_get_weather", { city: "Berne", country: "CH" });
    assert.match(weather, /"humidity"/);
    assert.equal(await call("progress_count", { n: 2 }), "Counted to 2");
    const answer = await tools.call("sampling_summarize", { text: "long" }, never);
    assert.equal(answer.failed, true);
  });

  it("give tools, prompts and resources over HTTP", async () => {
    const server = spawn(
      process.execPath,
      ["--import", printsPort, example("simpleStreamableHttp")],
      { env: { ...process.env, MCP_PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] },
    );
    started = server;
    let port: string | undefined;
    for await (const line of createInterface({ input: server.stdout })) {
      [, port] = /^PORT (\d+)$/.exec(line) ?? [];
      if (port !== undefined) break;
    }
    await list({ far: { url: `http://127.0.0.1:${port}/mcp` } });
    const problems = await tools.ready();
    assert.match(
      problems.map((one) => spoken(one)).join("\n"),
      /^The MCP server far is used without these of its tools: [^\n]*\bdelay \(it runs as a task only[^\n]*$/,
    );
    assert.equal(await call("far_greet", { name: "Ann" }), "Hello, Ann!");
    assert.match(
      await call("far_list-files", {}),
      /^Example File 1: file:\/\/\/example\/file1\.txt$/m,
    );
    // It asks the client for more, which this one does not offer.
    assert.match(
      await call("far_collect-user-info", { infoType: "contact" }),
      /^Error .*-32601.*\n\(The server asked to ask a person something: Please provide your contact information\. It was refused/,
    );
    const [prompt] = await tools.prompts();
    assert.equal(prompt?.name, "greeting-template");
    assert.deepEqual(prompt.arguments, [{ name: "name", required: true }]);
    assert.equal(
      await tools.prompt("far", "greeting-template", { name: "Ann" }, never),
      "Please greet Ann in a friendly manner.",
    );
    const resources = await tools.resources();
    assert.deepEqual(
      resources.map(({ name, uri }) => `${name} ${uri}`),
      [
        "Default Greeting https://example.com/greetings/default",
        "Example File 1 file:///example/file1.txt",
        "Example File 2 file:///example/file2.txt",
      ],
    );
    assert.equal(
      await tools.resource("far", "file:///example/file1.txt", never),
      "This is the content of file 1",
    );
  });
});
