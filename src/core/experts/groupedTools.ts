/** The tools that each group of a mode file stands for. */
export const groupTools = {
  read: ["read_file", "list_files", "search_files", "get_diagnostics"],
  edit: ["write_to_file", "apply_diff", "edit_file", "insert_content"],
  command: ["execute_command", "command_output"],
  browser: ["web_fetch", "web_search"],
  mcp: [],
  modes: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The tools that the groups of a mode file give. */
export const groupedTools: ReadonlySet<string> = new Set(Object.values(groupTools).flat());
