import { McpTools } from "../../node/mcp/mcpTools.js";
import { mcpList } from "../../node/user/userFolder.js";
import { workspaceRoot } from "../session/settings.js";
import { terminalLine, terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

/** Starts the MCP servers of the user's list, and says which tools each has. Fails if one cannot be used. */
export async function listMcpServers({ options, terminal }: Cli): Promise<Result<never>> {
  const list = mcpList(process.env);
  const root = await workspaceRoot(options.workspace);
  const tools = new McpTools({ list, root, env: process.env });
  const { servers, problems } = await tools.check();
  await tools.stop();
  const { bold, dim } = terminal.style;
  const text = () => {
    if (servers.length + problems.length === 0) {
      return `There are no MCP servers. Name them in ${terminalText(list)} (see docs/mcp.md).\n`;
    }
    const blocks = servers.map(({ name, tools: named, problem }) => {
      const first = `${bold(name)}  ${problem === undefined ? `${named.length} tools` : "cannot be used"}\n`;
      const rest =
        problem === undefined
          ? named.map(
              (tool) =>
                `  ${terminalLine(tool.name, 80)}  ${dim(terminalLine(tool.description, 100))}\n`,
            )
          : [`  ${terminalLine(problem, 1_000)}\n`];
      return first + rest.join("");
    });
    return [...problems.map((problem) => `${terminalLine(problem, 1_000)}\n`), ...blocks].join("");
  };
  const isWhole = problems.length === 0 && servers.every(({ problem }) => problem === undefined);
  const json = () => ({
    list,
    problems,
    servers: servers.map(({ name, tools: named, problem }) => ({
      name,
      tools: named.map((tool) => tool.name),
      ...(problem === undefined ? {} : { problem }),
    })),
  });
  return { end: isWhole ? "done" : "failed", json, text };
}
