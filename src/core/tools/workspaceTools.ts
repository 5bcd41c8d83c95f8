import type { AnyTool, Tool } from "../agent/tool.js";
import { askFollowupQuestion } from "./askFollowupQuestion.js";
import { commandOutput } from "./commands/commandOutput.js";
import { executeCommand } from "./commands/executeCommand.js";
import { drawChart } from "./drawChart.js";
import { applyDiff } from "./editing/applyDiff.js";
import { editFile } from "./editing/editFile.js";
import { insertContent } from "./editing/insertContent.js";
import { writeToFile } from "./editing/writeToFile.js";
import { getDiagnostics } from "./reading/getDiagnostics.js";
import { listFiles } from "./reading/listFiles.js";
import { readFile } from "./reading/readFile.js";
import { searchFiles } from "./reading/searchFiles.js";
import { updateTodoList } from "./updateTodoList.js";
import { webFetch } from "./web/webFetch.js";
import { webSearch } from "./web/webSearch.js";

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

/** The workspace's tools, and those that are offered only to agents with a use for them. */
export const everyTool: readonly AnyTool[] = [...workspaceTools, drawChart as unknown as AnyTool];
