#!/usr/bin/env bash
# Library: jsonl-parse-stringify 1.0.3, with Node 20.20.2.
# Behaviour: `parse` leaves out empty lines, but throws for a line that has only blanks; the error does not say which line.
#   `stringify` writes no line break at the end, so that a second text appended to the first makes a line that is no JSON. It
#   writes `undefined` as an empty line, which `parse` leaves out: the values after it move up by one.
#   In an ES module in Node, the functions are in the default export's `default`.
# Seen on 29 November 2026:
#   '{"a":1}\n\n{"b":2}\n':    two values
#   '{"a":1}\n  \n{"b":2}\n':  SyntaxError: Unexpected end of JSON input
#   stringify twice:           {"a":1}{"b":2}, which cannot be parsed
#   [1, undefined, 2]:         [1, 2] after stringify and parse
# So `src/core/documents/jsonLines.ts` gives it one line at a time.
# Ends with 0 if all of it still behaves so, with 1 otherwise. It needs npm, and installs into a temporary folder only.
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
