import type { ToolResult } from "../../../agent/tool.js";

/** The names that agents of runs know, by the names in the shared tools' messages. */
const names: Readonly<Record<string, string>> = {
  list_files: "list_directory",
  search_files: "search_file_content",
  write_to_file: "write_file",
  replace_all: "expected_replacements",
};
const known = new RegExp(`\\b(${Object.keys(names).join("|")})\\b`, "g");

/**
 * Replaces the names of tools in a failed result, so that its advice can be followed by an agent of a run.
 */
export function inRunNames<Result extends object>(
  result: Result | ToolResult,
): Result | ToolResult {
  if (!("ok" in result) || result.ok) return result;
  return { ...result, content: result.content.replace(known, (name) => names[name] ?? name) };
}
