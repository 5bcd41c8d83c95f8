import type { McpServer } from "@agentclientprotocol/sdk";
import type { GivenServers } from "../../node/mcp/mcpTools.js";
import { t } from "../language/language.js";

/**
 * Returns the MCP servers that a client offers in the form of the user's own list: they come from the user's editor.
 * A session that needs one says what is wrong with it.
 */
export function givenServers(servers: readonly McpServer[]): GivenServers | undefined {
  if (servers.length === 0) return undefined;
  const entries = servers.map((server): [string, unknown] => [
    // Names become parts of the names of tools.
    server.name.replace(/[^\w.@-]+/g, "-").slice(0, 40),
    "command" in server
      ? { command: server.command, args: server.args, env: named(server.env) }
      : { type: server.type, url: server.url, headers: named(server.headers) },
  ]);
  return { from: t("the editor"), entries: Object.fromEntries(entries) };
}

function named(
  values: readonly { readonly name: string; readonly value: string }[],
): Record<string, string> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}
