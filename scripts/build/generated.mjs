import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { format } from "oxfmt";
import { root } from "../root.mjs";

const read = (/** @type {string} */ name) => readFile(join(root, name), "utf8");

/** Returns the generated files that are not up to date, and what they should be. */
export async function outdatedFiles() {
  const { part, texts } = await manifestParts();
  /** @type {readonly [name: string, textOf: (before: string) => string | Promise<string>][]} */
  const files = [
    ["package.json", (before) => JSON.stringify({ ...JSON.parse(before), ...part })],
    ["package.nls.json", () => JSON.stringify(texts)],
    ["docs/settings.md", () => settingsPage(part.contributes.configuration, texts)],
    ["docs/protected-files.md", protectedFilesPage],
  ];
  const all = await Promise.all(
    files.map(async ([name, textOf]) => {
      const before = await read(name);
      // Written over several lines, it is not put into one.
      const long = name.endsWith(".json")
        ? JSON.stringify(JSON.parse(await textOf(before)), null, 2)
        : await textOf(before);
      const options = { printWidth: 100, sortPackageJson: false };
      const { code: text } = await format(name, long, options);
      return text === before ? [] : [{ name, text }];
    }),
  );
  return all.flat();
}

/** Returns what the translations of the manifest's texts lack, and what they have that is not used. */
export async function translationFaults() {
  const { texts } = await manifestParts();
  const names = (await readdir(root)).filter((name) => /^package\.nls\.[\w-]+\.json$/.test(name));
  const faults = names.map(async (name) => {
    const translations = JSON.parse(await read(name));
    const lacking = (/** @type {object} */ of, /** @type {object} */ keys) =>
      Object.keys(keys).filter((key) => !Object.hasOwn(of, key));
    return [
      ...lacking(translations, texts).map((key) => `${name} lacks ${key}.`),
      ...lacking(texts, translations).map((key) => `${name} has ${key}, which is not used.`),
    ];
  });
  return (await Promise.all(faults)).flat();
}

/** Returns the parts of `package.json` that are generated, and the English texts of their keys. */
async function manifestParts() {
  const { manifest, withoutTexts } = await source("contributions/manifest.ts");
  return /** @type {{ part: any, texts: Record<string, string> }} */ (withoutTexts(manifest));
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

/**
 * Returns the page's Markdown, a section for each group of settings.
 *
 * @param {readonly { title: string, properties: Record<string, any> }[]} groups
 * @param {Readonly<Record<string, string>>} texts
 */
function settingsPage(groups, texts) {
  /** Replaces a key such as `%view.chat%` by its text. @param {string} text */
  const resolved = (text) =>
    text.replace(/^%(.+)%$/, (_, /** @type {string} */ key) => texts[key] ?? "");
  /** @param {[string, any]} entry A setting's name and its schema. */
  const setting = ([name, schema]) => {
    const scope = schema.scope === "window" ? "user or workspace" : "user";
    const values = (schema.enum ?? []).map(
      (/** @type {unknown} */ value, /** @type {number} */ at) => {
        const text = resolved(schema.markdownEnumDescriptions?.[at] ?? "");
        return `- \`${String(value)}\`${text === "" ? "" : `: ${text}`}`;
      },
    );
    return [
      `### \`${name}\``,
      `Default: \`${JSON.stringify(schema.default)}\` · ${scope}`,
      withoutCommands(resolved(schema.markdownDescription)),
      ...(values.length === 0 ? [] : [withoutCommands(values.join("\n"))]),
    ].join("\n\n");
  };
  return [
    "# Settings",
    "This page is generated from `src/contributions/settings.ts` by `npm run generate`.",
    "A setting marked “user” cannot be set by a workspace, because it decides where your key goes, what may run without approval, or which program runs.",
    ...groups.map(({ title, properties }) =>
      [`## ${resolved(title)}`, ...Object.entries(properties).map(setting)].join("\n\n"),
    ),
  ].join("\n\n");
}

/** Writes links to commands as their names in the command palette. @param {string} text */
function withoutCommands(text) {
  return text.replace(/\[([^\]]*)\]\(command:[^)]*\)/g, "**Rooroo: $1**");
}
