import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { DocumentProblem } from "../../core/documents/documentProblem.js";
import { errorCode } from "../../node/files/fileError.js";
import { exitCode } from "../terminal/exitCode.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalText } from "../terminal/terminalText.js";
import { WrongUse } from "./wrongUse.js";

export interface Problem {
  /** 1-based. */
  readonly line: number;
  /** The field's path, as in `queue_tasks_json_lines.0.goal_for_expert`, or the rule that is broken. */
  readonly field?: string;
  readonly message: string;
}

/**
 * Reads a file, or standard input for `-`. Returns a problem if it is not UTF-8 text. Throws
 * {@link WrongUse} if the file cannot be read.
 */
export async function readTextFile(file: string): Promise<{ text: string } | { problem: Problem }> {
  const bytes = file === "-" ? await buffer(process.stdin) : await readBytes(file);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: { line: 1, message: "This is not UTF-8 text." } };
  }
}

/**
 * Prints the problems, one per line, or `fine` if there are none. Returns the exit code.
 *
 * @param indent the indentation of the JSON; 0 puts it on one line
 */
export function tellProblems(
  file: string,
  problems: readonly Problem[],
  fine: string,
  options: Options,
  terminal: Terminal,
  indent = 2,
): number {
  if (options.json === true) {
    terminal.print(`${terminalJson({ file, valid: problems.length === 0, problems }, indent)}\n`);
  } else {
    for (const { line, field, message } of problems) {
      const about = field === undefined ? "" : `${field}: `;
      terminal.print(terminalText(`${file}:${line}: ${about}${message}`) + "\n");
    }
    if (problems.length === 0) terminal.print(`${terminalText(file)}: ${fine}\n`);
  }
  return problems.length === 0 ? exitCode.done : exitCode.failed;
}

/**
 * Prints what breaks a rule in each document, and which rule; as JSON, one line per file. Returns the exit
 * code.
 *
 * @param noun the singular name of what {@link check} counts
 */
export async function validateDocuments(
  files: readonly string[],
  noun: string,
  check: (
    text: string,
    file: string,
  ) => { readonly problems: readonly DocumentProblem[]; readonly count: number },
  options: Options,
  terminal: Terminal,
): Promise<number> {
  let worst: number = exitCode.done;
  for (const file of files) {
    const read = await readTextFile(file);
    const found = "problem" in read ? { problems: [], count: 0 } : check(read.text, file);
    const problems = found.problems.map(({ row, rule, message }): Problem => {
      return { line: row + 1, field: rule, message };
    });
    if ("problem" in read) problems.push(read.problem);
    const fine = `${found.count} ${noun}${found.count === 1 ? "" : "s"}, no problems.`;
    worst = Math.max(worst, tellProblems(file, problems, fine, options, terminal, 0));
  }
  return worst;
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new WrongUse(
      errorCode(error) === "ENOENT"
        ? `There is no file ${file}.`
        : `${file} cannot be read (${errorCode(error) ?? "unknown"}). Name a file that you may read.`,
    );
  }
}
