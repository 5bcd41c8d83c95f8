import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "../../scripts/process/run.mjs";
import { root } from "../../scripts/root.mjs";

/** @type {Promise<void> | undefined} */
let compiling;

/**
 * Imports what the build made of a source file, as in `core/documents/queue`; compiles first.
 *
 * @param {string} name
 */
export async function compiled(name) {
  await compile();
  return import(pathToFileURL(join(root, "out", "src", `${name}.js`)).href);
}

/** Compiles all sources, once for this process and those that it starts; the tests have done it before. */
export function compile() {
  return (compiling ??= make());
}

async function make() {
  if (process.env.ROOROO_BENCH_COMPILED) return;
  await run(process.execPath, [join(root, "scripts", "build", "tests.mjs")], { cwd: root });
  process.env.ROOROO_BENCH_COMPILED = "yes";
}
