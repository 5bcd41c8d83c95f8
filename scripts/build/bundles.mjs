import { join } from "node:path";

/** Kinds of charts, and maps, that nothing of ours draws: half a megabyte of Vega, and what it needs. */
const notDrawn = [
  "crossfilter",
  "force",
  "geo",
  "hierarchy",
  "label",
  "projection",
  "regression",
  "voronoi",
  "wordcloud",
].map((name) => `vega-${name}`);

/**
 * Takes of Anthropic's SDK the modules that it has for browsers in the place of those that read credentials and run
 * tools on files and commands: nothing of ours uses them, and a key must not come from where the user did not name.
 *
 * @type {import("esbuild").Plugin}
 */
const anthropicWithoutFiles = {
  name: "anthropic-without-files",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/node\.mjs$/ }, ({ path, resolveDir }) =>
      resolveDir.includes(join("node_modules", "@anthropic-ai", "sdk"))
        ? { path: join(resolveDir, path.replace(/node\.mjs$/, "node.browser.mjs")) }
        : undefined,
    );
  },
};

/**
 * Returns esbuild's options for each bundle. `build.mjs` decides what becomes of the outputs.
 *
 * @param {{ release: boolean, version: string }} options `release`: minified, without source maps;
 *   `version`: the product's
 * @returns {{ [name in "chartWorker" | "pdfWorker" | "extension" | "rooroo" | "panel" | "editorTests"]: import("esbuild").BuildOptions }}
 */
export function bundles({ release, version }) {
  /** @type {import("esbuild").BuildOptions} */
  const common = {
    bundle: true,
    minify: release,
    sourcemap: release ? false : "linked",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    define: {
      "process.env.NODE_ENV": JSON.stringify(release ? "production" : "development"),
      // What is bundled is found beside the bundle.
      "import.meta.url": '""',
    },
  };
  /** @type {import("esbuild").BuildOptions} */
  const host = {
    ...common,
    platform: "node",
    format: "esm",
    target: "node20",
    mainFields: ["module", "main"],
    sourcemap: release ? false : "inline",
    splitting: true,
    chunkNames: "late/[name]-[hash]",
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    write: false,
    plugins: [anthropicWithoutFiles],
    // Made for modules, it would look for its files by itself.
    alias: { "web-tree-sitter": "./node_modules/web-tree-sitter/web-tree-sitter.cjs" },
  };
  return {
    // What draws charts, in a thread of its own.
    chartWorker: {
      ...common,
      // Vega's parts for Node look for a canvas and read files.
      platform: "browser",
      mainFields: ["module", "main"],
      conditions: ["browser", "import"],
      format: "cjs",
      target: "node20",
      minify: true,
      sourcemap: false,
      entryPoints: { chartWorker: "src/node/charts/chartWorker.ts" },
      external: ["node:worker_threads"],
      alias: Object.fromEntries(
        [...notDrawn, "d3-geo", "d3-geo-projection", "topojson-client"].map((name) => [
          name,
          "./scripts/build/nothing.cjs",
        ]),
      ),
      outdir: "dist/late",
      outExtension: { ".js": ".cjs" },
    },
    // The script of the thread that reads PDFs.
    pdfWorker: {
      ...common,
      platform: "node",
      format: "cjs",
      target: "node20",
      minify: true,
      sourcemap: false,
      entryPoints: { pdfWorker: "src/node/pdf/pdfWorker.ts" },
      outdir: "dist/late",
      outExtension: { ".js": ".cjs" },
    },
    extension: {
      ...host,
      entryPoints: { extension: "src/extension.ts" },
      external: ["vscode", "pg-native"],
    },
    rooroo: {
      ...host,
      entryPoints: { rooroo: "src/cli/main.ts" },
      // Apart from the extension's, so that each package takes its own.
      chunkNames: "cli/[name]-[hash]",
      external: ["pg-native"],
      define: { ...common.define, ROOROO_VERSION: JSON.stringify(version) },
    },
    panel: {
      ...common,
      platform: "browser",
      format: "esm",
      target: "es2022",
      // Not split: a chunk that files share would be one more request before the first paint.
      entryPoints: {
        panel: "src/webview/main.ts",
        markdown: "src/webview/markdown/markdown.ts",
        highlighted: "src/webview/markdown/highlighted.ts",
      },
      external: ["./markdown.js", "./highlighted.js"],
      outdir: "dist/webview",
    },
    // The suite that runs inside VS Code. It does not ship.
    editorTests: {
      ...common,
      platform: "node",
      format: "cjs",
      target: "node20",
      mainFields: ["module", "main"],
      minify: false,
      sourcemap: "inline",
      entryPoints: ["test/editor/index.ts"],
      outfile: "out/test/editor/index.cjs",
      external: ["vscode", "mocha"],
    },
  };
}
