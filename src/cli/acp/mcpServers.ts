import type { McpServer } from "@agentclientprotocol/sdk";
import type { GivenServers } from "../../node/mcp/mcpTools.js";
import { t } from "../language/language.js";

/**
 * Returns the MCP servers that a client offers in the form of the user's own list: they come from the user's editor.
 * A session that needs one says what is wrong with it.
 */
export function givenServers(servers: readonly McpServer[]): GivenServers | undefined {
  if (servers.length === 0) return undefined;
  const entries = new Map<string, unknown>();
  for (const server of servers) {
    entries.set(
      freeName(server.name, entries),
      "command" in server
        ? { command: server.command, args: server.args, env: named(server.env) }
        : { type: server.type, url: server.url, headers: named(server.headers) },
    );
  }
  return { from: t("the editor"), entries: Object.fromEntries(entries) };
}

/**
 * Returns a name that can become part of the names of tools. Names that differ only in what cannot be in one, as those in
 * other scripts may, are numbered.
 */
function freeName(given: string, taken: ReadonlyMap<string, unknown>): string {
  const plain = given.replace(/[^\w.@-]+/g, "-").slice(0, 40);
  const base = plain === "" || plain === "-" ? "server" : plain;
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base.slice(0, 36)}-${n}`;
  return name;
}

function named(
  values: readonly { readonly name: string; readonly value: string }[],
): Record<string, string> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}
