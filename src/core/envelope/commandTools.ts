import type { AnyTool, Tool } from "../agent/tool.js";
import type { Patterns } from "../ports/search.js";
import type { Web } from "../ports/web.js";
import { browseCommand } from "./commands/browseCommand.js";
import { editCommand } from "./commands/editCommand.js";
import { readCommand } from "./commands/readCommand.js";
import { replaceCommand } from "./commands/replaceCommand.js";
import { shellCommand } from "./commands/shellCommand.js";
import { escapeCommand, unescapeCommand } from "./commands/stringCommands.js";

export interface CommandParts {
  readonly patterns: Patterns;
  /** Absent: there is no browse command. */
  readonly web?: Web | undefined;
  /** Returns what the user said, in which they may ask for hidden folders. */
  asked(): string;
}

/**
 * R-ENV-3: Returns the commands that stand for a mode's tools, by name. Commands for tools that the mode
 * lacks are left out.
 */
export function commandTools(
  tools: readonly string[],
  parts: CommandParts,
): ReadonlyMap<string, AnyTool> {
  const { patterns, web } = parts;
  const has = (...names: string[]): boolean => names.some((name) => tools.includes(name));
  const chosen: AnyTool[] = [];
  const add = <Arguments>(tool: Tool<Arguments>): void => {
    // The loop gives a tool only what the tool's own schema has parsed.
    chosen.push(tool as unknown as AnyTool);
  };
  if (has("execute_command", "run_shell_command")) add(shellCommand(patterns, () => parts.asked()));
  if (has("web_fetch") && web !== undefined) add(browseCommand(web));
  if (has("read_file")) add(readCommand(() => parts.asked()));
  if (has("edit_file", "apply_diff", "write_to_file", "write_file")) {
    add(editCommand);
    add(replaceCommand(patterns));
  }
  add(escapeCommand);
  if (has("write_to_file", "write_file")) add(unescapeCommand);
  return new Map(chosen.map((tool) => [tool.name, tool]));
}
