import { translatable } from "../text/translator.js";

/** The groups of tools that a mode file can name. */
export const toolGroups = ["read", "edit", "command", "browser"] as const;

export type ToolGroup = (typeof toolGroups)[number];

/** What people are shown of a tool's calls, and who has it. */
export interface ToolEntry {
  /** Precedes the title of a call, as in `Edit src/cart.js`. English; translated where it is shown. */
  readonly verb: string;
  /** The name of a codicon. */
  readonly icon: string;
  /** What a call does, in the words of the Agent Client Protocol (`ToolKind`). */
  readonly kind: "read" | "search" | "edit" | "execute" | "fetch" | "think" | "other";
  /** The group of a mode file that gives the tool. Absent: none does. */
  readonly group?: ToolGroup;
  /** Whether the title of a call is a file's path, perhaps with lines, as in `src/cart.js:10-40`. */
  readonly isTitledByPath?: true;
  /** What a call that needs no approval reads, so that such calls are shown as one line. Absent: it is shown on its own. */
  readonly reads?: "file" | "folder" | "search";
}

/** How each tool is shown, under each name that it has for an agent: experts, runs and envelopes name some differently. */
const tools: Readonly<Record<string, ToolEntry>> = {
  // Experts and jobs
  read_file: {
    verb: translatable("Read"),
    icon: "file",
    kind: "read",
    group: "read",
    isTitledByPath: true,
    reads: "file",
  },
  list_files: {
    verb: translatable("List"),
    icon: "folder",
    kind: "search",
    group: "read",
    reads: "folder",
  },
  search_files: {
    verb: translatable("Search"),
    icon: "search",
    kind: "search",
    group: "read",
    reads: "search",
  },
  get_diagnostics: {
    verb: translatable("Check Problems"),
    icon: "warning",
    kind: "read",
    group: "read",
  },
  write_to_file: {
    verb: translatable("Write"),
    icon: "new-file",
    kind: "edit",
    group: "edit",
    isTitledByPath: true,
  },
  apply_diff: {
    verb: translatable("Edit"),
    icon: "edit",
    kind: "edit",
    group: "edit",
    isTitledByPath: true,
  },
  edit_file: {
    verb: translatable("Edit"),
    icon: "edit",
    kind: "edit",
    group: "edit",
    isTitledByPath: true,
  },
  insert_content: {
    verb: translatable("Insert"),
    icon: "edit",
    kind: "edit",
    group: "edit",
    isTitledByPath: true,
  },
  execute_command: {
    verb: translatable("Run"),
    icon: "terminal",
    kind: "execute",
    group: "command",
  },
  command_output: {
    verb: translatable("Check Output of"),
    icon: "terminal",
    kind: "read",
    group: "command",
  },
  web_fetch: { verb: translatable("Fetch"), icon: "globe", kind: "fetch", group: "browser" },
  web_search: { verb: translatable("Search Web"), icon: "globe", kind: "fetch", group: "browser" },
  update_todo_list: { verb: translatable("Update Steps"), icon: "checklist", kind: "think" },
  ask_followup_question: { verb: translatable("Ask"), icon: "question", kind: "other" },
  attempt_completion: { verb: translatable("Report"), icon: "output", kind: "other" },
  draw_chart: {
    verb: translatable("Draw"),
    icon: "graph",
    kind: "edit",
    isTitledByPath: true,
  },
  find_tools: { verb: translatable("Find Tools"), icon: "search", kind: "other" },
  use_tool: { verb: translatable("Use"), icon: "tools", kind: "other" },
  /** Not a tool: the question whether to go on beyond a limit. */
  spend_limit: { verb: translatable("Limit Reached"), icon: "dashboard", kind: "other" },
  // Runs
  list_directory: {
    verb: translatable("List"),
    icon: "folder",
    kind: "search",
    reads: "folder",
  },
  read_many_files: { verb: translatable("Read"), icon: "files", kind: "read" },
  write_file: { verb: translatable("Write"), icon: "new-file", kind: "edit" },
  glob: { verb: translatable("Find"), icon: "search", kind: "search", reads: "search" },
  search_file_content: {
    verb: translatable("Search"),
    icon: "search",
    kind: "search",
    reads: "search",
  },
  create_directory: { verb: translatable("Create Folder"), icon: "new-folder", kind: "edit" },
  run_shell_command: { verb: translatable("Run"), icon: "terminal", kind: "execute" },
  google_web_search: { verb: translatable("Search Web"), icon: "globe", kind: "fetch" },
  // Envelopes
  shell: { verb: translatable("Run"), icon: "terminal", kind: "execute" },
  browse: { verb: translatable("Fetch"), icon: "globe", kind: "fetch" },
  read: { verb: translatable("Read"), icon: "file", kind: "read" },
  edit: { verb: translatable("Edit"), icon: "edit", kind: "edit", isTitledByPath: true },
  replace: { verb: translatable("Replace in"), icon: "replace-all", kind: "edit" },
  escape_string: { verb: translatable("Escape"), icon: "quote", kind: "other" },
  unescape_string: { verb: translatable("Write"), icon: "new-file", kind: "edit" },
};

/** Returns how a tool is shown; one that is not ours by its own name. */
export function toolEntry(name: string): ToolEntry {
  const own = Object.hasOwn(tools, name) ? tools[name] : undefined;
  return own ?? { verb: name, icon: "tools", kind: "other" };
}

/** Returns the names of the tools that a group of a mode file stands for. */
export function toolsOf(group: ToolGroup): readonly string[] {
  return Object.keys(tools).filter((name) => tools[name]?.group === group);
}
