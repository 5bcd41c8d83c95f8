import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { calls, completes, triages } from "../fakes/navigatorWorld.js";
import { isTriage } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const script = fileURLToPath(new URL("../contract/mcpTestServer.js", import.meta.url));

describe("rooroo and MCP servers", () => {
  afterEach(closeStages);

  async function opened(mcpServers: object): Promise<Stage> {
    const stage = await Stage.open((request) => {
      if (isTriage(request)) {
        return triages({ route: "direct", expert: "rooroo-developer", goal: "Say hello" });
      }
      const [result] = request.results;
      return result === undefined
        ? calls("one_echo", { text: "hello" })
        : completes({
            message: result.content.includes("You said hello") ? "It heard." : "It is deaf.",
          });
    });
    await mkdir(stage.home, { recursive: true });
    await writeFile(join(stage.home, "mcp.json"), JSON.stringify({ mcpServers }));
    return stage;
  }

  const one = { command: process.execPath, args: [script, "plain"] };

  it("lets an expert use a tool once it is allowed, and not before", async () => {
    const stage = await opened({ one });
    const asked = await stage.run("ask", "Say hello");
    assert.equal(asked.code, 2, asked.stdout + asked.stderr);
    assert.match(asked.stdout, /Use one_echo/);
    const allowed = await stage.run("ask", "--approve", "all,tool=all", "Say hello");
    assert.equal(allowed.code, 0, allowed.stdout + allowed.stderr);
    assert.match(allowed.stdout, /It heard\./);
  });

  it("takes no servers from the workspace", async () => {
    const stage = await opened({});
    const mcpServers = { one };
    for (const path of [".vscode/mcp.json", ".roo/mcp.json", ".mcp.json"]) {
      await stage.write(path, JSON.stringify({ mcpServers, servers: mcpServers }));
    }
    const { stdout } = await stage.run("ask", "--approve", "all,tool=all", "Say hello");
    assert.match(stdout, /It is deaf\./);
  });

  it("lists them with their tools, and with what is wrong", async () => {
    const stage = await opened({
      one,
      broken: { command: process.execPath, args: [script, "broken"] },
    });
    const { code, stdout } = await stage.run("mcp", "list");
    assert.equal(code, 1);
    assert.match(stdout, /^one {2}7 tools\n {2}echo {2}Does echo\.\n/);
    assert.match(stdout, /broken {2}cannot be used\n {2}The MCP server broken cannot be used/);
    const empty = await opened({});
    assert.match(
      (await empty.run("mcp", "list")).stdout,
      /There are no MCP servers\. Name them in/,
    );
  });

  it("goes on without a server that cannot be used, and says so", async () => {
    const stage = await opened({ gone: { command: "/nowhere/nothing" }, one });
    const { code, stdout } = await stage.run("ask", "--approve", "all,tool=all", "Say hello");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /The MCP server gone cannot be used/);
    assert.match(stdout, /It heard\./);
  });
});
