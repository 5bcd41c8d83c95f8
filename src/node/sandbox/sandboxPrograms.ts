import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { release } from "node:os";
import { promisify } from "node:util";
import { type Words, words } from "../../core/text/words.js";
import { findProgram } from "../processes/findProgram.js";

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
export function findSandboxPrograms(
  workspace: string,
): Omit<SandboxPrograms, "forbidsNamespaces"> | { readonly missing: string } {
  const bwrap = findProgram(["bwrap"], workspace);
  const unshare = findProgram(["unshare"], workspace);
  const mount = findProgram(["mount"], workspace);
  if (bwrap === undefined) return { missing: "bwrap" };
  if (unshare === undefined) return { missing: "unshare" };
  if (mount === undefined) return { missing: "mount" };
  return { bwrap, unshare, mount };
}

/** Asks bubblewrap for its name with the version, and what it can do. */
export async function askBubblewrap(
  bwrap: string,
): Promise<Pick<SandboxPrograms, "forbidsNamespaces"> & { readonly name: string }> {
  const { stdout } = await run(bwrap, ["--version"]);
  const [, major = "0", minor = "0"] = /(?<!\d)(\d+)\.(\d+)/.exec(stdout) ?? [];
  const forbidsNamespaces = Number(major) > 0 || Number(minor) >= 8;
  return { forbidsNamespaces, name: stdout.trim() };
}

/** Returns why a sandbox does not work on this Linux and what to do, as far as the system tells. */
export function whyNoSandbox(problem: string): Words {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  if (major < 5 || (major === 5 && minor < 11)) {
    return words("The sandbox needs Linux 5.11 or newer; this is {version}. Update the system.", {
      version: release(),
    });
  }
  if (settingOf("kernel/unprivileged_userns_clone") === "0") {
    return switchedOff("sudo sysctl -w kernel.unprivileged_userns_clone=1");
  }
  if (settingOf("user/max_user_namespaces") === "0") {
    return switchedOff("sudo sysctl -w user.max_user_namespaces=10000");
  }
  if (settingOf("kernel/apparmor_restrict_unprivileged_userns") === "1") {
    return words(
      "The sandbox needs user namespaces, which AppArmor restricts here. Allow them with: {command}",
      { command: "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0" },
    );
  }
  return words("The sandbox could not be set up, which is usual inside of containers: {problem}", {
    problem,
  });
}

function switchedOff(command: string): Words {
  return words(
    "The sandbox needs user namespaces, which are switched off here. Switch them on with: {command}",
    { command },
  );
}

/** Returns the message for a program that is missing. */
export function whyMissing(program: string): Words {
  const name = program === "bwrap" ? "bubblewrap" : "util-linux";
  return words(
    "The sandbox needs {program}, which was not found. Install it (Debian and Ubuntu: sudo apt-get install {name}; Fedora: sudo dnf install {name}).",
    { program, name },
  );
}

function settingOf(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** The arguments by which `unshare` runs a shell script as the root of mounts of its own, which go when it ends. */
export const scriptWithOwnMounts: readonly string[] = [
  "--user",
  "--map-root-user",
  "--mount",
  "--propagation",
  "private",
  "--",
  "/bin/sh",
  "-c",
];
