import { basename } from "node:path";
import { readRunTable, runTables, type TableName } from "../../core/runs/runTables.js";
import { tableProblems } from "../../core/runs/tableProblems.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { validateDocuments } from "./validation.js";
import { WrongUse } from "./wrongUse.js";

/** Prints what breaks a rule in each table, and which rule. A file's name says which table it is. */
export function validateRunTables(
  files: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const check = (text: string, file: string) => {
    const name = tableNamed(file);
    const table = readRunTable(name, text);
    return { problems: tableProblems(name, table), count: table.rows.length };
  };
  return validateDocuments(files, "row", check, options, terminal);
}

function tableNamed(file: string): TableName {
  const name = basename(file).replace(/\.md$/i, "");
  const known = Object.keys(runTables) as TableName[];
  const found = known.find((one) => one === name);
  if (found !== undefined) return found;
  const names = known.map((one) => `${one}.md`).join(", ");
  throw new WrongUse(`${file} is not called like a run's table. There are: ${names}.`);
}
