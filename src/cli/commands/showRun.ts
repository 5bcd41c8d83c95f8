import { isOpen } from "../../core/runs/runTables.js";
import { runView, type RunView } from "../../core/runs/runView.js";
import { exitCode } from "../terminal/exitCode.js";
import type { Options } from "../session/options.js";
import { runFiles } from "./runFiles.js";
import { runNamed } from "./runNamed.js";
import type { Style } from "../terminal/style.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalLine, terminalText } from "../terminal/terminalText.js";

export async function showRun(
  given: string | undefined,
  directory: string | undefined,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const { store, layout } = await runFiles(options, directory);
  const runId = await runNamed(given, isOpen, store);
  const view = runView(await store.read(runId), layout);
  const text =
    options.json === true ? `${terminalJson(view, 2)}\n` : viewText(view, terminal.style);
  terminal.print(text);
  return exitCode.done;
}

function viewText(view: RunView, { bold, dim, yellow }: Style): string {
  const { completed, planned } = view.tasks;
  const place = [view.current_phase_id, view.current_stage_id, view.current_task_id];
  const at = place.filter((id) => id !== "" && id !== "0").join(", ");
  const files = [view.proposal, view.output_location, view.failure].filter((path) => path !== null);
  const phases = Object.entries(view.phases).map(([name, status]) => `${name} ${status}`);
  return [
    `${bold(terminalLine(view.run_id, 100))}  ${terminalLine(view.status, 40)}`,
    `  ${terminalLine(view.user_request, 300)}`,
    ...phases.map((phase) => dim(`  ${terminalLine(phase, 100)}`)),
    `  ${completed} of ${planned} tasks planned so far are done${at === "" ? "" : `; at ${terminalLine(at, 200)}`}`,
    ...(view.problem === null ? [] : [`  ${yellow("!")} ${terminalLine(view.problem, 300)}`]),
    `  next: ${terminalLine(view.next, 200)}`,
    ...files.map((path) => `  ${terminalText(path)}`),
    "",
  ].join("\n");
}
