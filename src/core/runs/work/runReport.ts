import { costText } from "../../agent/costText.js";
import { usageText } from "../../agent/usageText.js";
import type { SessionUsage } from "../../ports/messages.js";
import { visibleLine } from "../../text/visibleText.js";
import { filled, writtenLanguage } from "../../text/writtenLanguage.js";
import type { RunRows, RunState } from "../documents/runState.js";
import { type RunWords, runWordsIn } from "../documents/runWords.js";
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
  const say = runWordsIn(writtenLanguage(state.rows.process_runs[0]?.user_request ?? ""));
  const choice = skipEdits(state, "") === undefined ? say.tryAgain : say.tryOrSkip;
  return [
    opening.trimEnd(),
    ...(outcome === "FAILED" ? [choice] : []),
    outputsText(state.rows, outputs, say),
    ...leftOutText(state.rows, say),
    ...saidText(said, say),
    usedText(used, say),
  ].join("\n\n");
}

/** Says what the run used: requests, tokens, and what they cost if that is known. */
function usedText(used: SessionUsage, say: RunWords): string {
  const { calls, inputTokens, outputTokens, costUsd } = used;
  const cost = costText(costUsd);
  const behind = cost === "" ? "" : `, ${cost}`;
  return filled(say.used, usageText(used), calls, inputTokens + outputTokens, behind);
}

function outputsText(
  { knowledge_base_catalog: catalog }: RunRows,
  outputs: string,
  say: RunWords,
): string {
  const made = catalog
    .filter(({ file_path: path }) => path.startsWith(outputs))
    .map(({ file_path: path, summary }) => `- ${path}${summary === "" ? "" : `: ${summary}`}`);
  return made.length === 0 ? say.noOutputs : [say.outputs, ...made].join("\n");
}

function saidText(said: readonly string[], say: RunWords): string[] {
  const lines = said.map((words) => `- ${visibleLine(words, 500)}`);
  return lines.length === 0 ? [] : [[say.said, ...lines].join("\n")];
}

function leftOutText(rows: RunRows, say: RunWords): string[] {
  const left = leftOutParts(rows).map(({ part_name: name, reason }) => `- ${name}: ${reason}`);
  return left.length === 0 ? [] : [[say.leftOut, ...left].join("\n")];
}
