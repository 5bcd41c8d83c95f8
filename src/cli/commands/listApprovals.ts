import { grantText } from "../../core/approvals/grant.js";
import { GrantFile } from "../../node/user/grantFile.js";
import { userFolder } from "../../node/user/userFolder.js";
import { exitCode } from "../terminal/exitCode.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalLine } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

/** Prints what was allowed for good in this workspace by answers at a terminal. */
export async function listApprovals(options: Options, terminal: Terminal): Promise<number> {
  const workspace = await workspaceRoot(options.workspace);
  const kept = await new GrantFile(userFolder(process.env), workspace).list();
  if (options.json === true) {
    terminal.print(`${terminalJson({ workspace, approvals: kept }, 2)}\n`);
    return exitCode.done;
  }
  if (kept.length === 0) terminal.print("Nothing is allowed for good here.\n");
  const { bold, dim } = terminal.style;
  for (const { id, since, grant } of kept) {
    const day = dim(since.slice(0, 10));
    terminal.print(
      `${bold(terminalLine(id, 20))}  ${day}  ${terminalLine(grantText(grant), 300)}\n`,
    );
  }
  return exitCode.done;
}
