import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

/** Classes whose first argument is a code of their own, and those whose codes are the system's or a model's. */
const ownCodes = new Set(["UserError", "WrongUse", "CannotEdit", "NotOpenError"]);
const sharedCodes = new Map([
  ["FileError", 2],
  ["ModelError", 1],
]);

interface Thrown {
  readonly place: string;
  readonly code: ts.Expression | undefined;
  readonly template: ts.Expression | undefined;
}

describe("the errors for users", () => {
  let thrown: Thrown[];
  before(() => {
    thrown = sources("src").flatMap(errorsIn);
  });

  it("have literal templates that say something, or the template of another error", () => {
    assert.ok(thrown.length > 200, String(thrown.length));
    const wrong = thrown.filter(({ template }) => !isText(template) && !isCopy(template));
    assert.deepEqual(
      wrong.map(({ place }) => place),
      [],
    );
  });

  it("have one template for each code", () => {
    const templates = new Map<string, string>();
    const wrong: string[] = [];
    for (const { place, code, template } of thrown) {
      if (code === undefined || isCopy(code)) continue;
      if (!isLiteral(code) || !/^[a-z][A-Za-z]*$/.test(code.text)) wrong.push(`${place}: no code`);
      else if (isLiteral(template)) {
        const known = templates.get(code.text) ?? template.text;
        templates.set(code.text, known);
        if (known !== template.text) wrong.push(`${place}: ${code.text} has another template`);
      }
    }
    assert.deepEqual(wrong, []);
  });
});

/** Returns all source files in a folder and in the folders inside it. */
function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

function errorsIn(path: string): Thrown[] {
  const text = readFileSync(path, "utf8");
  if (![...ownCodes, ...sharedCodes.keys()].some((name) => text.includes(name))) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Thrown[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node)) {
      const name = node.expression.getText();
      const given = node.arguments ?? [];
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const place = `${path}:${line}`;
      const at = sharedCodes.get(name);
      if (ownCodes.has(name)) found.push({ place, code: given[0], template: given[1] });
      else if (at !== undefined) found.push({ place, code: undefined, template: given[at] });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isLiteral(node: ts.Expression | undefined): node is ts.StringLiteral {
  return node !== undefined && ts.isStringLiteral(node);
}

/** Returns whether the expression is a literal text with at least a word. */
function isText(node: ts.Expression | undefined): boolean {
  return isLiteral(node) && /\w/.test(node.text);
}

/** Returns whether the expression is the code or template of another error. */
function isCopy(node: ts.Expression | undefined): boolean {
  return node !== undefined && /^\w+\.(code|template)$/.test(node.getText());
}
