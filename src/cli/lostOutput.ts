import { UserError } from "../core/errors.js";
import { exitCode } from "./commands/command.js";
import { failureLine } from "./failureLine.js";
import type { Terminal } from "./terminal/terminal.js";

/**
 * Tells of an error of the standard output, and returns the exit code that a command has then. A reader that has closed
 * its end wants no more; but whoever has the output written to a file counts on all of it.
 */
export function codeOfLost(
  error: NodeJS.ErrnoException,
  { code, argv, terminal }: { code: number; argv: readonly string[]; terminal: Terminal },
): number {
  if (!["ENOSPC", "EDQUOT", "EFBIG"].includes(error.code ?? "")) return code;
  const lost = new UserError(
    "outputLost",
    "Not all of the output was written: {problem}. Free some space.",
    { problem: error.message },
  );
  terminal.printError(`${failureLine(lost, argv)}\n`);
  return code === exitCode.done ? exitCode.failed : code;
}
