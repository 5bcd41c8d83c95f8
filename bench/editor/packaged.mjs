import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../scripts/process/run.mjs";
import { root } from "../../scripts/root.mjs";

/** @type {Promise<string> | undefined} */
let packaging;

/** Makes the VSIX as `npm run package` does, once; resolves with its path. */
export function packaged() {
  return (packaging ??= make());
}

async function make() {
  await run(process.execPath, [join(root, "scripts", "package.mjs")], { cwd: root });
  const { name, version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return join(root, `${name}-${version}.vsix`);
}
