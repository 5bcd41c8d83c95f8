import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/root.mjs";
import { packaged } from "../editor/packaged.mjs";
import { row } from "../harness/row.mjs";

/** What is in the package, in units of a million bytes. */
export async function sizes() {
  const vsix = await packaged();
  const dist = join(root, "dist");
  const page = join(dist, "webview");
  const names = await readdir(join(dist, "late"));
  const late = (/** @type {string} */ ending) =>
    names.filter((name) => name.endsWith(`.${ending}`)).map((name) => join(dist, "late", name));
  const scripts = (await readdir(page)).filter((name) => name.endsWith(".js"));
  return [
    row("host bundle", await megabytes(join(dist, "extension.cjs")), "MB", 0.7),
    row("loaded when first used: scripts", await megabytes(...late("cjs")), "MB"),
    row("loaded when first used: grammar", await megabytes(...late("wasm")), "MB"),
    row("panel's scripts", await megabytes(...scripts.map((name) => join(page, name))), "MB", 0.4),
    row("panel's scripts at start", await megabytes(join(page, "panel.js")), "MB"),
    row("command line bundle", await megabytes(join(dist, "rooroo.cjs")), "MB"),
    row("VSIX", await megabytes(vsix), "MB", 1.5),
  ];
}

/** @param {string[]} files */
async function megabytes(...files) {
  const all = await Promise.all(files.map((file) => stat(file)));
  return all.reduce((sum, { size }) => sum + size, 0) / 1e6;
}
