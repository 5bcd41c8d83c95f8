#!/usr/bin/env bash
# Library: @modelcontextprotocol/sdk 1.32.2, its client, with Node 20.20.2.
# Behaviour: the client reads a tool's output schema as JSON Schema draft-07, also where the schema names 2020-12, MCP's default
#   (SEP-1613). It ignores `prefixItems`, so that `items: false` beside it forbids every entry: `callTool` refuses an answer
#   that fits, after the tool has run. Without `items`, it takes an answer with a wrong entry.
# Seen on 29 November 2026:
#   ["a"], of [string] and nothing else:  refused, "data/pair/0 boolean schema is false", and the tool has run
#   [1], of [string] and more:            taken
#   by ajv 8.20.0 as 2020-12:             the first fits, the second does not
# So `src/node/mcp/listedTools.ts` checks answers and arguments by itself.
# Ends with 0 if all of it still behaves so, with 1 otherwise. It needs npm, and installs into a temporary folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --save-exact @modelcontextprotocol/sdk@1.32.2 ajv@8.20.0

cat > sample.js <<'JS'
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Ajv2020 } from "ajv/dist/2020.js";

const $schema = "https://json-schema.org/draft/2020-12/schema";
const schemaOf = (more) => ({
  $schema,
  type: "object",
  properties: { pair: { type: "array", prefixItems: [{ type: "string" }], ...more } },
});

async function calls(outputSchema, structuredContent) {
  let runs = 0;
  const server = new Server({ name: "server", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: "pair", inputSchema: { type: "object" }, outputSchema }],
  }));
  server.setRequestHandler(CallToolRequestSchema, () => {
    runs++;
    return { content: [], structuredContent };
  });
  const client = new Client({ name: "client", version: "1" });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  await client.listTools();
  const said = await client.callTool({ name: "pair" }).then(
    () => "taken",
    (error) => `refused, ${error.message}`,
  );
  await client.close();
  return `${said}; runs: ${runs}`;
}

const fits = (schema, value) => new Ajv2020({ strict: false }).validate(schema, value);
const closed = schemaOf({ items: false });
const open = schemaOf({});
console.log(`the schemas are valid: ${new Ajv2020().validateSchema(closed)}, ${new Ajv2020().validateSchema(open)}`);
console.log(`["a"]: client: ${await calls(closed, { pair: ["a"] })}; ajv: ${fits(closed, { pair: ["a"] })}`);
console.log(`[1]: client: ${await calls(open, { pair: [1] })}; ajv: ${fits(open, { pair: [1] })}`);
JS
out=$(node sample.js)
echo "$out"
if grep -q '^the schemas are valid: true, true$' <<< "$out" &&
  grep -q '^\["a"\]: client: refused, .*boolean schema is false; runs: 1; ajv: true$' <<< "$out" &&
  grep -q '^\[1\]: client: taken; runs: 1; ajv: false$' <<< "$out"; then
  echo "as described"
else
  echo "changed: this file, and the code that goes around it, can be looked at again"
  exit 1
fi
