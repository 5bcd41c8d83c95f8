#!/usr/bin/env bash
# Tool: the `apply_patch` program inside of @openai/codex 0.160.0 (its own reader of patches that begin with
#   `*** Begin Patch`), with Node 20.20.2 on Linux x64.
# Behaviour, on valid patches, which it applies with exit code 0:
#   - A hunk that only adds lines is put at the end of the file, also where the line behind `@@` says what it stands under.
#   - A file that ends with an empty line loses it, whatever the patch changes.
# Seen on 30 November 2026:
#   added under a: a b new
#   lines of a file with an empty last line: 3 before, 2 after
# So Rooroo puts added lines right behind the line after `@@`, refuses them where no line says where, and keeps every line that
# a patch does not name.
# Ends with 0 if it still behaves so, with 1 otherwise. It needs npm, and installs into a temporary folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund --save-exact @openai/codex@0.160.0
# The program reads patches when it is called by this name.
ln -s "$(find "$folder/node_modules/@openai" -path '*/bin/codex' -type f | head -1)" apply_patch

printf 'a\nb\n' > under.txt
./apply_patch '*** Begin Patch
*** Update File: under.txt
@@ a
+new
*** End Patch' > /dev/null

printf 'a\nb\n\n' > empty.txt
before=$(wc -l < empty.txt)
./apply_patch '*** Begin Patch
*** Update File: empty.txt
@@
-a
+A
*** End Patch' > /dev/null

out="added under a: $(xargs < under.txt)
lines of a file with an empty last line: $before before, $(wc -l < empty.txt) after"
echo "$out"
if [ "$out" = "added under a: a b new
lines of a file with an empty last line: 3 before, 2 after" ]; then
  echo "as described"
else
  echo "changed: docs and the tests of patches can be looked at again"
  exit 1
fi
