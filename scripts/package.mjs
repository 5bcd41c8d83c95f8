// npm run package: a release build, packed as rooroo-navigator-VERSION.vsix, and beside it what is in it of others, as
// rooroo-navigator-VERSION.cdx.json.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureDependencies } from "./install/ensureDependencies.mjs";
import { run } from "./process/run.mjs";
import { root } from "./root.mjs";

await ensureDependencies();
const { createVSIX } = await import("@vscode/vsce");
const { packagesIn } = await import("./build/products.mjs");
const { softwareBill } = await import("./build/softwareBill.mjs");

await run(process.execPath, [join(root, "scripts", "build.mjs"), "--release"], { cwd: root });
const { name, version, repository } = JSON.parse(
  await readFile(join(root, "package.json"), "utf8"),
);
const packagePath = join(root, `${name}-${version}.vsix`);
await rm(packagePath, { force: true });
const bill = await softwareBill(packagesIn("extension"));
await writeFile(packagePath.replace(/\.vsix$/, ".cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
// Pictures and links of the README lead to the public repository; as long as the manifest names none, the package goes
// without pictures.
const isPublic = repository !== undefined;
const readme = await readFile(join(root, "README.md"), "utf8");
const shown = isPublic ? readme : readme.replace(/^!\[[^\]]*\]\([^)]*\)\n\n/gm, "");
await writeFile(join(root, "dist", "README.md"), shown);
// Prints what it packs.
await createVSIX({
  cwd: root,
  packagePath,
  dependencies: false, // all bundled
  readmePath: "dist/README.md",
  allowMissingRepository: true,
  rewriteRelativeLinks: isPublic,
});
