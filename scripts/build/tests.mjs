// Compiles `src/` and `test/` to `out/`, file by file, which is what tests and the bench run. Types are not looked at:
// `npm run check` proves them.
import { build } from "esbuild";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
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
const built = await Promise.all([
  build({
    ...common,
    format: "esm",
    entryPoints: sources.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts")),
    write: false,
  }),
  build({
    ...common,
    format: "cjs",
    entryPoints: sources.filter((path) => path.endsWith(".cts")),
    outExtension: { ".js": ".cjs" },
    write: false,
  }),
  // esbuild has said why.
]).catch(() => process.exit(1));
const outputs = built.flatMap(({ outputFiles }) => outputFiles);

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
