// Bundles into `dist/`: the editor's host, the panel's page, the command line.
//   --release    minified, without source maps
//   --tests      also `out/test/editor/index.cjs`, the suite that runs inside VS Code
//   --watch      rebuilds on change
import { context, build } from "esbuild";
import { chmod, cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { existsSync } from "node:fs";

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
  define: { "process.env.NODE_ENV": JSON.stringify(release ? "production" : "development") },
};
/** @type {import("esbuild").BuildOptions} */
const node = {
  ...common,
  platform: "node",
  format: "cjs",
  target: "node20",
  mainFields: ["module", "main"],
};

/** @type {import("esbuild").BuildOptions[]} */
const bundles = [
  {
    ...node,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.cjs",
    external: ["vscode"],
  },
  {
    ...node,
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
    splitting: true,
    entryPoints: { panel: "src/webview/main.ts" },
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

if (flags.has("--watch")) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  await Promise.all(bundles.map((options) => build(options)));
  await chmod("dist/rooroo.cjs", 0o755);
  for (const name of await readdir("dist")) console.log(`built dist/${name}`);
}
