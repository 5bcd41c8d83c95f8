import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { errorCode } from "../node/fileError.js";
import { exitCode } from "./exitCode.js";
import type { Options } from "./options.js";
import type { Terminal } from "./terminal.js";
import { terminalJson, terminalText } from "./terminalText.js";
import { WrongUse } from "./wrongUse.js";

export interface Problem {
  /** 1-based. */
  readonly line: number;
  /** As in `queue_tasks_json_lines.0.goal_for_expert`. */
  readonly field?: string;
  readonly message: string;
}

/** The file's text; `-` is standard input. A file that is no UTF-8 text has its own problem. */
export async function readTextFile(file: string): Promise<{ text: string } | { problem: Problem }> {
  const bytes = file === "-" ? await buffer(process.stdin) : await readBytes(file);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: { line: 1, message: "This is not UTF-8 text." } };
  }
}

/** Prints what is wrong, a problem a line. Answers with the exit code. */
export function tellProblems(
  file: string,
  problems: readonly Problem[],
  fine: string,
  options: Options,
  terminal: Terminal,
): number {
  if (options.json === true) {
    terminal.print(`${terminalJson({ file, valid: problems.length === 0, problems }, 2)}\n`);
  } else {
    for (const { line, field, message } of problems) {
      const about = field === undefined ? "" : `${field}: `;
      terminal.print(terminalText(`${file}:${line}: ${about}${message}`) + "\n");
    }
    if (problems.length === 0) terminal.print(`${terminalText(file)}: ${fine}\n`);
  }
  return problems.length === 0 ? exitCode.done : exitCode.failed;
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
