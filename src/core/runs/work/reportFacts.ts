import type { RunRows } from "../documents/runState.js";
import { leftOutParts } from "./failure.js";
import { usageText } from "../../agent/usageText.js";
import type { SessionUsage } from "../../ports/messages.js";

/**
 * Returns the paragraphs that each report of a run ends with, in Markdown: its outputs, what was left out, and what it
 * used.
 *
 * @param outputs the folder of the outputs, with a slash at the end
 */
export function reportFacts(rows: RunRows, outputs: string, used: SessionUsage): string[] {
  const made = rows.knowledge_base_catalog
    .filter(({ file_path: path }) => path.startsWith(outputs))
    .map(({ file_path: path, summary }) => `- ${path}${summary === "" ? "" : `: ${summary}`}`);
  const left = leftOutParts(rows).map(({ part_name: name, reason }) => `- ${name}: ${reason}`);
  return [
    made.length === 0 ? "Outputs: none." : ["Outputs:", ...made].join("\n"),
    ...(left.length === 0 ? [] : [["Left out:", ...left].join("\n")]),
    `Used: ${usageText(used)}.`,
  ];
}
