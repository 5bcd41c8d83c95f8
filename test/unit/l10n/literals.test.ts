import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

/** Attributes whose text a person reads or hears. */
const spokenAttribute = /\b(?:title|aria-label|aria-description|placeholder|alt)="([^"]*)"/g;

/** What reads like words for people: a capitalised word, or two words. */
const words = /^[A-Z][a-z]+|\b[a-z]{2,} [a-z]{2,}|[a-z]…$/;

/** Texts of the page that are none of its words, with what they are. */
const pagesOthers: readonly RegExp[] = [
  /^(?:Arrow\w+|Escape|Enter|Period|Tab|Home|End|Delete)$/, // keys
  /^Alt\+/, // keys, as ARIA names them
  /\bcodicon|^(?:chip|composer|icon-button) /, // classes
  /^(?:attention|quiet|failed|shield|error|circle-slash)(?: (?:attention|quiet|failed))?$/, // icons with classes
  /^(?:Macintosh|Ctrl|Files)$/, // the platform, its key, a kind of transfer
  /^(?:Start|Pause|Resume|Waiting|Done)$/, // states of the protocol
  /^Stopped\.$/, // the output of a call that was stopped
  /^space before $/, // a key of lit
  /^Markdown has not been loaded\.$/, // a bug's message
  /^Rooroo Navigator$/,
];

/** Texts of the editor's host that are none of its words, with what they are. */
const hostsOthers: readonly RegExp[] = [
  /^Rooroo(?:: )?$/,
  /^(?:Fix|Explain)$/, // the beginning of a goal, for an expert
  /This is about:/, // a part of a request
  /^Runner$/, // a role of the job's documents
  /^plan changes$|^list needsYou$/, // words that the manifest's menus match
  /^<style>|<html lang=/, // markup
  /^\(Something that is not text\.\)$/, // a tool's result
  // The log.
  /cannot be read(?: again)?: |^(?:The list of|Cannot record that|Cannot read what) | is under way: /,
];

/** Texts of the command line that are none of its words, with what they are. */
const commandLinesOthers: readonly RegExp[] = [
  /^rooroo [a-z -]+$/, // a process's name for others
  /^`rooroo [a-z]+ $/, // a command as it is typed
  /^(?:Done|Succeeded|Stopped|Waiting|NeedsClarification|Advice|Failed)$/, // states of the protocol
  /^Rooroo Navigator$/,
  /^\n\(cut here\)$|^ characters are left out …\n$/, // parts of a prompt
];

/** Files of the command line that are tables of messages. */
const tables = /\/cli\/(?:commandTable|arguments\/options(?:Explained)?)\.ts:/;

/** Files of the host whose texts models read. */
const forModels = "/vscode/ownTools/";

describe("the words for people", () => {
  it("go through the translator in the panel's page, all of them", () => {
    assert.deepEqual(wordsIn("src/webview", pagesOthers), []);
  });

  it("go through the translator in the editor's host, all of them", () => {
    const found = wordsIn("src/vscode", hostsOthers).filter((place) => !place.includes(forModels));
    assert.deepEqual(found, []);
  });

  it("go through the translator on the command line, all of them", () => {
    const found = wordsIn("src/cli", commandLinesOthers).filter((place) => !tables.test(place));
    assert.deepEqual(found, []);
  });

  it("go through the translator where core and runtime tell of something, all of them", () => {
    const found = ["src/core", "src/runtime"].flatMap((folder) =>
      sourcesIn(folder).flatMap((path) => toldWords(path)),
    );
    assert.deepEqual(found, []);
  });
});

/** Fields that hold what a person is told. */
const told = new Set(["label"]);

/** How a task ends, in the protocol's words. */
const ends = /^(?:Done|Failed|Stopped)$/;

/** Methods by which a person is told of something. */
const tellers = new Set(["notice", "told", "ended", "waits", "onNotice"]);

/** Returns what stands in an argument: that of a constant of the same block, if it is one. */
function valueOf(given: ts.Expression): ts.Node {
  if (!ts.isIdentifier(given)) return given;
  for (let around: ts.Node = given; !ts.isSourceFile(around); around = around.parent) {
    if (!ts.isBlock(around)) continue;
    const [found] = around.statements
      .filter((one) => ts.isVariableStatement(one))
      .flatMap(({ declarationList }) => declarationList.declarations)
      .filter(({ name }) => name.getText() === given.text);
    if (found?.initializer !== undefined) return found.initializer;
  }
  return given;
}

/** Returns the literals by which a file tells a person something past the translator, each with its place. */
function toldWords(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const literals = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTranslator(node.expression)) {
      for (const value of node.arguments.slice(1)) literals(value);
      return;
    }
    if (isText(node) && words.test(node.text.trim()) && !ends.test(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1} ${node.text.trim()}`);
    }
    ts.forEachChild(node, literals);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      if (tellers.has(node.expression.name.text)) {
        for (const given of node.arguments) literals(valueOf(given));
      }
    }
    const name = ts.isPropertyAssignment(node) ? node.name.getText() : "";
    if (told.has(name) && ts.isPropertyAssignment(node)) literals(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function wordsIn(folder: string, others: readonly RegExp[]): string[] {
  return sourcesIn(folder).flatMap((path) => literalWords(path, others));
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

/** Returns the literals of a file that read like words for people and are not translated, each with its place. */
function literalWords(path: string, others: readonly RegExp[]): string[] {
  const text = readFileSync(path, "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const tell = (node: ts.Node, what: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1} ${what.trim()}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isCallExpression(node) && isTranslator(node.expression)) {
      for (const value of node.arguments.slice(1)) visit(value);
      return;
    }
    // The templates of errors are messages.
    if (ts.isNewExpression(node) && /(?:Error|WrongUse)$/.test(node.expression.getText())) return;
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "html") {
      for (const shown of shownIn(node.template)) {
        if (!others.some((known) => known.test(shown.trim()))) tell(node, shown);
      }
    } else if (isText(node) && !isOfTemplate(node) && !isCompared(node)) {
      const own = node.text;
      if (words.test(own.trim()) && !others.some((known) => known.test(own))) tell(node, own);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTranslator(node: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(node) ? node.name : node;
  return ["t", "rich", "translatable", "words"].includes(name.getText());
}

/** Returns the texts and the spoken attributes in a template's HTML that have a word of their own. */
function shownIn(template: ts.TemplateLiteral): string[] {
  const parts = ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
  const html = parts.join("\0");
  const texts = html.replace(/<[^>]*>/g, "\n").split("\n");
  const attributes = [...html.matchAll(spokenAttribute)].map(([, text = ""]) => text);
  return [...texts, ...attributes]
    .map((text) => text.replaceAll("\0", ""))
    .filter((text) => /[A-Za-z]{2}/.test(text));
}

type Text = ts.StringLiteral | ts.TemplateLiteralLikeNode;

function isText(node: ts.Node): node is Text {
  return ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node);
}

/** Returns whether a text is a part of a tagged template, which is looked at as a whole. */
function isOfTemplate({ parent }: Text): boolean {
  const template = ts.isTemplateSpan(parent) ? parent.parent : parent;
  return ts.isTaggedTemplateExpression(
    ts.isTemplateExpression(template) ? template.parent : parent,
  );
}

/** Returns whether a text is only compared with: it is a value of the code's. */
function isCompared({ parent }: Text): boolean {
  return (
    ts.isCaseClause(parent) ||
    (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText()))
  );
}
