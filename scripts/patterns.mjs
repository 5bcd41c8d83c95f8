// Checks that the time of each regular expression in `src` grows only as its text does: `node scripts/patterns.mjs`.
// Such a text may come from a model or a stranger's file, and a slow expression stops the whole process.
//
// One that is slow in theory is passed over where a comment right above it says `Bounded:` and why its text is short. What is
// put together at run time is not seen here: for those that find calls in a model's text, textCallPatterns.test.ts does.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { analyse } from "scslre";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", "src/*.ts"], {
  cwd: root,
  encoding: "utf8",
});

const faults = [];
let count = 0;
for (const file of listed.split("\n").filter(Boolean)) {
  const text = readFileSync(root + file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split("\n");
  const bounded = new Set(
    lines.flatMap((line, at) => (/^\s*(\/\/|\*|\/\*\*) Bounded: \S/.test(line) ? [at] : [])),
  );
  for (const { node, pattern, flags } of patternsIn(source)) {
    count++;
    const why = slowness(pattern, flags);
    if (why === undefined) continue;
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line;
    const comment = commentAbove(lines, line, bounded);
    if (comment === undefined) faults.push(`${file}:${line + 1} ${node.getText()}\n  ${why}`);
    else bounded.delete(comment);
  }
  for (const line of bounded)
    faults.push(`${file}:${line + 1} no slow pattern is below this comment`);
}
for (const fault of faults) console.log(fault);
console.log(`patterns: ${count} looked at, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** @param {ts.SourceFile} source */
function patternsIn(source) {
  /** @type {{ node: ts.Node, pattern: string, flags: string }[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ node, pattern: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText() === "RegExp"
    ) {
      const [pattern, flags] = node.arguments ?? [];
      if (pattern !== undefined && ts.isStringLiteralLike(pattern)) {
        const given = flags !== undefined && ts.isStringLiteralLike(flags) ? flags.text : "";
        found.push({ node, pattern: pattern.text, flags: given });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns what makes a pattern slow; `undefined` if nothing does. @param {string} source @param {string} flags */
function slowness(source, flags) {
  const { reports } = analyse({ source, flags });
  const [first] = reports;
  if (first === undefined) return undefined;
  const growth = first.exponential ? "exponential" : "quadratic";
  const fixed = first.fix();
  const advice =
    fixed === undefined ? "" : `; the same, but faster: /${fixed.source}/${fixed.flags}`;
  return `${growth} time (${first.type}) for ${JSON.stringify(first.character.pick)}, repeated${advice}`;
}

/** Returns the line of the comment right above. @param {string[]} lines @param {number} line @param {Set<number>} bounded */
function commentAbove(lines, line, bounded) {
  // The formatter may put the expression a line or two below the statement's first.
  for (let at = line; at >= Math.max(0, line - 4); at--) {
    if (bounded.has(at)) return at;
    if (at < line && /^\s*$/.test(lines[at] ?? "")) return undefined;
  }
  return undefined;
}
