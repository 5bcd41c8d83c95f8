// Rooroo's MCP client as the conformance suite starts one:  node conformanceClient.mjs URL
//
// It does what a session does: it reads a list of servers, asks each for its tools, and calls them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cleanUp } from "../../scripts/process/cleanup.mjs";
import { compiled } from "../harness/compiled.mjs";
import { scratch } from "../harness/scratch.mjs";

const [url] = process.argv.slice(2);
const root = await scratch();
const list = join(root, "mcp.json");
await writeFile(list, JSON.stringify({ mcpServers: { suite: { url, type: "http" } } }));

const { McpTools } = await compiled("node/mcp/mcpTools");
const tools = new McpTools({ list, root, env: process.env });
const never = new AbortController().signal;
let failed = false;
try {
  const problems = await tools.ready();
  for (const problem of problems) console.error(problem);
  failed = problems.length > 0;
  for (const { name, parameters } of tools.offered()) {
    try {
      const { text } = await tools.call(name, inputOf(parameters), never);
      console.log(`${name}: ${text}`);
    } catch (error) {
      failed = true;
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
} finally {
  await tools.stop();
  await cleanUp();
}
process.exitCode = failed ? 1 : 0;

/** @param {{ properties?: Record<string, { type?: string }> }} parameters */
function inputOf({ properties = {} }) {
  const values = Object.entries(properties).map(([key, { type }], index) => {
    const number = 5 - 2 * index;
    return [key, type === "number" || type === "integer" ? number : "text"];
  });
  return Object.fromEntries(values);
}
