import type { AnyTool } from "./tool.js";

/** A tool of ours that a model calls by another name. */
export interface ToolMeant {
  readonly name: string;
  /** It is another agent's name: certain only together with arguments that all are ours. */
  readonly isAlias: boolean;
  /** Our names of its arguments, by those that go with the other name. */
  readonly rename: Readonly<Record<string, string>>;
}

const path = { file_path: "path", filepath: "path" };

/**
 * Names by which other agents know what is exactly one of our tools, with the same arguments under
 * the names given. One that could do more or less than ours is not among them.
 */
const aliases: Readonly<Record<string, Omit<ToolMeant, "isAlias">>> = {
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

/** The one tool that a name means beyond doubt, `undefined` where there is none. */
export function toolMeant(
  name: string,
  tools: ReadonlyMap<string, AnyTool>,
): ToolMeant | undefined {
  const named = (tool: string): ToolMeant => ({ name: tool, isAlias: false, rename: {} });
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

/** As in `functions.read_file:0`, `default_api.read_file`, `read_file<|channel|>commentary`. */
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

/** `read-file`, `ReadFile` and `read_file` are one. */
function squashed(name: string): string {
  return /^[A-Za-z][\w -]*$/.test(name) ? name.toLowerCase().replaceAll(/[_\- ]/g, "") : "";
}

/** Some servers send a name anew with every piece, and clients before ours have joined the pieces. */
function isRepeated(plain: string, known: string): boolean {
  const times = plain.length / known.length;
  return Number.isInteger(times) && times > 1 && plain === known.repeat(times);
}
