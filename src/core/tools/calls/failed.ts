import type { ToolResult } from "../../agent/tool.js";

/**
 * Returns the result of a failed call.
 *
 * @param content what went wrong and what to do next, in words for the model
 */
export function failed(content: string): ToolResult {
  return { ok: false, content };
}
