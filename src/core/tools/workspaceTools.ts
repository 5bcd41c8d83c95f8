import type { AnyTool, Tool } from "../agent/tool.js";
import { applyDiff } from "./editing/applyDiff.js";
import { askFollowupQuestion } from "./askFollowupQuestion.js";
import { commandOutput } from "./commandOutput.js";
import { editFile } from "./editing/editFile.js";
import { executeCommand } from "./executeCommand.js";
import { getDiagnostics } from "./getDiagnostics.js";
import { insertContent } from "./editing/insertContent.js";
import { listFiles } from "./listFiles.js";
import { readFile } from "./readFile.js";
import { searchFiles } from "./searchFiles.js";
import { updateTodoList } from "./updateTodoList.js";
import { webFetch } from "./webFetch.js";
import { webSearch } from "./webSearch.js";
import { writeToFile } from "./editing/writeToFile.js";

/** The tools of the workspace, in the order in which models are told of them. */
export const workspaceTools: readonly AnyTool[] = [
  anyTool(readFile),
  anyTool(listFiles),
  anyTool(searchFiles),
  anyTool(writeToFile),
  anyTool(applyDiff),
  anyTool(editFile),
  anyTool(insertContent),
  anyTool(executeCommand),
  anyTool(commandOutput),
  anyTool(getDiagnostics),
  anyTool(webFetch),
  anyTool(webSearch),
  anyTool(updateTodoList),
  askFollowupQuestion,
];

/**
 * Drops the type of a tool's arguments: the loop gives a tool only what the tool's own schema has
 * parsed.
 */
function anyTool<Arguments>(tool: Tool<Arguments>): AnyTool {
  return tool as unknown as AnyTool;
}
