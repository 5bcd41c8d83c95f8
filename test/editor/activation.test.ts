import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createRequire } from "node:module";
import { join } from "node:path";
import { eventually, extension, manifest, product } from "./product.js";

describe("activation", () => {
  it("takes at most 60 ms, the bundle's loading included", async () => {
    const { activation } = await product();
    const loads = [loadBundle(), loadBundle(), loadBundle()];
    const load = Math.min(...loads);
    console.log(`    load ${load.toFixed(1)} ms, activate ${activation.toFixed(1)} ms`); // eslint-disable-line no-console
    assert.ok(load + activation <= 60, `${load} + ${activation} ms`);
  });

  it("registers exactly the commands that the manifest names", async () => {
    await product();
    const all = await vscode.commands.getCommands(true);
    const views = /^rooroo\.(chat|tasks)\./;
    const ours = all.filter((id) => id.startsWith("rooroo.") && !views.test(id));
    const named = manifest().contributes.commands.map(({ command }) => command);
    assert.deepEqual(ours.sort(), named.sort());
  });

  it("opens the panel in a webview whose page asks for its snapshot", async () => {
    const { chat } = await product();
    await vscode.commands.executeCommand("rooroo.focusChat");
    await eventually(() => chat.isShown, "a page that has loaded");
    await vscode.commands.executeCommand("workbench.view.explorer");
    await eventually(() => !chat.isShown, "a page that is gone");
    await vscode.commands.executeCommand("rooroo.focusChat");
    await eventually(() => chat.isShown, "a page that is back");
  });
});

/** Milliseconds that the bundle takes to load, which VS Code has done once already. */
function loadBundle(): number {
  const bundle = join(extension().extensionPath, "dist", "extension.cjs");
  const load = createRequire(bundle);
  const cached = load.cache[bundle];
  load.cache[bundle] = undefined;
  const startedAt = performance.now();
  load(bundle);
  const took = performance.now() - startedAt;
  load.cache[bundle] = cached;
  return took;
}
