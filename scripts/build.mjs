// Bundles into `dist/`: the editor's host, the panel's page, the command line; and what each of them
// loads only when it is first needed, as files of its own in `dist/late/` (of the command line: `dist/cli/`) and beside the panel.
//   --release    minified, without source maps
//   --tests      also `out/test/editor/index.cjs`, the suite that runs inside VS Code
//   --watch      rebuilds on change

import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { build, context, transform } from "esbuild";
import { bundles } from "./build/bundles.mjs";
import { outdatedFiles } from "./build/generated.mjs";
import { noticesOf } from "./build/notices.mjs";
import { copied, metafileOf, packagesIn, products } from "./build/products.mjs";
import { sourceMessages, translationsOfAll } from "./l10n/messages.mjs";

const flags = new Set(process.argv.slice(2));
const { version } = JSON.parse(await readFile("package.json", "utf8"));
const release = flags.has("--release");

const { chartWorker, pdfWorker, extension, rooroo, panel, editorTests } = bundles({
  release,
  version,
});

/**
 * A module that is imported dynamically becomes a file of its own in `dist/late/`. esbuild splits modules
 * only; Node and VS Code load CommonJS sooner, so that each file is made that afterwards.
 *
 * @type {import("esbuild").Plugin}
 */
const asCommonJs = {
  name: "split as modules, written as CommonJS",
  setup({ onEnd }) {
    onEnd(async ({ outputFiles = [] }) => {
      await Promise.all(
        outputFiles.map(async ({ path, text }) => {
          const { code, map } = await transform(text, {
            format: "cjs",
            platform: "node",
            target: "node20",
            minify: release,
            sourcemap: release ? false : "external",
            logLevel: "warning",
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

/** @type {(options: import("esbuild").BuildOptions) => import("esbuild").BuildOptions} */
const inCommonJs = (options) => ({ ...options, plugins: [...(options.plugins ?? []), asCommonJs] });
const shipped = {
  chartWorker,
  pdfWorker,
  extension: inCommonJs(extension),
  rooroo: inCommonJs(rooroo),
  panel,
};
const all = Object.values(shipped);
if (flags.has("--tests") && existsSync("test/editor/index.ts")) {
  all.push(editorTests);
}

for (const { name, text } of await outdatedFiles()) await writeFile(name, text);
await rm("dist", { recursive: true, force: true });
for (const [folder, files] of Object.entries(copied)) {
  for (const file of files) await cp(file, `dist/${folder}/${basename(file)}`);
}

/**
 * Writes for each language a script with those of its messages that the panel's page has, which loads one of them.
 *
 * @param {import("esbuild").Metafile} metafile the page's
 */
async function writePageWords(metafile) {
  // The page shows the names of our own modes, too, which it reads from what it is sent.
  const files = [...Object.keys(metafile.inputs), "src/core/experts/builtInModes.ts"];
  const own = [...sourceMessages()].filter(([, places]) =>
    places.some((place) => files.includes(place)),
  );
  for (const [language, translations] of translationsOfAll()) {
    const words = own.flatMap(([message]) => {
      const text = translations[message];
      return text === undefined ? [] : [[message, text]];
    });
    const script = `globalThis.roorooMessages = ${JSON.stringify(Object.fromEntries(words))};\n`;
    await writeFile(`dist/webview/words.${language}.js`, script);
  }
}

/**
 * Writes for each language the messages that the command line may show, which loads those of one.
 *
 * @param {import("esbuild").Metafile} metafile the command line's
 */
async function writeCommandLineWords(metafile) {
  const files = new Set(Object.keys(metafile.inputs));
  const own = [...sourceMessages()].filter(([, places]) =>
    places.some((place) => files.has(place)),
  );
  const commandLines = translationsOfAll("cli");
  await mkdir("dist/cli/words", { recursive: true });
  for (const [language, others] of translationsOfAll()) {
    const translations = { ...others, ...commandLines.get(language) };
    const words = own.flatMap(([message]) => {
      const text = translations[message];
      return text === undefined ? [] : [[message, text]];
    });
    await writeFile(`dist/cli/words/${language}.json`, JSON.stringify(Object.fromEntries(words)));
  }
}

if (flags.has("--watch")) {
  for (const options of all) await (await context(options)).watch();
} else {
  const built = await Promise.all(all.map((options) => build(options)));
  for (const [index, name] of Object.keys(shipped).entries()) {
    // For the notices, and for the bench: what of it is loaded when. It does not ship.
    await writeFile(`dist/${name}.meta.json`, JSON.stringify(built[index]?.metafile));
  }
  await writePageWords(metafileOf("panel"));
  await writeCommandLineWords(metafileOf("rooroo"));
  for (const product of /** @type {const} */ (["extension", "rooroo"])) {
    await writeFile(products[product].notices, noticesOf(packagesIn(product)));
  }
  // Both find beside their own files what is no code of theirs.
  const names = copied.late.map((file) => basename(file));
  for (const name of [...names, "chartWorker.cjs", "pdfWorker.cjs", "cmaps"]) {
    await cp(`dist/late/${name}`, `dist/cli/${name}`, { recursive: true });
  }
  await chmod("dist/rooroo.cjs", 0o755);
  for (const name of await readdir("dist")) console.log(`built dist/${name}`);
}
