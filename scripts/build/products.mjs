import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.mjs";
import { packagesOf } from "./notices.mjs";

const characterMaps = "node_modules/pdfjs-dist/cmaps";

/** Files of packages that ship as they are, by the folder of `dist` in which the extension finds them. */
export const copied = {
  webview: ["codicon.css", "codicon.ttf"].map(
    (name) => `node_modules/@vscode/codicons/dist/${name}`,
  ),
  late: [
    // The grammar of shells, and what reads it.
    "node_modules/web-tree-sitter/web-tree-sitter.wasm",
    "node_modules/tree-sitter-bash/tree-sitter-bash.wasm",
  ],
  // The character maps of Chinese, Japanese and Korean fonts that are not embedded in a PDF.
  "late/cmaps": readdirSync(join(root, characterMaps)).map((name) => `${characterMaps}/${name}`),
};

/**
 * Each product has bundles, files that are copied into it, and a file with the licenses of both.
 */
export const products = {
  extension: {
    bundles: ["extension", "panel", "chartWorker", "pdfWorker"],
    copied: Object.values(copied).flat(),
    notices: "dist/ThirdPartyNotices.txt",
  },
  rooroo: {
    bundles: ["rooroo", "chartWorker", "pdfWorker"],
    copied: [...copied.late, ...copied["late/cmaps"]],
    notices: "dist/cli/ThirdPartyNotices.txt",
  },
};

/** Returns what esbuild says of a bundle that has been built. @param {string} name */
export function metafileOf(name) {
  /** @type {import("esbuild").Metafile} */
  const metafile = JSON.parse(readFileSync(join(root, "dist", `${name}.meta.json`), "utf8"));
  return metafile;
}

/**
 * Returns the packages of which a product that has been built has files.
 *
 * @param {keyof typeof products} product
 */
export function packagesIn(product) {
  const { bundles, copied: others } = products[product];
  const outputs = bundles.flatMap((name) => Object.values(metafileOf(name).outputs));
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  // What is only of types, or not used, has no bytes.
  const bundled = inputs.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []));
  return packagesOf([...bundled, ...others]);
}
