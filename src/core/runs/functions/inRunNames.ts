import type { ToolResult } from "../../agent/tool.js";

/** What our tools' own words name, as agents of runs know it. */
const names: Readonly<Record<string, string>> = {
  list_files: "list_directory",
  search_files: "search_file_content",
  write_to_file: "write_file",
  replace_all: "expected_replacements",
};
const known = new RegExp(`\\b(${Object.keys(names).join("|")})\\b`, "g");

/** What is to be done next, where a call failed, in words that whoever made it can follow. */
export function inRunNames<Result extends object>(
  result: Result | ToolResult,
): Result | ToolResult {
  if (!("ok" in result) || result.ok) return result;
  return { ...result, content: result.content.replace(known, (name) => names[name] ?? name) };
}
