import { findProgram } from "../findProgram.js";

/** Absolute paths of the system's own programs that make a sandbox on Linux. */
export interface SandboxPrograms {
  readonly bwrap: string;
  readonly unshare: string;
  readonly mount: string;
}

/** Answers with the name of the first that is missing. Programs in the workspace do not count. */
export function findSandboxPrograms(workspace: string): SandboxPrograms | { missing: string } {
  const bwrap = findProgram(["bwrap"], workspace);
  const unshare = findProgram(["unshare"], workspace);
  const mount = findProgram(["mount"], workspace);
  if (bwrap === undefined) return { missing: "bwrap" };
  if (unshare === undefined) return { missing: "unshare" };
  return mount === undefined ? { missing: "mount" } : { bwrap, unshare, mount };
}
