// Compiles `src/` and `test/` to `out/`, file by file, which is what tests and the bench run. Types are not looked at:
// `npm run check` proves them.

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { root } from "../root.mjs";

/** The suite that runs inside VS Code, which `build.mjs --tests` bundles. */
const bundled = join(root, "out", "test", "editor", "index.cjs");

const sources = await filesIn(["src", "test"]);
/** @type {import("esbuild").BuildOptions} */
const common = {
  absWorkingDir: root,
  outdir: "out",
  outbase: ".",
  bundle: false,
  platform: "node",
  target: "node20",
  tsconfig: "tsconfig.base.json",
  sourcemap: "linked",
  sourcesContent: false,
  charset: "utf8",
  logLevel: "warning",
};
const outputs = await Promise.all([
  compile({
    format: "esm",
    entryPoints: sources.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts")),
  }),
  compile({
    format: "cjs",
    entryPoints: sources.filter((path) => path.endsWith(".cts")),
    outExtension: { ".js": ".cjs" },
  }),
]).then((all) => all.flat());

// A file that is as it was is left alone: others may be running it.
const written = outputs.map(async ({ path, contents }) => {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(contents)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
});
await Promise.all(written);

// What is no longer among the sources must not be found by a test that still imports it.
const wanted = new Set([...outputs.map(({ path }) => path), bundled]);
for (const path of await filesIn(["out/src", "out/test"])) {
  if (!wanted.has(join(root, path))) await rm(join(root, path), { force: true });
}

/**
 * Compiles files. Where some have faults, of which esbuild tells, the others are compiled: their tests can run.
 *
 * @param {{ format: "esm" | "cjs", entryPoints: string[], outExtension?: Record<string, string> }} options
 */
async function compile({ entryPoints, ...options }) {
  /** @param {string[]} files */
  const attempt = (files) => build({ ...common, ...options, entryPoints: files, write: false });
  const { outputFiles } = await attempt(entryPoints).catch((error) => {
    process.exitCode = 1;
    const faulty = new Set(
      error.errors?.map((/** @type {import("esbuild").Message} */ { location }) => location?.file),
    );
    return attempt(entryPoints.filter((path) => !faulty.has(path)));
  });
  return outputFiles;
}

/** Returns the files in these folders and below, relative to the project's. @param {string[]} folders */
async function filesIn(folders) {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(root, folder), {
        recursive: true,
        withFileTypes: true,
      }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    }),
  );
  return found.flat();
}
