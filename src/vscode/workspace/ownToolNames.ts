import type { OwnTool } from "../../contributions/tools.js";

/** The names of the tools that Rooroo itself offers to other models in VS Code, as in the manifest. */
export const addTaskTool = "rooroo_add_task" satisfies OwnTool;
export const statusTool = "rooroo_status" satisfies OwnTool;

/** Returns whether Rooroo itself provides the tool; its experts are not to call it. */
export function isOwnTool(name: string): boolean {
  return name === addTaskTool || name === statusTool;
}
