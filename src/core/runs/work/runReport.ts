import { usageText } from "../../agent/usageText.js";
import type { SessionUsage } from "../../ports/messages.js";
import { visibleLine } from "../../text/visibleText.js";
import type { RunRows, RunState } from "../documents/runState.js";
import { leftOutParts, skipEdits } from "./failure.js";

/**
 * Returns the report with which a run ends, in Markdown: how it ended, what the user can do about a failure, its outputs,
 * what was left out, what the user said to its agents, and what it used.
 *
 * @param opening how the run ended, in words for the user
 * @param outputs the folder of the outputs, with a slash at the end
 */
export function runReport(
  outcome: "COMPLETED" | "FAILED",
  state: RunState,
  opening: string,
  outputs: string,
  said: readonly string[],
  used: SessionUsage,
): string {
  const canSkip = skipEdits(state, "") !== undefined;
  const choice = `You can have it tried again${canSkip ? " or go on without what has failed" : ""}.`;
  return [
    opening.trimEnd(),
    ...(outcome === "FAILED" ? [choice] : []),
    outputsText(state.rows, outputs),
    ...leftOutText(state.rows),
    ...saidText(said),
    `Used: ${usageText(used)}.`,
  ].join("\n\n");
}

function outputsText({ knowledge_base_catalog: catalog }: RunRows, outputs: string): string {
  const made = catalog
    .filter(({ file_path: path }) => path.startsWith(outputs))
    .map(({ file_path: path, summary }) => `- ${path}${summary === "" ? "" : `: ${summary}`}`);
  return made.length === 0 ? "Outputs: none." : ["Outputs:", ...made].join("\n");
}

function saidText(said: readonly string[]): string[] {
  const lines = said.map((words) => `- ${visibleLine(words, 500)}`);
  return lines.length === 0
    ? []
    : [["You said to its agents while they worked:", ...lines].join("\n")];
}

function leftOutText(rows: RunRows): string[] {
  const left = leftOutParts(rows).map(({ part_name: name, reason }) => `- ${name}: ${reason}`);
  return left.length === 0 ? [] : [["Left out:", ...left].join("\n")];
}
