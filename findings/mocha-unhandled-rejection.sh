#!/usr/bin/env bash
# Tool: mocha 11.8.0 and 12.0.3, with Node 20.20.2.
# Behaviour: a promise that a test leaves rejected, and that nobody handles, is no failure: the test passes, the run ends
#   with 0, and nothing of the rejection is printed. Node alone ends a process for it, with 1.
# Seen on 28 November 2026:
#   mocha 11.8.0:  1 passing, 0 failing, exit code 0, not a word of the rejection
#   mocha 12.0.3:  the same
#   node:          exit code 1, and the error with its stack
# So `scripts/test/runMocha.mjs` listens for it by itself.
# Ends with 0 if all three still behave so, with 1 otherwise. It needs npm, and what it installs is of its folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > rejected.js <<'JS'
void Promise.reject(new Error("nobody handles this"));
JS
cat > sample.test.js <<'JS'
it("passes", () => {
  void Promise.reject(new Error("nobody handles this"));
});
JS

changed=0
for version in 11.8.0 12.0.3; do
  mkdir "$version"
  echo '{ "private": true }' > "$version/package.json"
  (cd "$version" && npm install --no-audit --no-fund --silent "mocha@$version")
  code=0
  output=$("$version/node_modules/.bin/mocha" --reporter dot sample.test.js 2>&1) || code=$?
  echo "mocha $version: exit code $code"
  echo "$output"
  if [ "$code" != 0 ] || ! grep -q "1 passing" <<< "$output" || grep -q "nobody handles" <<< "$output"; then
    changed=1
  fi
done

code=0
output=$(node rejected.js 2>&1) || code=$?
echo "node $(node --version): exit code $code"
if [ "$code" = 0 ] || ! grep -q "nobody handles this" <<< "$output"; then changed=1; fi
exit "$changed"
