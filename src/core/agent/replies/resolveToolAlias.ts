import type { AnyTool } from "../tool.js";

/** The tool that a model's name for it refers to. */
export interface ResolvedTool {
  readonly name: string;
  /** Whether the name is another agent's. It is certain only if all arguments are the tool's, too. */
  readonly isAlias: boolean;
  /** The tool's argument names, by the names that go with the alias. */
  readonly rename: Readonly<Record<string, string>>;
}

const path = { file_path: "path", filepath: "path" };

/**
 * Other agents' names for tools that do exactly what one of Rooroo's does, with their argument names. Tools
 * that could do more or less are not listed. Keys are in the form of {@link squashed}.
 */
const aliases: Readonly<Record<string, Omit<ResolvedTool, "isAlias">>> = {
  read: { name: "read_file", rename: path },
  builtinreadfile: { name: "read_file", rename: path },
  write: { name: "write_to_file", rename: path },
  writefile: { name: "write_to_file", rename: path },
  edit: {
    name: "edit_file",
    rename: { ...path, old_string: "old_text", new_string: "new_text" },
  },
  strreplace: {
    name: "edit_file",
    rename: { ...path, old_str: "old_text", new_str: "new_text" },
  },
  replaceinfile: { name: "apply_diff", rename: {} },
  ls: { name: "list_files", rename: {} },
  listdir: { name: "list_files", rename: {} },
  listdirectory: { name: "list_files", rename: {} },
  bash: { name: "execute_command", rename: {} },
  shell: { name: "execute_command", rename: {} },
  runcommand: { name: "execute_command", rename: {} },
  runterminalcmd: { name: "execute_command", rename: {} },
  runterminalcommand: { name: "execute_command", rename: {} },
  builtinrunterminalcommand: { name: "execute_command", rename: {} },
  runinterminal: { name: "execute_command", rename: {} },
  runshellcommand: { name: "execute_command", rename: {} },
};

/** Finds the one tool that a name certainly refers to; `undefined` if there is none. */
export function resolveToolAlias(
  name: string,
  tools: ReadonlyMap<string, AnyTool>,
): ResolvedTool | undefined {
  const named = (tool: string): ResolvedTool => ({ name: tool, isAlias: false, rename: {} });
  if (tools.has(name)) return named(name);
  const bare = withoutTrimmings(name);
  const plain = squashed(bare);
  if (plain === "") return undefined;
  const matches = [...tools.keys()].filter((tool) => {
    const known = squashed(tool);
    return known === plain || isRepeated(plain, known);
  });
  if (matches.length === 1 && matches[0] !== undefined) return named(matches[0]);
  const alias = Object.hasOwn(aliases, plain) ? aliases[plain] : undefined;
  const isOffered = matches.length === 0 && alias !== undefined && tools.has(alias.name);
  return isOffered ? { ...alias, isAlias: true } : undefined;
}

/**
 * Removes what servers and models add to a name, as in `functions.read_file:0`, `default_api.read_file`,
 * `read_file<|channel|>commentary`.
 */
function withoutTrimmings(name: string): string {
  return name
    .trim()
    .replace(/<\|.*$/s, "")
    .replace(/^(?:functions?|default_api|tools?|api)[.:/]/i, "")
    .replace(/:\d+$/, "")
    .replace(/\(\)$/, "")
    .replace(/^[`"'](.*)[`"']$/s, "$1")
    .trim();
}

/**
 * Returns a name in lower case without separators, so that `read-file`, `ReadFile` and `read_file` are equal;
 * empty if the text is no name.
 */
function squashed(name: string): string {
  return /^[A-Za-z][\w -]*$/.test(name) ? name.toLowerCase().replaceAll(/[_\- ]/g, "") : "";
}

/**
 * Returns whether a name is the known one several times over: some servers repeat it with every piece, and clients in
 * between have joined the pieces.
 */
function isRepeated(plain: string, known: string): boolean {
  const times = plain.length / known.length;
  return Number.isInteger(times) && times > 1 && plain === known.repeat(times);
}
