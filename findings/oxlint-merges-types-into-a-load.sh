#!/usr/bin/env bash
# Tool: oxlint 1.94.0 (`import/no-duplicates` with `prefer-inline`), and esbuild 0.28.2, with Node 20.20.2 on Linux.
# Behaviour: `--fix` merges two `import type` lines of one module into one `import { type … }`. Its meaning is another one:
#   with `verbatimModuleSyntax`, such a line loads the module at run time, and the two lines before it did not.
# Seen on 29 November 2026, as the number of modules that esbuild's output loads:
#   before the fix: 0
#   after the fix: 1
# So `.oxlintrc.json` has `typescript/no-import-type-side-effects` beside the rule, which refuses what it makes.
# Ends with 0 if it still behaves so, with 1 otherwise. It needs npm, and installs into a temporary folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --save-exact oxlint@1.94.0 esbuild@0.28.2

cat > .oxlintrc.json <<'JSON'
{
  "plugins": ["import"],
  "categories": { "correctness": "off" },
  "rules": { "import/no-duplicates": ["error", { "prefer-inline": true }] }
}
JSON
echo '{ "compilerOptions": { "verbatimModuleSyntax": true } }' > tsconfig.json
cat > shapes.ts <<'TS'
export interface Circle {
  readonly radius: number;
}
export interface Square {
  readonly side: number;
}
TS
cat > area.ts <<'TS'
import type { Circle } from "./shapes.js";
import type { Square } from "./shapes.js";
export const area = (one: Circle | Square): number =>
  "side" in one ? one.side ** 2 : Math.PI * one.radius ** 2;
TS
loaded() { npx esbuild area.ts --format=esm | grep -c '^import ' || true; }
before=$(loaded)
npx oxlint --fix area.ts > /dev/null
head -1 area.ts
out="before the fix: $before, after the fix: $(loaded)"
echo "$out"
if [ "$out" = "before the fix: 0, after the fix: 1" ]; then
  echo "as described"
else
  echo "changed: this file, and the rule beside the other, can be looked at again"
  exit 1
fi
