#!/usr/bin/env bash
# Library: web-tree-sitter 0.27.1, with Node 20.20.2 on Linux.
# Behaviour: `Parser.init()` keeps one WebAssembly module for the process, but only once the first call has ended. Two calls at
#   the same time make a module each, and the later one replaces the earlier: parsers that were made in between are numbers
#   of a module that nobody uses any more, and what is freed when they are garbage collected is memory of the other.
# Seen on 30 November 2026, as the number of modules that are made:
#   one call after the other: 1
#   two calls at the same time: 2
# So `src/node/shell/bashGrammar.ts` loads the library once for the process, and keeps its parser.
# Ends with 0 if it still behaves so, with 1 otherwise. It needs npm, and installs into a temporary folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --save-exact web-tree-sitter@0.27.1

cat > count.mjs <<'JS'
import { Parser } from "web-tree-sitter";

let made = 0;
const { instantiate } = WebAssembly;
WebAssembly.instantiate = (...given) => {
  made++;
  return instantiate(...given);
};
if (process.argv[2] === "together") await Promise.all([Parser.init(), Parser.init()]);
else {
  await Parser.init();
  await Parser.init();
}
console.log(made);
JS
out="one after the other: $(node count.mjs), together: $(node count.mjs together)"
echo "$out"
if [ "$out" = "one after the other: 1, together: 2" ]; then
  echo "as described"
else
  echo "changed: this file, and the one load of the grammar, can be looked at again"
  exit 1
fi
