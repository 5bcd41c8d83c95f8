// Generates docs/settings.md from package.json:  npm run docs
//   --check   only says whether the page is up to date
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format } from "prettier";
import { root } from "./root.mjs";

const page = join(root, "docs", "settings.md");
const json = async (/** @type {string} */ name) =>
  JSON.parse(await readFile(join(root, name), "utf8"));
const manifest = await json("package.json");
const texts = await json("package.nls.json");

const expected = await format(settingsPage(), { parser: "markdown", printWidth: 100 });
if (!process.argv.includes("--check")) {
  await writeFile(page, expected);
} else if ((await readFile(page, "utf8").catch(() => "")) !== expected) {
  console.log("docs/settings.md is not up to date: run `npm run docs`.");
  process.exitCode = 1;
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
