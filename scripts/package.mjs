// npm run package: a release build, packed as rooroo-navigator-VERSION.vsix.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureDependencies } from "./install/ensureDependencies.mjs";
import { run } from "./process/run.mjs";
import { root } from "./root.mjs";

await ensureDependencies();
const { createVSIX } = await import("@vscode/vsce");

await run(process.execPath, [join(root, "scripts", "build.mjs"), "--release"], { cwd: root });
const { name, version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const packagePath = join(root, `${name}-${version}.vsix`);
await rm(packagePath, { force: true });
// Prints what it packs.
await createVSIX({
  cwd: root,
  packagePath,
  dependencies: false, // all bundled
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});
