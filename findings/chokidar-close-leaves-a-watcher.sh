#!/usr/bin/env bash
# Library: chokidar 4.0.3, with Node 20.20.2 on Linux.
# Behaviour: what it begins to watch while `close()` is called stays watched: the promise of `close()` resolves, and Node's
#   process does not end any more. The surest case is a listener of "add" that closes the watcher. With `persistent: false`
#   nothing keeps the process alive.
# Seen on 29 November 2026, one second after the promise of `close()`:
#   persistent true: 1 watcher keeps the process alive
#   persistent false: 0 watchers keep the process alive
# So `test/fakes/vscode/files.ts` watches with `persistent: false`: a run of tests was red for it once, without a fault.
# Ends with 0 if it still behaves so, with 1 otherwise. It needs npm, and installs into a temporary folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --save-exact chokidar@4.0.3

cat > sample.js <<'JS'
import { watch } from "chokidar";
import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

mkdirSync("watched", { recursive: true });
writeFileSync("watched/a.txt", "");
const persistent = process.argv[2] === "true";
const watcher = watch("watched", { persistent });
await new Promise((resolve) => {
  watcher.once("add", () => resolve(watcher.close()));
});
await sleep(1_000);
const left = process.getActiveResourcesInfo().filter((name) => name === "FSEventWrap").length;
console.log(`persistent ${persistent}: ${left}`);
process.exit();
JS
out="$(node sample.js true), $(node sample.js false)"
echo "$out"
if [ "$out" = "persistent true: 1, persistent false: 0" ]; then
  echo "as described"
else
  echo "changed: this file, and the code that goes around it, can be looked at again"
  exit 1
fi
