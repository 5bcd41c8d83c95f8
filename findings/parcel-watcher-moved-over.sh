#!/usr/bin/env bash
# Library: @parcel/watcher 2.5.6, by which VS Code 1.139 watches folders, with Node 20.20.2 on Linux.
# Behaviour: a file that is moved over another one, as programs save files that must not be lost, is told as `create` and not
#   as `update`, though the path was there before.
# Seen on 29 November 2026:
#   appended: update
#   moved over: create
# VS Code passes this on: an extension's watcher that ignores the making of files hears nothing. So
# `src/vscode/workspace/followOthers.ts` and `src/vscode/sourceControl/reviewFindings.ts` listen to it, too.
# Ends with 0 if it still behaves so, with 1 otherwise. It needs npm, and installs into a temporary folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --save-exact @parcel/watcher@2.5.6

cat > sample.js <<'JS'
import watcher from "@parcel/watcher";
import { appendFileSync, mkdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

mkdirSync("watched");
const folder = realpathSync("watched");
const path = `${folder}/a.txt`;
writeFileSync(path, "1\n");
writeFileSync("b.txt", "1\n2\n3\n");
await sleep(500);
let told = [];
const subscription = await watcher.subscribe(folder, (_error, events) => {
  told.push(...events.filter((one) => one.path === path).map(({ type }) => type));
});
async function does(what, work) {
  told = [];
  work();
  await sleep(1_500);
  console.log(`${what}: ${told.join(", ")}`);
}
await does("appended", () => appendFileSync(path, "2\n"));
await does("moved over", () => renameSync("b.txt", path));
await subscription.unsubscribe();
JS
out=$(node sample.js)
echo "$out"
if [ "$out" = "appended: update
moved over: create" ]; then
  echo "as described"
else
  echo "changed: this file, and the code that goes around it, can be looked at again"
  exit 1
fi
