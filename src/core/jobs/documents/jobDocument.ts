import type { DocumentProblem } from "../../documents/documentProblem.js";
import { readJobFile } from "./jobFile.js";
import { readJobLog } from "./jobLog.js";
import { type Fix, fixedLog, logProblems } from "./logProblems.js";

/** The parts of a job's document that an editor shows. Rows are 0-based. */
export interface JobDocument {
  readonly problems: readonly DocumentProblem[];
  /** The questions of a job file; empty for a log. */
  readonly questions: readonly {
    readonly id: string;
    /** The row of the block's heading. */
    readonly row: number;
    readonly isOpen: boolean;
  }[];
}

/** Never throws; `text` may be anything. */
export function readJobDocument(kind: "job" | "log", text: string): JobDocument {
  if (kind === "log") return { problems: logProblems(readJobLog(text)), questions: [] };
  const file = readJobFile(text);
  const questions = file.clarifications.map(({ id, row, end, answer }) => {
    const rows = Array.from({ length: end - row }, (_, index) => row + index);
    const heading = rows.find((one) => /^\s{0,3}#/.test(file.lines.row(one))) ?? row;
    return { id, row: heading, isOpen: answer === undefined };
  });
  return { problems: file.problems, questions };
}

interface FixedDocument {
  /** The rule that the problem breaks that is fixed. */
  readonly rule: string;
  readonly fix: Fix;
  readonly text: string;
}

/** Returns the possible fixes of the log's problems in this row; see {@link fixedLog}. */
export function fixedDocument(text: string, row: number): FixedDocument[] {
  const log = readJobLog(text);
  return logProblems(log).flatMap((problem) => {
    const { rule, fix } = problem;
    if (problem.row !== row || fix === undefined) return [];
    const fixed = fixedLog(log, fix);
    return fixed === undefined ? [] : [{ rule, fix, text: fixed }];
  });
}
