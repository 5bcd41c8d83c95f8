#!/usr/bin/env bash
# Library: jsonl-parse-stringify 1.0.3, with Node 20.20.2.
# Behaviour: `parse` leaves out empty lines, but throws for a line of blanks only, which JSON Lines' readers take for empty too;
#   the error names no line and has none of the others' values. `stringify` ends without a line break, so that two texts
#   put one after the other make a line that is no JSON; and it writes an `undefined` as an empty line, which `parse` leaves
#   out, so that what follows has another place than before.
#   Imported by an ES module in Node, its functions are in the default export's `default`.
# Seen on 29 November 2026:
#   '{"a":1}\n\n{"b":2}\n':    two values
#   '{"a":1}\n  \n{"b":2}\n':  SyntaxError: Unexpected end of JSON input
#   stringify twice:           {"a":1}{"b":2}, which cannot be parsed
#   [1, undefined, 2]:         [1, 2] after stringify and parse
# So `src/core/documents/jsonLines.ts` gives it one line at a time.
# Ends with 0 if all of it still behaves so, with 1 otherwise. It needs npm, and what it installs is of its folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --save-exact jsonl-parse-stringify@1.0.3

cat > sample.js <<'JS'
import imported from "jsonl-parse-stringify";
const jsonl = imported.default;
const parsed = (text) => {
  try {
    return JSON.stringify(jsonl.parse(text));
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
console.log(`empty line: ${parsed('{"a":1}\n\n{"b":2}\n')}`);
console.log(`blanks: ${parsed('{"a":1}\n  \n{"b":2}\n')}`);
const twice = jsonl.stringify([{ a: 1 }]) + jsonl.stringify([{ b: 2 }]);
console.log(`appended: ${twice}, ${parsed(twice).split(":")[0]}`);
console.log(`undefined: ${parsed(jsonl.stringify([1, undefined, 2]))}`);
JS
out=$(node sample.js)
echo "$out"
if [ "$out" = 'empty line: [{"a":1},{"b":2}]
blanks: SyntaxError: Unexpected end of JSON input
appended: {"a":1}{"b":2}, SyntaxError
undefined: [1,2]' ]; then
  echo "as described"
else
  echo "changed: this file, and the code that goes around it, can be looked at again"
  exit 1
fi
