import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { root } from "../root.mjs";

/** Functions whose first argument is a message. */
const takers = new Set(["t", "rich", "translatable", "english", "words"]);

/** Functions of the command line that describe an option, whose second argument is a message. */
const describers = new Set(["flag", "text", "repeatable", "limit", "wholeNumber"]);

/** The folder of the command line, whose descriptions of commands and options are messages. */
const commandLine = "src/cli/";

/** Errors whose words are a message, with the argument that holds it. */
const errors = new Map([
  ["UserError", 1],
  ["WrongUse", 1],
  ["CannotEdit", 1],
  ["NotOpenError", 1],
  ["ModelError", 1],
  ["FileError", 2],
]);

/**
 * Returns the messages of the source, each with the files that have it, relative to the root.
 *
 * @returns {Map<string, string[]>}
 */
export function sourceMessages() {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const source = join(root, "src");
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".ts")) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(root, path).replaceAll("\\", "/");
    for (const message of messagesIn(name, readFileSync(path, "utf8"))) {
      const places = found.get(message) ?? [];
      if (!places.includes(name)) places.push(name);
      found.set(message, places);
    }
  }
  return found;
}

/**
 * Returns the messages that only the command line has: VS Code does not load them.
 *
 * @param {ReadonlyMap<string, readonly string[]>} all As {@link sourceMessages} returns them.
 * @returns {string[]}
 */
export function commandLineMessages(all) {
  return [...all]
    .filter(([, places]) => places.every((place) => place.startsWith(commandLine)))
    .map(([message]) => message);
}

/**
 * Returns the messages that others than the command line have.
 *
 * @param {ReadonlyMap<string, readonly string[]>} all As {@link sourceMessages} returns them.
 * @returns {string[]}
 */
export function editorMessages(all) {
  return [...all]
    .filter(([, places]) => places.some((place) => !place.startsWith(commandLine)))
    .map(([message]) => message);
}

/**
 * Returns the messages of one file in their order; one that is there twice counts twice.
 *
 * @param {string} name
 * @param {string} text
 * @returns {string[]}
 */
export function messagesIn(name, text) {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {ts.Node} */ node) => {
    const message =
      messageOf(node) ?? (name.startsWith(commandLine) ? describedBy(node) : undefined);
    if (message !== undefined && ts.isStringLiteralLike(message)) found.push(message.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  return found;
}

/** Returns the argument that is a message. @param {ts.Node} node */
function messageOf(node) {
  if (ts.isNewExpression(node))
    return node.arguments?.[errors.get(node.expression.getText()) ?? -1];
  if (!ts.isCallExpression(node)) return undefined;
  const { expression: called } = node;
  const name = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
  return takers.has(name) ? node.arguments[0] : undefined;
}

/** Returns what describes a command or an option of the command line. @param {ts.Node} node */
function describedBy(node) {
  if (ts.isPropertyAssignment(node) && node.name.getText() === "description") {
    return node.initializer;
  }
  return ts.isCallExpression(node) && describers.has(node.expression.getText())
    ? node.arguments[1]
    : undefined;
}

/**
 * Returns the translations of each language by their English messages.
 *
 * @param {"bundle" | "cli"} [kind] `bundle`: as VS Code reads them; `cli`: those of the command line alone
 * @returns {Map<string, Record<string, string>>}
 */
export function translationsOfAll(kind = "bundle") {
  const folder = join(root, "l10n");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(
    names.flatMap((name) => {
      const [, of, language] = /^(bundle|cli)\.l10n\.([\w-]+)\.json$/.exec(name) ?? [];
      const translations = () => JSON.parse(readFileSync(join(folder, name), "utf8"));
      return language === undefined || of !== kind ? [] : [[language, translations()]];
    }),
  );
}
