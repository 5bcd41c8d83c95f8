import { parseLooseJson } from "../documents/looseJson.js";
import { lastPart } from "../text/pathParts.js";
import { type Said, type Words, words } from "../text/words.js";

/**
 * Returns why a change always needs approval for what it writes, where the file's name alone is no
 * reason; `undefined` when there is nothing of the kind. In doubt, it needs approval.
 *
 * @param before `undefined` if there is no such file yet, or it is not text
 */
export function controlFileContent(
  path: string,
  before: string | undefined,
  after: string,
): Words | undefined {
  const name = lastPart(path).toLowerCase();
  const schema = newRemoteSchema(name, before ?? "", after);
  if (schema !== undefined)
    return words("Editors fetch the schema that this names, from {schema}.", { schema });
  const manifest = manifests.find(({ names }) => names.test(name));
  if (manifest === undefined || before === after) return undefined;
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const changed = manifest.fields.filter(
    (field) => now === undefined || JSON.stringify(old?.[field]) !== JSON.stringify(now[field]),
  );
  if (changed.length === 0) return undefined;
  return now === undefined
    ? words("It cannot be told what this changes in {file}.", { file: name })
    : words("It changes {fields} of {file}: {why}.", {
        fields: changed.map((field) => `“${field}”`).join(", "),
        file: name,
        why: manifest.why,
      });
}

/**
 * Files in which most edits are ordinary and only a few fields are critical: asking about every new
 * dependency or version would teach users to allow without looking.
 */
const manifests = [
  {
    names: /^package\.json$/,
    why: words("what is run, and by what"),
    fields: [
      "scripts",
      "bin",
      "config",
      "workspaces",
      "packageManager",
      "devEngines",
      "gypfile",
      "pnpm",
      "overrides",
      "resolutions",
      "publishConfig",
      "husky",
      "lint-staged",
      "prettier",
      "simple-git-hooks",
      "pre-commit",
      "eslintConfig",
      "stylelint",
      "babel",
      "volta",
    ],
  },
  {
    names: /^composer\.json$/,
    why: words("what is run, and from where it comes"),
    fields: ["scripts", "config", "repositories", "bin", "extra", "autoload", "autoload-dev"],
  },
  {
    // Plugins of the compiler run in the editor.
    names: /^[tj]sconfig.*\.json$/,
    why: words("what editors load"),
    fields: ["plugins", "extends", "ts-node"],
  },
];

function fieldsOf(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const parsed = parseLooseJson(text);
  if (!parsed.ok || typeof parsed.value !== "object" || parsed.value === null) return undefined;
  const fields = parsed.value as Record<string, unknown>;
  const compiler = fields["compilerOptions"];
  return typeof compiler === "object" ? { ...fields, ...compiler } : fields;
}

/** Extensions of files in which a schema line means nothing to an editor. */
const otherLanguages =
  /\.(m?[jt]sx?|c[jt]s|mdx?|markdown|rst|adoc|txt|py|rb|go|rs|java|kts?|swift|c|h|cc|cpp|hpp|cs|php|html?|s?css|less|vue|svelte|sh|sql)$/;

/** Matches the white space and comments between the parts of a schema line. */
const gap = String.raw`(?:\s|\/\*(?:(?!\*\/)[^])*\*\/|\/\/.*$)*`;
/**
 * Matches `"$schema": …` of JSON, also of broken JSON, and the comments by which YAML and TOML name
 * their schemas.
 */
const schemaLine = new RegExp(
  String.raw`(?:\$schema["']?${gap}[:=]${gap}|#:schema\s+)["']?\s*([^\s"',}]+)`,
  "gm",
);

/**
 * The most characters times schema names that are searched, which takes half a second: comments are
 * searched anew from each name.
 */
const mostLookedThrough = 500_000_000;

function newRemoteSchema(name: string, before: string, after: string): Said | undefined {
  if (otherLanguages.test(name)) return undefined;
  const [old, now] = [unescaped(before), unescaped(after)];
  if (isTooMuch(old) || isTooMuch(now)) return words("a place that cannot be told");
  const known = new Set(schemasIn(old));
  return schemasIn(now).find(
    (schema) => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(schema) && !known.has(schema),
  );
}

function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll("\\/", "/");
}

function isTooMuch(text: string): boolean {
  if (!/\/[/*]/.test(text)) return false;
  return (text.split("$schema").length - 1) * text.length > mostLookedThrough;
}

function schemasIn(text: string): string[] {
  return [...text.matchAll(schemaLine)].map((match) => match[1] ?? "");
}
