import assert from "node:assert/strict";
import { modelServerAt, modelServers } from "../../../../src/core/models/modelServers.js";

describe("servers that are known", () => {
  it("have addresses of which each is its own", () => {
    const addresses = modelServers.map(({ baseUrl }) => baseUrl.replace("{RESOURCE}", "mine"));
    assert.equal(new Set(addresses).size, modelServers.length);
    for (const [index, address] of addresses.entries()) {
      assert.ok(URL.canParse(address), address);
      assert.equal(modelServerAt(address)?.name, modelServers[index]?.name);
    }
  });

  it("are known by their ports, whatever this machine is called", () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]", "me:secret@localhost"]) {
      assert.equal(modelServerAt(`http://${host}:11434/v1`)?.name, "Ollama", host);
    }
    assert.equal(modelServerAt("https://shop.openai.azure.com/openai/v1")?.name, "Azure OpenAI");
    for (const other of ["http://localhost:4000/v1", "https://openai.azure.com.evil/v1", "x", ""]) {
      assert.equal(modelServerAt(other), undefined, other);
    }
  });
});
