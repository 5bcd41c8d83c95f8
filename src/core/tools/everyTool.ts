import type { AnyTool } from "../agent/tool.js";
import { drawChart } from "./drawChart.js";
import { workspaceTools } from "./workspaceTools.js";

/** The workspace's tools, and those that are offered only to agents with a use for them. */
export const everyTool: readonly AnyTool[] = [...workspaceTools, drawChart as unknown as AnyTool];
