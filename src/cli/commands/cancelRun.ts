import { isOpen } from "../../core/runs/runTables.js";
import { decideRun } from "../../core/runs/decideRun.js";
import { exitCode } from "../terminal/exitCode.js";
import type { Options } from "../session/options.js";
import { runFiles } from "./runFiles.js";
import { runNamed } from "./runNamed.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalText } from "../terminal/terminalText.js";

export async function cancelRun(
  given: string | undefined,
  directory: string | undefined,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const { store, lock } = await runFiles(options, directory);
  const runId = await runNamed(given, isOpen, store);
  await decideRun(runId, { type: "CANCEL" }, store, lock);
  terminal.print(
    options.json === true
      ? `${terminalJson({ run_id: runId, status: "FAILED" }, 2)}\n`
      : `${terminalText(runId)} is cancelled; what it has made stays.\n`,
  );
  return exitCode.done;
}
