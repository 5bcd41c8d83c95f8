import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { WrongUse } from "../commands/wrongUse.js";

/** Returns the workspace folder's absolute path. Throws {@link WrongUse} if it is not a readable folder. */
export async function workspaceRoot(given: string | undefined): Promise<string> {
  const root = resolve(given ?? ".");
  const found = await stat(root).catch(() => undefined);
  if (found === undefined) {
    throw new WrongUse(`There is no folder ${root}. Name an existing one with --workspace.`);
  }
  if (!found.isDirectory()) {
    throw new WrongUse(`${root} is not a folder. Name a folder with --workspace.`);
  }
  try {
    await access(root, constants.R_OK | constants.X_OK);
  } catch {
    throw new WrongUse(
      `The folder ${root} cannot be read. Change its permissions, or name another with --workspace.`,
    );
  }
  return root;
}
