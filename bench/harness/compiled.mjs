import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "../../scripts/process/run.mjs";
import { root } from "../../scripts/root.mjs";

/** @type {Promise<unknown> | undefined} */
let compiling;

/**
 * Imports what `tsc` made of a source file, as in `core/documents/queue`; compiles first.
 *
 * @param {string} name
 */
export async function compiled(name) {
  compiling ??= compile();
  await compiling;
  return import(pathToFileURL(join(root, "out", "src", `${name}.js`)).href);
}

async function compile() {
  try {
    await run(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-b"], {
      cwd: root,
    });
  } catch (error) {
    // Types do not change what runs; `npm run check` is the place to fail for them.
    console.error(`tsc complains; measuring what it made all the same.\n${error}\n`);
  }
}
