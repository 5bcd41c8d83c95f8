/** How a tool is presented: a verb for what it does and a codicon. */
export interface ToolLook {
  readonly verb: string;
  readonly icon: string;
}

const looks: Readonly<Record<string, ToolLook>> = {
  read_file: { verb: "Read", icon: "file" },
  list_files: { verb: "List", icon: "folder" },
  search_files: { verb: "Search", icon: "search" },
  write_to_file: { verb: "Write", icon: "new-file" },
  apply_diff: { verb: "Edit", icon: "edit" },
  edit_file: { verb: "Edit", icon: "edit" },
  insert_content: { verb: "Insert", icon: "edit" },
  execute_command: { verb: "Run", icon: "terminal" },
  command_output: { verb: "Look at", icon: "terminal" },
  get_diagnostics: { verb: "Check Problems", icon: "warning" },
  web_fetch: { verb: "Fetch", icon: "globe" },
  web_search: { verb: "Search Web", icon: "globe" },
  update_todo_list: { verb: "Update Steps", icon: "checklist" },
  spend_limit: { verb: "Limit Reached", icon: "dashboard" },
  ask_followup_question: { verb: "Ask", icon: "question" },
  list_directory: { verb: "List", icon: "folder" },
  read_many_files: { verb: "Read", icon: "files" },
  write_file: { verb: "Write", icon: "new-file" },
  glob: { verb: "Find", icon: "search" },
  search_file_content: { verb: "Search", icon: "search" },
  create_directory: { verb: "Make Folder", icon: "new-folder" },
  run_shell_command: { verb: "Run", icon: "terminal" },
  google_web_search: { verb: "Search Web", icon: "globe" },
  draw_chart: { verb: "Draw", icon: "graph" },
  shell: { verb: "Run", icon: "terminal" },
  browse: { verb: "Fetch", icon: "globe" },
  read: { verb: "Read", icon: "file" },
  edit: { verb: "Edit", icon: "edit" },
  replace: { verb: "Replace in", icon: "replace-all" },
  escape_string: { verb: "Escape", icon: "quote" },
  unescape_string: { verb: "Write", icon: "new-file" },
  attempt_completion: { verb: "Report", icon: "output" },
};

export function toolLook(tool: string): ToolLook {
  return Object.hasOwn(looks, tool) && looks[tool] ? looks[tool] : { verb: tool, icon: "tools" };
}
