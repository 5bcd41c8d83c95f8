// Bundles into `dist/`: the editor's host, the panel's page, the command line; and what each of them
// loads only when it is first needed, as files of its own in `dist/late/` and beside the panel.
//   --release    minified, without source maps
//   --tests      also `out/test/editor/index.cjs`, the suite that runs inside VS Code
//   --watch      rebuilds on change
import { context, build } from "esbuild";
import { chmod, cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename } from "node:path";

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

/** Libraries that are imported dynamically: parsed and run at first use, not at every start. */
const late = ["openai", "web-tree-sitter", "yaml", "html-to-text"];

/** Where a library is bundled from, if not from what `import` finds: this one looks for its file. */
const sources = { "web-tree-sitter": "./node_modules/web-tree-sitter/web-tree-sitter.cjs" };
/** The grammar of shells, and what reads it. */
const grammars = ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"];

/** @type {import("esbuild").Plugin} */
const leaveLate = {
  name: "leave late libraries to dist/late",
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${late.join("|")})$`) }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: `./late/${path}.cjs`, external: true },
    );
  },
};
// `import()` becomes `require`, which a bundle in CommonJS needs for its relative path.
const host = { ...node, plugins: [leaveLate], supported: { "dynamic-import": false } };

/** @type {import("esbuild").BuildOptions[]} */
const bundles = [
  {
    ...host,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.cjs",
    external: ["vscode"],
  },
  {
    ...node,
    entryPoints: Object.fromEntries(late.map((name) => [name, sources[name] ?? name])),
    outdir: "dist/late",
    outExtension: { ".js": ".cjs" },
  },
  {
    ...host,
    entryPoints: ["src/cli/main.ts"],
    outfile: "dist/rooroo.cjs",
    banner: { js: "#!/usr/bin/env node" },
    define: { ...common.define, ROOROO_VERSION: JSON.stringify(version) },
  },
  {
    ...common,
    platform: "browser",
    format: "esm",
    target: "es2022",
    // Not split: a chunk that both files share would be one more request before the first paint.
    entryPoints: { panel: "src/webview/main.ts", highlighted: "src/webview/highlighted.ts" },
    external: ["./highlighted.js"],
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
for (const file of grammars) await cp(`node_modules/${file}`, `dist/late/${basename(file)}`);

if (flags.has("--watch")) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  await Promise.all(bundles.map((options) => build(options)));
  await chmod("dist/rooroo.cjs", 0o755);
  for (const name of await readdir("dist")) console.log(`built dist/${name}`);
}
