import { translatable } from "../../core/text/translator.js";
import { t } from "../language/language.js";

const verbs: Readonly<Record<string, string>> = {
  read_file: translatable("Read"),
  list_files: translatable("List"),
  search_files: translatable("Search"),
  write_to_file: translatable("Write"),
  apply_diff: translatable("Edit"),
  edit_file: translatable("Edit"),
  insert_content: translatable("Insert into"),
  execute_command: translatable("Run"),
  command_output: translatable("Look at"),
  get_diagnostics: translatable("Check problems"),
  web_fetch: translatable("Fetch"),
  web_search: translatable("Search the web for"),
  update_todo_list: translatable("Steps"),
  list_directory: translatable("List"),
  read_many_files: translatable("Read"),
  write_file: translatable("Write"),
  glob: translatable("Find"),
  search_file_content: translatable("Search"),
  create_directory: translatable("Make folder"),
  run_shell_command: translatable("Run"),
  google_web_search: translatable("Search the web for"),
  draw_chart: translatable("Draw"),
  find_tools: translatable("Find tools for"),
  use_tool: translatable("Use"),
  shell: translatable("Run"),
  browse: translatable("Fetch"),
  read: translatable("Read"),
  edit: translatable("Edit"),
  replace: translatable("Replace in"),
  escape_string: translatable("Escape"),
  unescape_string: translatable("Write"),
};

/** Returns what a tool's title follows, as in `Edit src/cart.js`; the tool's own name if it is unknown. */
export function toolVerb(tool: string): string {
  return Object.hasOwn(verbs, tool) ? t(verbs[tool] ?? tool) : tool;
}
