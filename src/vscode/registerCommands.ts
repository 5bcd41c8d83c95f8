import * as vscode from "vscode";
import * as z from "zod/mini";
import type { CommandId } from "../contributions/commands.js";
import type { Commands } from "./commands.js";
import { showProblem } from "./workspace/showProblem.js";

const manifestSchema = z.object({
  contributes: z.object({ commands: z.array(z.object({ command: z.string() })) }),
});

/**
 * Registers the commands that the manifest names. Their code is loaded when one of them is called. An error is shown
 * to the user.
 *
 * @param manifest the extension's `package.json`
 * @param load may be called any number of times
 * @throws {z.ZodError} if the manifest names no commands
 */
export function registerCommands(
  manifest: unknown,
  load: () => Promise<Commands>,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const registered = manifestSchema.parse(manifest).contributes.commands.map(({ command }) =>
    vscode.commands.registerCommand(command, async (argument: unknown, more: unknown) => {
      try {
        // The manifest is written from the table of which the type is.
        const handlerOf = await load();
        await (
          await handlerOf(command as CommandId)
        )(argument, more);
      } catch (error) {
        await showProblem(error, log);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
