import assert from "node:assert/strict";
import { givenServers } from "../../../src/cli/acp/mcpServers.js";

describe("MCP servers that a client passes on", () => {
  const named = (name: string, command: string) => ({ name, command, args: [], env: [] });

  it("are all used, also where their names differ only in what names of tools cannot have", () => {
    const long = "x".repeat(50);
    const given = givenServers([
      named("my files", "a"),
      named("my-files", "b"),
      named("\u6587\u4EF6", "c"),
      named("\u68C0\u7D22", "d"),
      named(long, "e"),
      named(`${long}y`, "f"),
    ]);
    const commands = Object.entries(given?.entries ?? {}).map(([name, entry]) => [
      name,
      (entry as { command: string }).command,
    ]);
    assert.deepEqual(commands, [
      ["my-files", "a"],
      ["my-files-2", "b"],
      ["server", "c"],
      ["server-2", "d"],
      ["x".repeat(40), "e"],
      [`${"x".repeat(36)}-2`, "f"],
    ]);
  });
});
