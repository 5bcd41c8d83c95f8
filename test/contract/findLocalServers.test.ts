import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { findLocalServers } from "../../src/node/model/modelList.js";

describe("servers on this machine", () => {
  const servers: Server[] = [];
  async function listens(answer: string, status = 200): Promise<string> {
    const server = createServer((_request, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(answer);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }
  after(() => {
    for (const server of servers) server.close();
  });

  it("are those that list models; what else listens is passed over", async () => {
    const models = { object: "list", data: [{ id: "b" }, { id: "a" }] };
    const good = await listens(JSON.stringify(models));
    const found = await findLocalServers(new AbortController().signal, [
      { name: "Web page", baseUrl: await listens("<html>") },
      { name: "Good", baseUrl: good },
      { name: "Refuses", baseUrl: await listens("{}", 500) },
      { name: "Nothing", baseUrl: "http://127.0.0.1:1/v1" },
    ]);
    assert.deepEqual(found, [{ name: "Good", baseUrl: good, models: ["a", "b"] }]);
  });

  it("are not looked for any longer when the person thinks better of it", async () => {
    const abort = new AbortController();
    abort.abort(new Error("Enough."));
    await assert.rejects(findLocalServers(abort.signal, []), /Enough/);
  });
});
