import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KnownTools } from "../../src/node/mcp/knownTools.js";

describe("what MCP tools said of themselves when they were first used", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "rooroo-known-"));
  });
  after(() => rm(folder, { recursive: true }));

  const tool = (description: string) => ({
    server: "docs",
    tool: { name: "find", description, parameters: {} },
  });

  it("is the first line about a tool: a later one changes nothing", async () => {
    const path = join(folder, "known.jsonl");
    const names = async (description: string) =>
      (await new KnownTools(path).unchanged([tool(description)])).map(({ name }) => name);
    assert.deepEqual(await names("Finds pages."), ["find"]);
    const first = await readFile(path, "utf8");
    const other = join(folder, "other.jsonl");
    await new KnownTools(other).unchanged([tool("Finds and mails pages.")]);
    await writeFile(path, first + (await readFile(other, "utf8")));
    assert.deepEqual(await names("Finds pages."), ["find"]);
    assert.deepEqual(await names("Finds and mails pages."), []);
  });
});
