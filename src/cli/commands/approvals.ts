import { permissionText } from "../../core/approvals/permission.js";
import { spoken } from "../../core/text/words.js";
import { PermissionFile } from "../../node/user/permissionFile.js";
import { userFolder } from "../../node/user/userFolder.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { terminalLine } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

/** Lists what was allowed for good in this workspace by answers at a terminal. */
export async function listApprovals({ options, terminal }: Cli): Promise<Result<never>> {
  const workspace = await workspaceRoot(options.workspace);
  const approvals = await new PermissionFile(userFolder(process.env), workspace).list();
  const { bold, dim } = terminal.style;
  const text = () => {
    if (approvals.length === 0)
      return `${t("No permissions have been granted permanently here.")}\n`;
    const lines = approvals.map(({ id, since, grant }) => {
      const day = dim(since.slice(0, 10));
      return `${bold(terminalLine(id, 20))}  ${day}  ${terminalLine(spoken(permissionText(grant), t), 300)}\n`;
    });
    return lines.join("");
  };
  return { end: "done", json: () => ({ workspace, approvals }), text };
}

/**
 * Revokes what was allowed for good. Throws {@link WrongUse} for an unknown id.
 *
 * @param ids ids as `rooroo approvals list` shows them, or `all`
 */
export async function revokeApprovals(
  ids: readonly string[] | "all",
  { options }: Cli,
): Promise<Result<never>> {
  const workspace = await workspaceRoot(options.workspace);
  const store = new PermissionFile(userFolder(process.env), workspace);
  const known = (await store.list()).map(({ id }) => id);
  const chosen = ids === "all" ? known : ids;
  const unknown = chosen.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    throw new WrongUse(
      "permissionUnknown",
      "There is no permission {id}. `rooroo approvals list` shows them.",
      { id: JSON.stringify(unknown) },
    );
  }
  for (const id of chosen) await store.revoke(id);
  return { end: "done", text: () => `${t("Revoked: {0}.", chosen.length)}\n` };
}
