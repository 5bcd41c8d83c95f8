#!/usr/bin/env bash
# Server: @modelcontextprotocol/server-filesystem 2026.8.31, with @modelcontextprotocol/sdk 1.32.2 and Node 20.20.2.
# Behaviour: `read_media_file` sends the base64 of an image twice, in `content` and in `structuredContent`. A client that gives
#   a model both parts pays for the image once more, as text.
# Seen on 29 November 2026, for a file of 30,000 bytes:
#   an answer of more than 80,000 characters, of which 40,000 in each of the two parts
# So only `content` reaches the model here where a tool gives both.
# Ends with 0 if it still behaves so, with 1 otherwise. It needs npm, and installs into a temporary folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --save-exact \
  @modelcontextprotocol/server-filesystem@2026.8.31 @modelcontextprotocol/sdk@1.32.2

cat > sample.js <<'JS'
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";

mkdirSync("pictures");
const folder = realpathSync("pictures");
// A PNG by its name: the server looks at no more.
const bytes = Buffer.alloc(30_000, 7);
writeFileSync(`${folder}/a.png`, bytes);
const client = new Client({ name: "client", version: "1" });
const args = ["node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", folder];
await client.connect(new StdioClientTransport({ command: "node", args, stderr: "ignore" }));
const answer = await client.callTool({
  name: "read_media_file",
  arguments: { path: `${folder}/a.png` },
});
await client.close();
const has = (part) => JSON.stringify(part ?? null).includes(bytes.toString("base64"));
const { content, structuredContent } = answer;
console.log(`content: ${content[0].type}, ${has(content)}; structuredContent: ${has(structuredContent)}`);
console.log(`characters: ${JSON.stringify(answer).length > 80_000 ? "more than 80000" : "fewer"}`);
JS
out=$(node sample.js)
echo "$out"
if [ "$out" = 'content: image, true; structuredContent: true
characters: more than 80000' ]; then
  echo "as described"
else
  echo "changed: this file, and the code that goes around it, can be looked at again"
  exit 1
fi
