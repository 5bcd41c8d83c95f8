import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import * as vscode from "vscode";
import { runMocha } from "../../scripts/test/runMocha.mjs";

/** All test files of this folder. They share one window, and run in this order. */
const files: Record<string, () => Promise<unknown>> = {
  "activation.test.ts": () => import("./activation.test.js"),
  "vscodeContract.test.ts": () => import("./vscodeContract.test.js"),
  "apiKey.test.ts": () => import("./apiKey.test.js"),
  "editorModel.test.ts": () => import("./editorModel.test.js"),
  "chat.test.ts": () => import("./chat.test.js"),
  "changes.test.ts": () => import("./changes.test.js"),
  "tools.test.ts": () => import("./tools.test.js"),
  "charts.test.ts": () => import("./charts.test.js"),
  "terminal.test.ts": () => import("./terminal.test.js"),
  "leftovers.test.ts": () => import("./leftovers.test.js"),
};

/** Runs the tests; VS Code calls it inside of its extension host. Rejects when a test has failed. */
export async function run(): Promise<void> {
  const { extensionPath } = vscode.extensions.getExtension("rooroo.rooroo-navigator")!;
  const there = await readdir(join(extensionPath, "test", "editor"));
  const forgotten = there.filter((name) => name.endsWith(".test.ts") && !(name in files));
  const failed = await runMocha({
    timeout: 180_000,
    files: [
      ...Object.entries(files).map(([name, load]) => ({ name, load })),
      ...forgotten.map((name) => ({
        name,
        load: () => Promise.reject(new Error("test/editor/index.ts does not name it.")),
      })),
    ],
    // VS Code and its own extensions reject here, too, with nobody to handle it.
    isOurs: (reason) =>
      reason instanceof Error &&
      ["dist", "out"].some((name) =>
        (reason.stack ?? "").includes(join(extensionPath, name) + sep),
      ),
  });
  // What was printed last is lost with the process; what is thrown is told by VS Code.
  if (failed.length > 0) throw new Error(`${failed.length} failed.\n${failed.join("\n")}`);
}
