// Importing this lets `import … from "vscode"` find the fake of `test/fakes/vscode` in tests that run in plain Node.
//
// Node finds a package in the `node_modules` beside the compiled code, so one of that name is put there. That costs no
// time at a start, and works under every runner and debugger; a hook for resolving modules would have Node ask a thread
// of its own for each of a thousand files. Inside VS Code, `vscode` is always VS Code's own.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { root } from "../root.mjs";

const place = join(root, "out", "node_modules", "vscode");

if (!existsSync(place)) {
  // Other processes do the same at the same time: whoever is first has it.
  const made = `${place}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  const manifest = { name: "vscode", type: "module", exports: "./index.js" };
  writeFileSync(join(made, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(made, "index.js"), 'export * from "../../test/fakes/vscode/api.js";\n');
  try {
    renameSync(made, place);
  } catch {
    rmSync(made, { recursive: true });
  }
}
