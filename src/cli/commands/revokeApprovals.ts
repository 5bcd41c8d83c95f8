import { GrantFile } from "../../node/user/grantFile.js";
import { userFolder } from "../../node/user/userFolder.js";
import { exitCode } from "../terminal/exitCode.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { workspaceRoot } from "../session/workspaceRoot.js";
import { WrongUse } from "./wrongUse.js";

/**
 * Revokes what was allowed for good. Throws {@link WrongUse} for an unknown id.
 *
 * @param ids ids as `rooroo approvals list` shows them, or `all`
 */
export async function revokeApprovals(
  ids: readonly string[] | "all",
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const workspace = await workspaceRoot(options.workspace);
  const store = new GrantFile(userFolder(process.env), workspace);
  const known = (await store.list()).map(({ id }) => id);
  const chosen = ids === "all" ? known : ids;
  const unknown = chosen.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    throw new WrongUse(
      `There is no approval ${JSON.stringify(unknown)} here; rooroo approvals list shows them.`,
    );
  }
  for (const id of chosen) await store.revoke(id);
  if (options.json !== true) terminal.print(`Revoked: ${chosen.length}.\n`);
  return exitCode.done;
}
