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

  it("tells the person why a tool has failed, and not only that it has", async () => {
    const stage = await Stage.open((request) =>
      isTriage(request)
        ? triages({ route: "direct", expert: "rooroo-developer", goal: "Say hello" })
        : request.results.length === 0
          ? calls("one_fail", {})
          : completes({}),
    );
    await mkdir(stage.home, { recursive: true });
    await writeFile(join(stage.home, "mcp.json"), JSON.stringify({ mcpServers: { one } }));
    const { stdout } = await stage.run("ask", "--approve", "all,tool=all", "Say hello");
    assert.match(stdout, /✗ one_fail [^\n]*\n {4}It failed: No such thing/);
  });

  it("takes servers from the workspace only once the user has looked at them", async () => {
    const stage = await opened({});
    await stage.write(".roo/mcp.json", JSON.stringify({ mcpServers: { one } }));
    await stage.write(".mcp.json", JSON.stringify({ mcpServers: { two: one } }));
    const say = () => stage.run("ask", "--approve", "all,tool=all", "Say hello");
    const before = await say();
    assert.match(before.stdout, /one of the workspace .*is not used until you have looked at it/);
    assert.match(before.stdout, /It is deaf\./);

    // Nobody is there to ask, and a sandbox is not wanted.
    for (const flags of [[], ["--yes"]]) {
      const { code, stdout, stderr } = await stage.run("mcp", "allow", "one", ...flags);
      assert.equal(code, 2);
      assert.match(
        stdout + stderr,
        /It runs: ".*mcpTestServer\.js" "plain"\n.*THERE IS NO SANDBOX/,
      );
      assert.match(stdout, /rooroo mcp allow one --yes --without-sandbox/);
    }
    assert.match((await say()).stdout, /It is deaf\./);
    assert.equal((await stage.run("mcp", "allow", "two", "--yes")).code, 64);

    const flags = ["--yes", "--without-sandbox"];
    assert.equal((await stage.run("mcp", "allow", "one", ...flags)).code, 0);
    assert.match((await say()).stdout, /It heard\./);
    assert.match((await stage.run("mcp", "list")).stdout, /^one {2}8 tools/);
    const { stdout } = await stage.run("approvals", "list");
    assert.match(stdout, /Starting the workspace's MCP server one, without the sandbox/);
    await stage.run("approvals", "revoke", "--all");
    assert.match((await say()).stdout, /It is deaf\./);
  });

  it("lists them with their tools, and with what is wrong", async () => {
    const stage = await opened({
      one,
      broken: { command: process.execPath, args: [script, "broken"] },
    });
    const { code, stdout } = await stage.run("mcp", "list");
    assert.equal(code, 1);
    assert.match(stdout, /^one {2}8 tools\n {2}echo {2}Does echo\.\n/);
    assert.match(stdout, /broken {2}cannot be used\n {2}The MCP server broken cannot be used/);
    const empty = await opened({});
    assert.match(
      (await empty.run("mcp", "list")).stdout,
      /There are no MCP servers\. Name them in/,
    );
  });

  it("attaches a prompt that is typed as a command, and a resource that is named", async () => {
    let told = "";
    const stage = await Stage.open((request) => {
      if (isTriage(request)) {
        return triages({ route: "direct", expert: "rooroo-developer", goal: "Greet" });
      }
      told = JSON.stringify(request.messages);
      return completes({ message: "Done." });
    });
    await mkdir(stage.home, { recursive: true });
    const mcpServers = { one: { command: process.execPath, args: [script, "content"] } };
    await writeFile(join(stage.home, "mcp.json"), JSON.stringify({ mcpServers }));
    const { code, stdout, stderr } = await stage.run("ask", "/one:greet Ann @one:note://a");
    assert.equal(code, 0, stdout + stderr);
    assert.match(told, /Greet Ann @one:note:\/\/a\./);
    assert.match(told, /The note\./);
    const wrong = await stage.run("ask", "/one:greet");
    assert.match(wrong.stdout + wrong.stderr, /\/one:greet needs this after it: who/);
  });

  it("goes on without a server that cannot be used, and says so", async () => {
    const stage = await opened({ gone: { command: "/nowhere/nothing" }, one });
    const { code, stdout } = await stage.run("ask", "--approve", "all,tool=all", "Say hello");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /The MCP server gone cannot be used/);
    assert.match(stdout, /It heard\./);
  });
});
