import { runView } from "../../core/runs/runView.js";
import { exitCode } from "../terminal/exitCode.js";
import type { Options } from "../session/options.js";
import { runFiles } from "./runFiles.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalLine } from "../terminal/terminalText.js";

export async function listRuns(
  directory: string | undefined,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const { store, layout } = await runFiles(options, directory);
  const ids = (await store.rows("process_runs")).map(({ run_id }) => run_id);
  const shared = await store.sharedTables();
  const views = [];
  for (const id of ids) views.push(runView(await store.read(id, shared), layout));
  if (options.json === true) {
    terminal.print(`${terminalJson({ runs: views }, 2)}\n`);
    return exitCode.done;
  }
  if (views.length === 0) terminal.print("No runs yet.\n");
  const { bold, dim, yellow } = terminal.style;
  for (const { run_id, status, user_request, next, problem } of views) {
    terminal.print(`${bold(terminalLine(run_id, 100))}  ${terminalLine(status, 40)}\n`);
    terminal.print(`  ${terminalLine(user_request, 90)}\n`);
    if (problem !== null) terminal.print(`  ${yellow("!")} ${terminalLine(problem, 300)}\n`);
    terminal.print(dim(`  next: ${terminalLine(next, 90)}\n`));
  }
  return exitCode.done;
}
