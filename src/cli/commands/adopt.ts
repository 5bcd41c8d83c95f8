import { Adoption, adoptedWords } from "../../core/navigator/adoption.js";
import { exitCode } from "../terminal/exitCode.js";
import { machine } from "../session/machine.js";
import type { Options } from "../session/options.js";
import { taskNamed } from "./taskNamed.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

/**
 * Adopts what this installation did not write. Asks no model, so none needs to be set up.
 *
 * @param task a task's id or a unique end of it; `undefined`: everything
 */
export async function adopt(
  task: string | undefined,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const parts = machine(await workspaceRoot(options.workspace), "rooroo adopt");
  const taskId = task === undefined ? undefined : await taskNamed(task, parts.files);
  const adopted = await new Adoption(parts).adopt(taskId);
  if (options.json === true) terminal.print(`${terminalJson(adopted)}\n`);
  else terminal.print(`${adoptedWords(adopted)}\n`);
  return exitCode.done;
}
