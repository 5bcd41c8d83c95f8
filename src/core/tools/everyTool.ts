import type { AnyTool } from "../agent/tool.js";
import { drawChart } from "./drawChart.js";
import { workspaceTools } from "./workspaceTools.js";

/** The workspace's, and those that only agents with a use for them are told of. */
export const everyTool: readonly AnyTool[] = [...workspaceTools, drawChart as unknown as AnyTool];
