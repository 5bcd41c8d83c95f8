import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "../../scripts/process/run.mjs";
import { root } from "../../scripts/root.mjs";

/** @type {Promise<unknown> | undefined} */
let compiling;

/**
 * Imports what a source file, as in `core/documents/queue`, was compiled to; compiles first.
 *
 * @param {string} name
 */
export async function compiled(name) {
  compiling ??= run(process.execPath, [join(root, "scripts", "build", "tests.mjs")], { cwd: root });
  await compiling;
  return import(pathToFileURL(join(root, "out", "src", `${name}.js`)).href);
}
