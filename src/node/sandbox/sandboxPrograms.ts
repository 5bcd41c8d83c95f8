import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findProgram } from "../shell/findProgram.js";

const run = promisify(execFile);

/** Absolute paths of the system's own programs that make a sandbox on Linux. */
export interface SandboxPrograms {
  readonly bwrap: string;
  readonly unshare: string;
  readonly mount: string;
  /** Whether bubblewrap can forbid further namespaces, in which a command could mount for itself. */
  readonly forbidsNamespaces: boolean;
}

/**
 * Finds the programs of the sandbox, or names the first that is missing. Programs in the workspace are
 * ignored.
 */
export async function findSandboxPrograms(
  workspace: string,
): Promise<{ programs: SandboxPrograms; name: string } | { missing: string }> {
  const bwrap = findProgram(["bwrap"], workspace);
  const unshare = findProgram(["unshare"], workspace);
  const mount = findProgram(["mount"], workspace);
  if (bwrap === undefined) return { missing: "bwrap" };
  if (unshare === undefined) return { missing: "unshare" };
  if (mount === undefined) return { missing: "mount" };
  const { stdout } = await run(bwrap, ["--version"]);
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  const forbidsNamespaces = Number(major) > 0 || Number(minor) >= 8;
  return { programs: { bwrap, unshare, mount, forbidsNamespaces }, name: stdout.trim() };
}
