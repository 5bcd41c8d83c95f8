import { fixedLog } from "./fixedLog.js";
import { readJobFile } from "./jobFile.js";
import { readJobLog } from "./jobLog.js";
import { logProblems } from "./logProblems.js";
import type { DocumentProblem } from "../documents/documentProblem.js";
import type { Fix } from "./logProblem.js";

/** What an editor shows in a job's document. Rows are 0-based. */
export interface JobDocument {
  readonly problems: readonly DocumentProblem[];
  /** Of a job file. */
  readonly questions: readonly {
    readonly id: string;
    /** Of the block's heading. */
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
  /** The problem's. */
  readonly message: string;
  readonly fix: Fix;
  readonly text: string;
}

/** What a log's problem at this row could be put right to; see {@link fixedLog}. */
export function fixedDocument(text: string, row: number): FixedDocument[] {
  const log = readJobLog(text);
  return logProblems(log).flatMap((problem) => {
    const { message, fix } = problem;
    if (problem.row !== row || fix === undefined) return [];
    const fixed = fixedLog(log, fix);
    return fixed === undefined ? [] : [{ message, fix, text: fixed }];
  });
}
