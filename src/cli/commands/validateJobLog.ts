import { readJobLog } from "../../core/jobs/documents/jobLog.js";
import { logProblems } from "../../core/jobs/documents/logProblems.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { validateDocuments } from "./validation.js";

/** Prints what breaks a rule in each job log, and which rule. */
export function validateJobLog(
  files: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const check = (text: string) => {
    const log = readJobLog(text);
    return { problems: logProblems(log), count: log.tasks.length };
  };
  return validateDocuments(files, "task", check, options, terminal);
}
