import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

/** Attributes whose text a person reads or hears. */
const spokenAttribute = /\b(?:title|aria-label|aria-description|placeholder|alt)="([^"]*)"/g;

/** What reads like words for people: a capitalised word, or two words. */
const words = /^[A-Z][a-z]+|\b[a-z]{2,} [a-z]{2,}|[a-z]…$/;

/** Texts of the page that are none of its words, with what they are. */
const others: readonly RegExp[] = [
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

describe("the words of the panel's page", () => {
  it("go through the translator, all of them", () => {
    const files = readdirSync("src/webview", { recursive: true, withFileTypes: true });
    const found = files
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .flatMap((entry) => literalWords(`${entry.parentPath}/${entry.name}`));
    assert.deepEqual(found, []);
  });
});

/** Returns the literals of a file that read like words for people and are not translated, each with its place. */
function literalWords(path: string): string[] {
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
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "html") {
      for (const shown of shownIn(node.template)) tell(node, shown);
    } else if (isText(node) && !isOfTemplate(node)) {
      const own = node.text;
      if (words.test(own.trim()) && !others.some((known) => known.test(own))) tell(node, own);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTranslator(node: ts.Expression): boolean {
  return ["t", "rich", "translatable"].includes(node.getText());
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
    .filter((text) => /[A-Za-z]{2}/.test(text) && !others.some((known) => known.test(text.trim())));
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
