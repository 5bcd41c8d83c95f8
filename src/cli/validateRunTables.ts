import { basename } from "node:path";
import { readRunTable, runTables, type TableName } from "../core/runs/runTables.js";
import { tableProblems } from "../core/runs/tableProblems.js";
import { exitCode } from "./exitCode.js";
import type { Options } from "./options.js";
import type { Terminal } from "./terminal.js";
import { terminalJson, terminalText } from "./terminalText.js";
import { type Problem, readTextFile, tellProblems } from "./validation.js";
import { WrongUse } from "./wrongUse.js";

/** Says of each table what in it breaks a rule, and which. What it is a table of, its name says. */
export async function validateRunTables(
  files: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<number> {
  let worst: number = exitCode.done;
  for (const file of files) {
    const name = tableNamed(file);
    const read = await readTextFile(file);
    const { problems, rows } = "problem" in read ? broken(read.problem) : checked(name, read.text);
    if (options.json === true) {
      terminal.print(`${terminalJson({ file, valid: problems.length === 0, problems })}\n`);
      worst = Math.max(worst, problems.length === 0 ? exitCode.done : exitCode.failed);
      continue;
    }
    const fine = `${rows === 1 ? "1 row" : `${rows} rows`}, no problems.`;
    worst = Math.max(worst, tellProblems(terminalText(file), problems, fine, options, terminal));
  }
  return worst;
}

function tableNamed(file: string): TableName {
  const name = basename(file).replace(/\.md$/i, "");
  const known = Object.keys(runTables) as TableName[];
  const found = known.find((one) => one === name);
  if (found !== undefined) return found;
  const names = known.map((one) => `${one}.md`).join(", ");
  throw new WrongUse(`${file} is not called like a run's table. There are: ${names}.`);
}

function checked(name: TableName, text: string): { problems: Problem[]; rows: number } {
  const table = readRunTable(name, text);
  const problems = tableProblems(name, table).map(({ row, rule, message }) => ({
    ...{ line: row + 1, field: rule, message: terminalText(message) },
  }));
  return { problems, rows: table.rows.length };
}

function broken(problem: Problem): { problems: Problem[]; rows: number } {
  return { problems: [problem], rows: 0 };
}
