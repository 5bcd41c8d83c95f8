import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/root.mjs";
import { packaged } from "../editor/packaged.mjs";
import { built } from "../harness/built.mjs";
import { row } from "../harness/row.mjs";

/**
 * Measures what is in the package, in units of a million bytes. Quick: of the build for development, which is not
 * minified and which no goal is for, without the package.
 *
 * @param {{ quick: boolean }} options
 */
export async function sizes({ quick }) {
  /** @type {string | undefined} */
  let vsix;
  if (quick) await built();
  else vsix = await packaged();
  const goal = (/** @type {number} */ most) => (quick ? null : most);
  const dist = join(root, "dist");
  const page = join(dist, "webview");
  const wasm = (await readdir(join(dist, "late"))).filter((name) => name.endsWith(".wasm"));
  const scripts = (await readdir(page)).filter((name) => name.endsWith(".js"));
  const [host, program] = await Promise.all(["extension", "rooroo"].map(bundled));
  return [
    row("host bundle", await megabytes(...host.start, ...host.late), "MB"),
    row("host bundle, loaded at the start", await megabytes(...host.start), "MB", goal(0.25)),
    row("host's libraries, loaded when first used", await megabytes(...host.libraries), "MB"),
    row(
      "grammar of shells",
      await megabytes(...wasm.map((name) => join(dist, "late", name))),
      "MB",
    ),
    row(
      "panel's scripts",
      await megabytes(...scripts.map((name) => join(page, name))),
      "MB",
      goal(0.4),
    ),
    row("panel's scripts at start", await megabytes(join(page, "panel.js")), "MB"),
    row("command line bundle", await megabytes(...program.start, ...program.late), "MB"),
    ...(vsix === undefined ? [] : [row("VSIX", await megabytes(vsix), "MB")]),
  ];
}

/**
 * The files of a bundle: what is loaded with it, and later what is ours and what is a library's.
 *
 * @param {string} name of the file in `dist`, without its ending
 */
async function bundled(name) {
  /** @type {import("esbuild").Metafile} */
  const { outputs } = JSON.parse(await readFile(join(root, "dist", `${name}.meta.json`), "utf8"));
  const start = new Set([`dist/${name}.cjs`]);
  for (const file of start) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind !== "dynamic-import" && path in outputs) start.add(path);
    }
  }
  const rest = Object.keys(outputs).filter((file) => !start.has(file));
  const isLibrary = (/** @type {string} */ file) => {
    let ours = 0;
    for (const [input, { bytesInOutput }] of Object.entries(outputs[file].inputs)) {
      ours += input.startsWith("src/") ? bytesInOutput : -bytesInOutput;
    }
    return ours < 0;
  };
  const paths = (/** @type {string[]} */ files) => files.map((file) => join(root, file));
  return {
    start: paths([...start]),
    late: paths(rest.filter((file) => !isLibrary(file))),
    libraries: paths(rest.filter(isLibrary)),
  };
}

/** @param {string[]} files */
async function megabytes(...files) {
  const all = await Promise.all(files.map((file) => stat(file)));
  return all.reduce((sum, { size }) => sum + size, 0) / 1e6;
}
