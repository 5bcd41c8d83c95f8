import assert from "node:assert/strict";
import { toolName } from "../../../../src/node/mcp/toolName.js";

describe("the name of a server's tool", () => {
  it("is that of both where it can be read in one way only", () => {
    assert.equal(toolName("one", "read_file"), "one_read_file");
    assert.equal(toolName("my-server2", "go"), "my-server2_go");
    assert.equal(toolName("a", "b_c"), "a_b_c");
  });

  it("is another's in no case, is what models' servers accept, and stays the same", () => {
    const pairs = [
      ["a", "b_c"],
      ["a_b", "c"],
      ["a.b", "c"],
      ["a@b", "c"],
      ["a", "b.c"],
      ["a", "b/c"],
      ["a", "B_c"],
      ["s", "x".repeat(100)],
      ["s", `${"x".repeat(100)}y`],
      ["s".repeat(40), "x".repeat(23)],
      ["s".repeat(40), "x".repeat(24)],
      ["ü", ""],
      ["", "ü"],
    ] as const;
    const names = pairs.map(([server, tool]) => toolName(server, tool));
    // A tool cannot take the name that another one has for its hash.
    const [, taken = ""] = names;
    names.push(toolName("a", taken.slice(2)));
    assert.equal(new Set(names).size, names.length, names.join("\n"));
    for (const name of names) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
    assert.equal(taken, "a_b_c_6769bfc9a95e");
  });
});
