// npm run package: a release build, packed as rooroo-navigator-VERSION.vsix.
import { readFile, rm, writeFile } from "node:fs/promises";
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
// A picture needs a public address to be seen in the editor; the package goes without.
const readme = await readFile(join(root, "README.md"), "utf8");
await writeFile(join(root, "dist", "README.md"), readme.replace(/^!\[[^\]]*\]\([^)]*\)\n\n/gm, ""));
// Prints what it packs.
await createVSIX({
  cwd: root,
  packagePath,
  dependencies: false, // all bundled
  readmePath: "dist/README.md",
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});
