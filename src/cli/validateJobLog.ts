import { readJobLog } from "../core/jobs/jobLog.js";
import { logProblems } from "../core/jobs/logProblems.js";
import { exitCode } from "./exitCode.js";
import type { Options } from "./options.js";
import type { Terminal } from "./terminal.js";
import { terminalJson, terminalText } from "./terminalText.js";
import { type Problem, readTextFile, tellProblems } from "./validation.js";

/** Says of each log what in it breaks a rule, and which. */
export async function validateJobLog(
  files: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<number> {
  let worst: number = exitCode.done;
  for (const file of files) {
    const read = await readTextFile(file);
    const log = "problem" in read ? undefined : readJobLog(read.text);
    const problems = "problem" in read ? [read.problem] : log === undefined ? [] : told(log);
    if (options.json === true) {
      // One line a file, however many there are.
      terminal.print(`${terminalJson({ file, valid: problems.length === 0, problems })}\n`);
      worst = Math.max(worst, problems.length === 0 ? exitCode.done : exitCode.failed);
      continue;
    }
    const count = log?.tasks.length === 1 ? "1 task" : `${log?.tasks.length ?? 0} tasks`;
    const fine = `${count}, no problems.`;
    worst = Math.max(worst, tellProblems(terminalText(file), problems, fine, options, terminal));
  }
  return worst;
}

function told(log: ReturnType<typeof readJobLog>): Problem[] {
  return logProblems(log).map(({ row, rule, message }) => ({
    ...{ line: row + 1, field: rule, message: terminalText(message) },
  }));
}
