import { createHash } from "node:crypto";
import { join } from "node:path";
import { userFolder } from "../user/userFolder.js";

/** Returns the absolute path of the folder for the worktrees of all workspaces, outside of them. */
export function allWorktrees(env: NodeJS.ProcessEnv): string {
  return join(userFolder(env), "worktrees");
}

/** Returns the absolute path of the folder for a workspace's worktrees in that for all. */
export function worktreesOf(root: string, all: string): string {
  return join(all, createHash("sha256").update(root).digest("hex").slice(0, 32));
}
