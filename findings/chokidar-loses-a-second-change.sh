#!/usr/bin/env bash
# Library: chokidar 4.0.3, with Node 20.20.2 on Linux.
# Behaviour: after it has told of a change of a file, it tells of no other change of that file for 50 ms, and does not look again
#   afterwards: whoever writes a file as soon as a change is told is not heard, until the file changes once more.
# Seen on 29 November 2026:
#   a second line is written when the first change is told; 3 s later: 1 change told, of 2 bytes; the file has 4
# So `test/fakes/vscode/files.ts` looks once more at a file that has changed.
# Ends with 0 if it still behaves so, with 1 otherwise. It needs npm, and installs into a temporary folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --save-exact chokidar@4.0.3

cat > sample.js <<'JS'
import { watch } from "chokidar";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

mkdirSync("watched");
const path = "watched/a.txt";
writeFileSync(path, "");
const watcher = watch("watched", { ignoreInitial: true, alwaysStat: true });
await new Promise((resolve) => watcher.once("ready", resolve));
const told = [];
watcher.on("change", (_path, stats) => {
  told.push(stats.size);
  if (told.length === 1) writeFileSync(path, "1\n2\n");
});
writeFileSync(path, "1\n");
await sleep(3_000);
console.log(`changes told: ${told.length}, of ${told.join(" and ")} bytes; the file has ${statSync(path).size}`);
await watcher.close();
JS
out=$(node sample.js)
echo "$out"
if [ "$out" = "changes told: 1, of 2 bytes; the file has 4" ]; then
  echo "as described"
else
  echo "changed: this file, and the code that goes around it, can be looked at again"
  exit 1
fi
