import { strict as assert } from "node:assert";
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Esbuild from "esbuild";
import * as vscode from "vscode";
import { eventually, extension, manifest, product } from "./product.js";

describe("activation", () => {
  it("loads nothing heavy before it is needed", () => {
    const root = extension().extensionPath;
    const esbuild = createRequire(join(root, "package.json"))("esbuild") as typeof Esbuild;
    const { metafile } = esbuild.buildSync({
      absWorkingDir: root,
      entryPoints: ["src/extension.ts"],
      external: ["vscode"],
      bundle: true,
      write: false,
      metafile: true,
      platform: "node",
      format: "cjs",
      mainFields: ["module", "main"],
    });
    const packages = loadedPackages(metafile.inputs, "src/extension.ts");
    assert.ok(packages.has("zod"), "the walk finds what is loaded");
    for (const heavy of ["openai", "yaml"]) assert.ok(!packages.has(heavy), heavy);
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

/** Returns the packages that a file's own imports, and theirs, load at once. */
function loadedPackages(inputs: Esbuild.Metafile["inputs"], entry: string): Set<string> {
  const found = new Set([entry]);
  for (const path of found) {
    for (const { path: imported, kind } of inputs[path]?.imports ?? []) {
      if (kind !== "dynamic-import") found.add(imported);
    }
  }
  const names = [...found].map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}
