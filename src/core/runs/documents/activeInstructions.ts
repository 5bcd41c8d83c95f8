import type { RunId } from "../../ids.js";
import type { RunRow } from "./runTables.js";

type Instruction = RunRow<"user_instructions">;

/** Types of instructions that concern nothing but the run that they were confirmed for. */
const ofOneRun = /^(goal|scope)$/i;

/**
 * Returns the active instructions for a run, in the table's order. Another run's instruction is not active any more if
 * that run has failed or was cancelled, or if the instruction is about that run alone. Instructions that it had
 * replaced are then active again.
 */
export function activeInstructions(
  runId: RunId,
  instructions: readonly Instruction[],
  runs: readonly RunRow<"process_runs">[],
): Instruction[] {
  const failed = new Set(
    runs.flatMap(({ run_id, status }) => (status === "FAILED" ? [run_id] : [])),
  );
  const hasEnded = ({ run_id: of, instruction_type: type }: Instruction): boolean =>
    of !== runId && (failed.has(of) || ofOneRun.test(type.trim()));
  const isReplaced = (one: Instruction, seen: readonly Instruction[] = []): boolean => {
    if (one.status === "ACTIVE") return false;
    const by = instructions.find(({ instruction_id: id }) => id === one.superseded_by_id);
    if (by === undefined || seen.includes(by)) return true;
    return !hasEnded(by) || isReplaced(by, [...seen, one]);
  };
  return instructions.filter((one) => !hasEnded(one) && !isReplaced(one));
}

/** Returns a text in the form in which exact doubles of instructions are found. */
export function sameWords(content: string): string {
  return content.replace(/\s+/g, " ").trim();
}
