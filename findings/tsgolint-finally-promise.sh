#!/usr/bin/env bash
# Tool: oxlint-tsgolint 7.0.2008 (with oxlint 1.94.0); beside it typescript-eslint 8.73.0.
# Behaviour: `no-misused-promises` reports a function that returns a promise to `Promise.prototype.finally`.
#   `finally` waits for that promise, as the language says (ECMA-262, Promise.prototype.finally, step 6), and
#   typescript-eslint, whose rule it is, makes an exception for it.
# Seen on 28 November 2026:
#   oxlint:             typescript(no-misused-promises): Promise returned in function argument where a void return
#                       was expected.
#   typescript-eslint:  nothing
# So `.finally(() => close())` is written as `try { … } finally { await close(); }` here.
# Ends with 0 if both still behave so, with 1 otherwise. It needs npm, and what it installs is of this folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > package.json <<'JSON'
{ "private": true, "type": "module" }
JSON
cat > tsconfig.json <<'JSON'
{ "compilerOptions": { "target": "ES2023", "module": "NodeNext", "strict": true, "types": [], "noEmit": true },
  "files": ["sample.ts"] }
JSON
cat > sample.ts <<'TS'
const order: string[] = [];
async function close(): Promise<void> {
  await Promise.resolve();
  order.push("closed");
}
export async function work(): Promise<string[]> {
  await Promise.resolve().finally(() => close());
  order.push("went on");
  return order;
}
TS
cat > .oxlintrc.json <<'JSON'
{ "plugins": ["typescript"], "categories": { "correctness": "off" },
  "rules": { "typescript/no-misused-promises": "error" } }
JSON
cat > eslint.config.mjs <<'JS'
import tseslint from "typescript-eslint";
export default tseslint.config({
  files: ["sample.ts"],
  extends: [tseslint.configs.base],
  languageOptions: { parserOptions: { project: "./tsconfig.json" } },
  rules: { "@typescript-eslint/no-misused-promises": "error" },
});
JS
npm install --silent --no-audit --no-fund --save-exact \
  oxlint@1.94.0 oxlint-tsgolint@7.0.2008 typescript@5.9.3 eslint@10.15.0 typescript-eslint@8.73.0 esbuild@0.28.2

npx tsc && echo "the sample is valid: tsc has nothing to say"
npx esbuild sample.ts --format=esm --outfile=sample.mjs --log-level=error
echo "what the language does: $(node -e 'import("./sample.mjs").then(({ work }) => work()).then((order) => console.log(order.join(", ")))')"

oxlint=$(npx oxlint --type-aware sample.ts 2>&1 || true)
eslint=$(npx eslint sample.ts 2>&1 || true)
printf 'oxlint says:\n%s\n\ntypescript-eslint says:\n%s\n' "$oxlint" "${eslint:-nothing}"

if grep -q 'no-misused-promises' <<< "$oxlint" && [ -z "$eslint" ]; then
  echo "as described"
else
  echo "changed: this file, and the code that goes around it, can be looked at again"
  exit 1
fi
