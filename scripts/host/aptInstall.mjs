import { findOnPath } from "../process/findOnPath.mjs";
import { run } from "../process/run.mjs";

/** Whether packages of the system can be installed here. */
export function canAptInstall() {
  return findOnPath(["apt-get"]) !== undefined && process.getuid?.() === 0;
}

/** @param {readonly string[]} packages */
export async function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const wait = ["-o", "DPkg::Lock::Timeout=120"];
  await run("apt-get", [...wait, "update", "-qq"], { env });
  await run("apt-get", [...wait, "install", "-y", "--no-install-recommends", ...packages], { env });
}
