import assert from "node:assert/strict";
import { spoken } from "../../../../src/core/text/words.js";
import { parseMcpConfig } from "../../../../src/node/mcp/mcpConfig.js";

const read = (servers: object) => {
  const { servers: found, problems } = parseMcpConfig(JSON.stringify({ servers }), "mcp.json");
  return { found, problems: problems.map((problem) => spoken(problem)) };
};

describe("a list of MCP servers", () => {
  it("may have comments and commas at the ends, as VS Code writes its own", () => {
    const text = `\uFEFF{
      // Values that are asked for once.
      "inputs": [{ "type": "promptString", "id": "key", "password": true, }],
      /* Servers. */
      "servers": { "one": { "command": "node", "args": ["//one"], }, },
    }`;
    const { servers, inputs, problems } = parseMcpConfig(text, "mcp.json");
    assert.deepEqual(problems, []);
    assert.deepEqual(
      servers.get("one"),
      parseMcpConfig(
        JSON.stringify({ servers: { one: { command: "node", args: ["//one"] } } }),
        "mcp.json",
      ).servers.get("one"),
    );
    assert.deepEqual(
      inputs.map(({ id }) => id),
      ["key"],
    );
    assert.equal(parseMcpConfig("{ servers", "mcp.json").problems.length, 1);
  });

  it("names the field of an entry that keeps it from being used", () => {
    const { found, problems } = read({
      args: { command: "node", args: "one.js" },
      type: { url: "https://example.test/mcp", type: "websocket" },
      neither: { args: [] },
    });
    assert.equal(found.size, 0);
    assert.match(problems[0] ?? "", /"args" has another form/);
    assert.match(problems[1] ?? "", /"type" has another form/);
    assert.match(problems[2] ?? "", /it needs a "command" or a "url"/);
  });

  it("is read in the words of other programs, with null for what is not set", () => {
    const url = "https://example.test/mcp";
    const unset = { args: null, env: null, cwd: null, tools: null, disabled: null };
    const { found, problems } = read({
      gemini: { httpUrl: url, headers: null },
      windsurf: { serverUrl: url, disabled: false, command: null },
      typed: { url, type: "streamable_http" },
      local: { command: "node", url: null, ...unset },
    });
    assert.deepEqual(problems, []);
    const { servers: usual } = parseMcpConfig(
      JSON.stringify({ servers: { remote: { url }, local: { command: "node" } } }),
      "mcp.json",
    );
    const remote = usual.get("remote");
    assert.deepEqual(found.get("gemini"), remote);
    assert.deepEqual(found.get("windsurf"), remote);
    assert.deepEqual(found.get("typed"), { ...remote, type: "http" });
    assert.deepEqual(found.get("local"), usual.get("local"));
    assert.match(
      read({ one: { serverUrl: "file:///x" } }).problems[0] ?? "",
      /it needs a "command" or a "url"/,
    );
    assert.match(read({ one: { httpUrl: url, headers: 1 } }).problems[0] ?? "", /"headers" has/);
  });

  it("may give numbers to the environment, and null for what is not set, as in VS Code", () => {
    const env = { PORT: 80, DEBUG: true, GONE: null, NAME: "a" };
    const entry = read({ one: { command: "node", env } }).found.get("one");
    assert.ok(entry !== undefined && "env" in entry);
    assert.deepEqual(entry.env, { PORT: "80", DEBUG: "true", NAME: "a" });
  });

  it("offers all tools for a star, as for no names", () => {
    const { found } = read({
      all: { command: "node", tools: ["*"] },
      some: { command: "node", tools: ["a"] },
    });
    assert.equal(found.get("all")?.tools, undefined);
    assert.deepEqual(found.get("some")?.tools, ["a"]);
  });

  it("is known by a name that tools can have, and left out where another one has that name", () => {
    const entry = { command: "node" };
    const { found, problems } = read({
      "my org/search": entry,
      "My Tools ": entry,
      "my-org.search": entry,
    });
    assert.deepEqual([...found.keys()], ["my-org-search", "My-Tools", "my-org.search"]);
    assert.deepEqual(problems, []);
    const twice = read({ "a/b": entry, "a b": entry, "??": entry });
    assert.deepEqual([...twice.found.keys()], ["a-b"]);
    assert.match(
      twice.problems.join("\n"),
      /"a b" of .* left out: its name[^]*"\?\?" of .* left out/,
    );
  });
});
