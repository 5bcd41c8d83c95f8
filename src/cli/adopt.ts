import { Adoption, adoptedWords } from "../core/navigator/adoption.js";
import { exitCode } from "./exitCode.js";
import { machine } from "./machine.js";
import type { Options } from "./options.js";
import { taskNamed } from "./taskNamed.js";
import type { Terminal } from "./terminal.js";
import { terminalJson } from "./terminalText.js";
import { workspaceRoot } from "./workspaceRoot.js";

/**
 * Takes over what this installation did not write. It asks no model, so none need be set up.
 *
 * @param task what a person takes for a task's id; `undefined`: everything
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
