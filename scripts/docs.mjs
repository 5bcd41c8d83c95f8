// Generates docs/settings.md from package.json, and the lists of docs/protected-files.md from the code:
//   npm run docs
//   --check   only says whether the pages are up to date

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { format } from "oxfmt";
import { root } from "./root.mjs";

const json = async (/** @type {string} */ name) =>
  JSON.parse(await readFile(join(root, name), "utf8"));
const manifest = await json("package.json");
const texts = await json("package.nls.json");

await generate("settings.md", settingsPage);
await generate("protected-files.md", protectedFilesPage);

/**
 * Writes a page of `docs/`, or says that it is not up to date.
 *
 * @param {string} name
 * @param {(before: string) => string | Promise<string>} pageOf Returns the page's Markdown from what it is now.
 */
async function generate(name, pageOf) {
  const path = join(root, "docs", name);
  const before = await readFile(path, "utf8").catch(() => "");
  const { code: expected } = await format(name, await pageOf(before), { printWidth: 100 });
  if (!process.argv.includes("--check")) {
    await writeFile(path, expected);
  } else if (before !== expected) {
    console.log(`docs/${name} is not up to date: run \`npm run docs\`.`);
    process.exitCode = 1;
  }
}

/** Replaces the lists of names in the page, each between two comments. @param {string} page */
async function protectedFilesPage(page) {
  const { protectedFiles } = await source("core/access/protectedFiles.ts");
  const { secretFiles } = await source("core/access/secretFiles.ts");
  const list = (/** @type {readonly string[]} */ names) =>
    names.map((name) => `\`${name}\``).join(", ");
  const groups = protectedFiles.map((/** @type {{ why: string, patterns: string[] }} */ group) => {
    return `### ${group.why.replace(/\.$/, "")}\n\n${list(group.patterns)}`;
  });
  return replaceList(
    replaceList(page, "protected", groups.join("\n\n")),
    "secret",
    list(secretFiles),
  );
}

/** @param {string} page @param {string} name @param {string} text */
function replaceList(page, name, text) {
  const [start, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`The page has no ${start} … ${end}.`);
  return `${before}${start}\n\n${text}\n\n${end}${after}`;
}

/** Loads a module of `src`. @param {string} path */
async function source(path) {
  const options = { bundle: true, write: false, format: "esm", platform: "node" };
  const built = await build({
    .../** @type {const} */ (options),
    entryPoints: [join(root, "src", path)],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire('file:///');",
    },
  });
  const code = Buffer.from(built.outputFiles[0]?.contents ?? []).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

/** Replaces a key such as `%view.chat%` by its text. @param {string} text */
function resolved(text) {
  return text.replace(/^%(.+)%$/, (_, /** @type {string} */ key) => texts[key]);
}

/** Returns the page's Markdown, a section for each group of settings. */
function settingsPage() {
  const groups = manifest.contributes.configuration.map((/** @type {any} */ group) => {
    const settings = Object.entries(group.properties).map(setting);
    return `## ${resolved(group.title)}\n\n${settings.join("\n\n")}`;
  });
  return [
    "# Settings",
    "This page is generated from `package.json` by `npm run docs`.",
    "A setting marked “user” cannot be set by a workspace, because it decides where your key goes, what may run without approval, or which program runs.",
    ...groups,
  ].join("\n\n");
}

/** @param {[string, any]} entry A setting's name and its schema. */
function setting([name, schema]) {
  const description = resolved(schema.markdownDescription ?? schema.description ?? "");
  const scope = schema.scope === "window" ? "user or workspace" : "user";
  const values = (schema.enum ?? []).map(
    (/** @type {unknown} */ value, /** @type {number} */ at) => {
      const text = resolved(
        (schema.markdownEnumDescriptions ?? schema.enumDescriptions)?.[at] ?? "",
      );
      return `- \`${String(value)}\`${text === "" ? "" : `: ${text}`}`;
    },
  );
  const withoutCommands = (/** @type {string} */ text) =>
    text.replace(/\[([^\]]*)\]\(command:[^)]*\)/g, "**Rooroo: $1**");
  return [
    `### \`${name}\``,
    `Default: \`${JSON.stringify(schema.default)}\` · ${scope}`,
    withoutCommands(description),
    ...(values.length === 0 ? [] : [withoutCommands(values.join("\n"))]),
  ].join("\n\n");
}
