import type { TableEdit } from "../../documents/editKeyedTable.js";
import type { RunId } from "../../ids.js";
import type { ProposedInstruction } from "./proposal.js";
import type { ColumnOf, RunRow } from "./runTables.js";

type Instruction = RunRow<"user_instructions">;
type Edit = TableEdit<ColumnOf<"user_instructions">>;

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
  const failed = failedIn(runs);
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

/**
 * Returns the edits by which the table says of the instructions of failed and cancelled runs what holds: they are superseded,
 * by the end of their own run, and what they had replaced is active again.
 */
export function withdrawnInstructions(
  instructions: readonly Instruction[],
  runs: readonly RunRow<"process_runs">[],
): Edit[] {
  const failed = failedIn(runs);
  const ended = instructions.filter((one) => one.status === "ACTIVE" && failed.has(one.run_id));
  // What an ended one had replaced may itself be of a failed run.
  const replacedBy = new Set(ended.map(({ instruction_id: id }) => id));
  const again: Instruction[] = [];
  for (let found = true; found;) {
    const next = instructions.filter(
      (one) => replacedBy.has(one.superseded_by_id) && !replacedBy.has(one.instruction_id),
    );
    for (const one of next) {
      if (failed.has(one.run_id)) replacedBy.add(one.instruction_id);
      else if (!again.includes(one)) again.push(one);
    }
    found = next.some((one) => failed.has(one.run_id));
  }
  return [
    ...ended.map((one): Edit => setTo(one, "SUPERSEDED", one.run_id)),
    ...again.map((one): Edit => setTo(one, "ACTIVE", "")),
  ];
}

/** Returns the edits that take {@link withdrawnInstructions} back for a run that goes on. */
export function reinstatedInstructions(
  runId: RunId,
  instructions: readonly Instruction[],
  proposed: readonly ProposedInstruction[],
): Edit[] {
  const own = instructions.filter((one) => one.run_id === runId && one.superseded_by_id === runId);
  return own.flatMap((one) => {
    const said = proposed.find(({ content }) => sameWords(content) === sameWords(one.content));
    const replaced = instructions.filter(
      (old) =>
        old.status === "ACTIVE" &&
        old.run_id !== runId &&
        said?.supersedes.includes(old.instruction_id),
    );
    return [
      setTo(one, "ACTIVE", ""),
      ...replaced.map((old) => setTo(old, "SUPERSEDED", one.instruction_id)),
    ];
  });
}

function failedIn(runs: readonly RunRow<"process_runs">[]): ReadonlySet<RunId> {
  return new Set(runs.flatMap(({ run_id, status }) => (status === "FAILED" ? [run_id] : [])));
}

function setTo({ instruction_id: id }: Instruction, status: string, by: string): Edit {
  return { type: "set", id, values: { status, superseded_by_id: by } };
}

/** Returns a text in the form in which exact doubles of instructions are found. */
export function sameWords(content: string): string {
  return content.replace(/\s+/g, " ").trim();
}
