import { strict as assert } from "node:assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { type ModelServer, report, triage } from "../modelServer/modelServer.js";
import { configure, disk, eventually, product } from "./product.js";
import { replaced } from "./replaced.js";
import { useModelServer } from "./useModelServer.js";

const key = "sk-test-5e2f9c0b7a";

describe("the API key", () => {
  let server: ModelServer;
  // While the server whose key it is stands in the settings.
  after(async () => {
    await typeKey("");
  });
  useModelServer((started) => {
    server = started;
  });

  it("is kept in the secret store and reaches the server, and no file", async () => {
    const { session, settings } = await product();
    await typeKey(key);
    server.script(
      triage("direct", { expert: "rooroo-analyzer", goal: "Say hello" }),
      report("Done", "Hello."),
    );
    const outcome = await (await session.navigator()).say("Say hello");
    assert.equal(outcome.status, "done");
    await session.stop();

    const written = await readdir(disk.path(".rooroo"), { recursive: true, withFileTypes: true });
    for (const entry of written.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name);
      assert.ok(!(await readFile(path, "utf8")).includes(key), path);
    }
    const configuration = JSON.stringify(vscode.workspace.getConfiguration("rooroo"));
    assert.ok(!configuration.includes(key));
    assert.ok(!JSON.stringify(settings.models).includes(key));
  });

  it("goes away when nothing is typed", async () => {
    const { status } = await product();
    await configure("model.baseUrl", "https://api.openai.com/v1");
    await eventually(() => status.current.model.ready, "ready with a key");
    await typeKey("");
    await eventually(() => !status.current.model.ready, "not ready without one");
    await configure("model.baseUrl", server.url);
  });
});

async function typeKey(text: string): Promise<void> {
  const type = () => Promise.resolve(text);
  await replaced(vscode.window, "showInputBox", type, async () => {
    await vscode.commands.executeCommand("rooroo.setApiKey");
  });
}
