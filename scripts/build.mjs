// Bundles into `dist/`: the editor's host, the panel's page, the command line; and what each of them
// loads only when it is first needed, as files of its own in `dist/late/` and beside the panel.
//   --release    minified, without source maps
//   --tests      also `out/test/editor/index.cjs`, the suite that runs inside VS Code
//   --watch      rebuilds on change
import { build, context, transform } from "esbuild";
import { brotliCompress, constants } from "node:zlib";
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";

const flags = new Set(process.argv.slice(2));
const { version } = JSON.parse(await readFile("package.json", "utf8"));
const release = flags.has("--release");

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
const node = {
  ...common,
  platform: "node",
  format: "cjs",
  target: "node20",
  mainFields: ["module", "main"],
};

/** The grammar of shells, and what reads it. */
const grammars = ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"];

/**
 * What is imported dynamically becomes a file of its own in `dist/late/`. esbuild splits modules
 * only; Node and VS Code load CommonJS sooner, so that each file is made that afterwards.
 *
 * @type {import("esbuild").Plugin}
 */
const asCommonJs = {
  name: "split as modules, written as CommonJS",
  setup({ initialOptions, onEnd }) {
    onEnd(async ({ outputFiles = [], metafile }) => {
      if (!metafile) return;
      const [name] = Object.keys(initialOptions.entryPoints ?? {});
      // For the bench: what of it is loaded when. It does not ship.
      await writeFile(`dist/${name}.meta.json`, JSON.stringify(metafile));
      await Promise.all(
        outputFiles.map(async ({ path, text }) => {
          const { code, map } = await transform(plainExports(oneVscode(text)), {
            ...{ format: "cjs", platform: "node", target: "node20", minify: release },
            ...{ sourcemap: release ? false : "external", logLevel: "warning" },
            // `import()` becomes `require`.
            supported: { "dynamic-import": false },
          });
          await mkdir(dirname(path), { recursive: true });
          if (map === "") return writeFile(path, code);
          // A map inside of the file would be read at each start.
          await writeFile(`${path}.map`, map);
          await writeFile(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
        }),
      );
    });
  },
};

/** VS Code's interface has hundreds of names: copying them for each file that imports it takes 10 ms. @param {string} text */
function oneVscode(text) {
  return text.replace(/^import \* as ([\w$]+) from "vscode";$/gm, 'const $1 = require("vscode");');
}

/**
 * What a file gives to others of its bundle: getters, and itself where it is imported late. esbuild's own
 * form takes half a kilobyte a file, and says every name twice. No two files of a bundle need one another
 * at their start.
 *
 * @param {string} text
 */
function plainExports(text) {
  return text
    .replace(/^export \{([^}]*)\};$/m, (_all, names) => {
      const getters = names
        .split(",")
        .map((/** @type {string} */ one) => one.trim().split(" as "))
        .map(([own, given = own]) => `get ${given}() { return ${own}; }`);
      return `module.exports = { __esModule: true, ${getters.join(", ")} };`;
    })
    .replace(/\bimport\(("\.\/[^"\n]+\.cjs")\)/g, "Promise.resolve().then(() => require($1))");
}

/**
 * JSON5 lists the letters of all scripts, 15 kB of them; JavaScript knows them by now.
 *
 * @type {import("esbuild").Plugin}
 */
const lettersByName = {
  name: "letters by name",
  setup({ onLoad }) {
    onLoad({ filter: /json5[\\/]lib[\\/]unicode\.js$/ }, () => ({
      contents: String.raw`module.exports = {
        Space_Separator: /[\u1680\u2000-\u200A\u202F\u205F\u3000]/,
        ID_Start: /[\p{L}\p{Nl}]/u,
        ID_Continue: /[\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]/u,
      };`,
    }));
  },
};

/** @type {import("esbuild").BuildOptions} */
const host = {
  ...node,
  format: "esm",
  minify: false,
  minifySyntax: release,
  // The names by which one file knows what another has.
  minifyIdentifiers: release,
  sourcemap: release ? false : "inline",
  splitting: true,
  chunkNames: "late/[name]-[hash]",
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  write: false,
  plugins: [lettersByName, asCommonJs],
  // Made for modules, it would look for its files by itself.
  alias: { "web-tree-sitter": "./node_modules/web-tree-sitter/web-tree-sitter.cjs" },
};

/**
 * What is big and seldom needed is packed better than a VSIX packs: `src/node/unpacked.ts` reads it.
 *
 * @param {Uint8Array} bytes
 */
function packed(bytes) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_LGWIN } = constants;
  // The best takes seconds.
  const quality = release ? 11 : 4;
  return promisify(brotliCompress)(bytes, {
    params: {
      [BROTLI_PARAM_QUALITY]: quality,
      [BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [BROTLI_PARAM_LGWIN]: 22,
    },
  });
}

/** @type {import("esbuild").Plugin} */
const asPacked = {
  name: "packed",
  setup({ onEnd }) {
    onEnd(async ({ outputFiles = [] }) => {
      for (const { path, contents } of outputFiles) {
        await writeFile(`${path}.br`, await packed(contents));
      }
    });
  },
};

/** Kinds of charts, and maps, that nothing of ours draws: half a megabyte of Vega, and what it needs. */
const notDrawn = [
  ...["crossfilter", "force", "geo", "hierarchy", "label", "projection", "regression"],
  ...["voronoi", "wordcloud"],
].map((name) => `vega-${name}`);

/** What draws charts, in a thread of its own. @type {import("esbuild").BuildOptions} */
const chartWorker = {
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
  write: false,
  plugins: [asPacked],
};

/** @type {import("esbuild").BuildOptions[]} */
const bundles = [
  chartWorker,
  { ...host, entryPoints: { extension: "src/extension.ts" }, external: ["vscode"] },
  {
    ...host,
    entryPoints: { rooroo: "src/cli/main.ts" },
    define: { ...common.define, ROOROO_VERSION: JSON.stringify(version) },
  },
  {
    ...common,
    platform: "browser",
    format: "esm",
    target: "es2022",
    // Not split: a chunk that files share would be one more request before the first paint.
    entryPoints: {
      panel: "src/webview/main.ts",
      markdown: "src/webview/markdown.ts",
      highlighted: "src/webview/highlighted.ts",
    },
    external: ["./markdown.js", "./highlighted.js"],
    outdir: "dist/webview",
  },
];
if (flags.has("--tests") && existsSync("test/editor/index.ts")) {
  bundles.push({
    ...node,
    minify: false,
    sourcemap: "inline",
    entryPoints: ["test/editor/index.ts"],
    outfile: "out/test/editor/index.cjs",
    external: ["vscode", "mocha"],
  });
}

await rm("dist", { recursive: true, force: true });
await mkdir("dist/webview", { recursive: true });
await cp("node_modules/@vscode/codicons/dist/codicon.css", "dist/webview/codicon.css");
await cp("node_modules/@vscode/codicons/dist/codicon.ttf", "dist/webview/codicon.ttf");
await mkdir("dist/late", { recursive: true });
for (const file of grammars) {
  const bytes = await readFile(`node_modules/${file}`);
  await writeFile(`dist/late/${basename(file)}.br`, await packed(bytes));
}

if (flags.has("--watch")) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  await Promise.all(bundles.map((options) => build(options)));
  await chmod("dist/rooroo.cjs", 0o755);
  for (const name of await readdir("dist")) console.log(`built dist/${name}`);
}
