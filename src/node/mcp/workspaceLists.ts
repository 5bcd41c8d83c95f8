/**
 * The workspace's lists of MCP servers, in which other programs keep theirs, too. Of two servers of one name, the first
 * counts.
 */
export const workspaceLists = [".roo/mcp.json", ".vscode/mcp.json"] as const;
