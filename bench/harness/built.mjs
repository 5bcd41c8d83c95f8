import { join } from "node:path";
import { run } from "../../scripts/process/run.mjs";
import { root } from "../../scripts/root.mjs";

/** @type {Promise<void> | undefined} */
let building;

/** Builds the bundles in `dist/`, once; the tests have done it before, and others run what is there. */
export function built() {
  return (building ??= build());
}

async function build() {
  if (process.env.ROOROO_BENCH_BUILT) return;
  await run(process.execPath, [join(root, "scripts", "build.mjs")], { cwd: root });
}
