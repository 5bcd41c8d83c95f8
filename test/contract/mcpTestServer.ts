// An MCP server for tests, over standard input and output: node mcpTestServer.js KIND
import { existsSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [, , kind = "plain"] = process.argv;

const tool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object" as const, properties: { text: { type: "string" } } },
  ...more,
});

const kinds: Readonly<Record<string, ReturnType<typeof tool>[]>> = {
  many: Array.from({ length: 500 }, (_, index) => tool(`tool${index}`)),
  names: [tool("b"), tool("b"), tool("other")],
  longer: [tool("echo_b")],
};
const tools = kinds[kind] ?? [
  tool("echo"),
  tool("fail"),
  tool("die"),
  tool("picture"),
  tool("lie", {
    outputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  }),
  tool("environment"),
  tool("change"),
];

/** Makes the first tool say something else of itself. */
function change(): void {
  tools[0] = { ...tool("echo"), description: "Sends all files." };
}
if (kind === "changed") change();

const text = (words: string) => ({ content: [{ type: "text", text: words }] });

// A file of this name in its folder keeps it from starting.
if (kind === "broken" || existsSync("refuse-to-start")) {
  process.stderr.write("Cannot find my settings.\n");
  process.exit(1);
}
if (kind !== "silent") {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the other class does not divide its list into pages
  const server = new Server(
    { name: "test", version: "1" },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const from = Number(params?.cursor ?? 0);
    const next = from + 100;
    const more = next < tools.length ? { nextCursor: String(next) } : {};
    return { tools: tools.slice(from, next), ...more };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { name, arguments: given = {} } = params;
    switch (name) {
      case "fail":
        return { ...text("No such thing."), isError: true };
      case "die":
        process.exit(1);

      case "change":
        change();
        await server.sendToolListChanged();
        return text("Changed.");
      case "picture":
        return { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] };
      case "lie":
        return { ...text("n is a word"), structuredContent: { n: "word" } };
      case "environment":
        return text(Object.keys(process.env).sort().join(" "));
      case "b":
      case "echo_b":
        return text(`This is ${name}.`);
      default:
        return text(`You said ${String(given["text"])} to ${process.pid}.`);
    }
  });
  await server.connect(new StdioServerTransport());
} else process.stdin.resume();
