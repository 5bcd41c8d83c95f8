import { newJobFile } from "../../core/jobs/documents/jobFolder.js";
import { exitCode } from "../terminal/exitCode.js";
import { machine } from "../session/machine.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalText } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

export async function newJob(
  name: string,
  { goal, dirs }: { readonly goal: string; readonly dirs: readonly string[] },
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const { files } = machine(await workspaceRoot(options.workspace), "rooroo job new");
  const path = await newJobFile(files, { name, goal, dirs });
  terminal.print(
    options.json === true
      ? `${terminalJson({ path }, 2)}\n`
      : `${terminalText(path)} is there. Say in it all that counts, then: rooroo job run ${terminalText(name)}\n`,
  );
  return exitCode.done;
}
