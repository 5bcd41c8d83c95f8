import * as vscode from "vscode";

/** A server that the workspace names, as a person looks at it. */
export interface ReviewedServer {
  readonly name: string;
  /** The list that names it, as in `.roo/mcp.json`. */
  readonly from: string;
  readonly isAllowed: boolean;
  /** All that it would do, in lines. */
  readonly description: string;
  /** Whether its process would run without a sandbox. */
  readonly outside: boolean;
  /** Stores that the person allows it, until it changes. */
  readonly allow: () => Promise<void>;
}

/** Shows the MCP servers that the workspace names, and allows the one that the user has looked at and wants. */
export async function reviewMcpServers({
  servers,
  problems,
}: {
  readonly servers: readonly ReviewedServer[];
  readonly problems: readonly string[];
}): Promise<void> {
  const { t } = vscode.l10n;
  if (servers.length === 0) {
    const none = t("This workspace names no MCP servers in .roo/mcp.json or .vscode/mcp.json.");
    void vscode.window.showInformationMessage([...problems, none].join(" "));
    return;
  }
  const items = servers.map((server) => ({
    label: server.name,
    description: server.from,
    detail: server.isAllowed ? t("Allowed") : t("Not used until you allow it"),
    server,
  }));
  const title = t("MCP Servers of This Workspace");
  const picked = await vscode.window.showQuickPick(items, { title });
  if (picked === undefined) return;
  const { name, isAllowed, description, outside, allow } = picked.server;
  if (isAllowed) {
    const detail = `${description}\n\n${t("Take it back with “Rooroo: Manage Always-Allowed Actions…”.")}`;
    await vscode.window.showInformationMessage(t("{0} is allowed.", name), { modal: true, detail });
    return;
  }
  const yes = outside ? t("Allow Without Sandbox") : t("Allow Until It Changes");
  const question = t("Allow the MCP server {0} of this workspace?", name);
  const options = { modal: true, detail: description };
  if ((await vscode.window.showWarningMessage(question, options, yes)) === yes) await allow();
}
