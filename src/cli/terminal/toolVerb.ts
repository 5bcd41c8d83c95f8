const verbs: Readonly<Record<string, string>> = {
  read_file: "Read",
  list_files: "List",
  search_files: "Search",
  write_to_file: "Write",
  apply_diff: "Edit",
  edit_file: "Edit",
  insert_content: "Insert into",
  execute_command: "Run",
  command_output: "Look at",
  get_diagnostics: "Check problems",
  web_fetch: "Fetch",
  web_search: "Search the web for",
  update_todo_list: "Steps",
  list_directory: "List",
  read_many_files: "Read",
  write_file: "Write",
  glob: "Find",
  search_file_content: "Search",
  create_directory: "Make folder",
  run_shell_command: "Run",
  google_web_search: "Search the web for",
  draw_chart: "Draw",
  find_tools: "Find tools for",
  use_tool: "Use",
  shell: "Run",
  browse: "Fetch",
  read: "Read",
  edit: "Edit",
  replace: "Replace in",
  escape_string: "Escape",
  unescape_string: "Write",
};

/** Returns what a tool's title follows, as in `Edit src/cart.js`; the tool's own name if it is unknown. */
export function toolVerb(tool: string): string {
  return Object.hasOwn(verbs, tool) ? (verbs[tool] ?? tool) : tool;
}
