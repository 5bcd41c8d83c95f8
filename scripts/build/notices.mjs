import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import satisfies from "spdx-satisfies";
import { root } from "../root.mjs";

/** The licenses under which others' files may ship, by their SPDX names. Each wants its text, or its notice, to ship, too. */
const allowed = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Python-2.0",
  "Unlicense",
];

/** Texts, by the package's name, for those packages that name a license and have no text of it. */
const ownTexts = join(root, "scripts", "build", "licenses");

/** Characters. What is longer is no comment: it begins in a text. */
const longestComment = 10_000;

/**
 * A package of which files ship.
 *
 * @typedef {object} ShippedPackage
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX expression
 * @property {string} folder where it is installed, as `node_modules/NAME`
 * @property {string[]} texts its license, and what its files say of rights; never empty
 */

/**
 * Returns the packages to which files belong, sorted by name. Throws an error that names each package that must not ship,
 * because its license is not allowed or its text is missing, and says what to do.
 *
 * @param {Iterable<string>} files their paths in the folder `base`, with `/`; those that are of no package are passed over
 * @param {string} [base]
 * @returns {ShippedPackage[]}
 */
export function packagesOf(files, base = root) {
  /** @type {Map<string, Set<string>>} a package's folder → its files */
  const found = new Map();
  for (const file of files) {
    const [, folder] = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
    if (folder !== undefined) found.set(folder, (found.get(folder) ?? new Set()).add(file));
  }

  const faults = [];
  const packages = [...found].map(([folder, those]) => {
    const { name, version, license = "" } = JSON.parse(text(join(base, folder, "package.json")));
    const folders = new Set([folder]);
    for (const file of those) {
      for (let at = dirname(file); !folders.has(at); at = dirname(at)) folders.add(at);
    }
    const texts = [...folders].sort().flatMap((at) => licenseTexts(join(base, at)));
    if (texts.length === 0) texts.push(...ownText(name));
    if (!isAllowed(license)) {
      faults.push(`${name} ${version}: its license (${license || "none"}) is not allowed.`);
    } else if (texts.length === 0) {
      const place = `scripts/build/licenses/${fileName(name)}`;
      faults.push(
        `${name} ${version}: it has no text of its license. Put its authors' into ${place}.`,
      );
    }
    const comments = [...those].flatMap((file) => legalComments(join(base, file)));
    return { name, version, license, folder, texts: [...texts, ...new Set(comments)] };
  });
  if (faults.length > 0) {
    const list = faults.map((fault) => `\n- ${fault}`).join("");
    throw new Error(
      `Packages are bundled that must not ship as they are:${list}\nWhat is allowed: scripts/build/notices.mjs`,
    );
  }
  return packages.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/**
 * Returns the text that ships with files of these packages. Packages with the same texts share them.
 *
 * @param {readonly ShippedPackage[]} packages
 */
export function noticesOf(packages) {
  /** @type {Map<string, ShippedPackage[]>} */
  const byText = new Map();
  for (const one of packages) {
    const text = one.texts.join("\n\n---\n\n");
    byText.set(text, [...(byText.get(text) ?? []), one]);
  }
  const line = "=".repeat(80);
  const parts = [...byText].map(([text, those]) => {
    const names = those.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${line}\n${names.join("\n")}\n${line}\n\n${text}\n`;
  });
  return ["Parts of others are contained, under these licenses.\n", ...parts].join("\n");
}

/** @param {string} license */
function isAllowed(license) {
  try {
    return satisfies(license, allowed);
  } catch {
    // It is no SPDX expression, as `SEE LICENSE IN …`.
    return false;
  }
}

/** Returns what the files of a folder say of rights. @param {string} folder */
function licenseTexts(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /^(licen[cs]e|copying|copyright|notice)[^.]*(\.(md|txt))?$/i.test(entry.name),
    )
    .map(({ name }) => text(join(folder, name)));
}

/**
 * Returns the comments of a bundled file that speak of rights, also of those whose code it has taken over. The bundles are
 * without them.
 *
 * @param {string} file
 */
function legalComments(file) {
  if (!/\.[cm]?js$/.test(file)) return [];
  const comments = text(file).match(/\/\*[^]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? [];
  return comments
    .filter((comment) => comment.length < longestComment)
    .filter((comment) => /copyright|@licen[cs]e|^\/\*!/i.test(comment))
    .map((comment) => comment.replace(/^[ \t]+/gm, " ").trim());
}

/** @param {string} name */
function ownText(name) {
  return readdirSync(ownTexts).includes(fileName(name))
    ? [text(join(ownTexts, fileName(name)))]
    : [];
}

/** @param {string} name a package's */
function fileName(name) {
  return `${name.replace("/", "+")}.txt`;
}

/** @param {string} path */
function text(path) {
  return readFileSync(path, "utf8")
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .trim();
}
