import { readFile } from "node:fs/promises";
import { descendantsOf } from "../process/descendantsOf.mjs";
import { say } from "../process/say.mjs";

/** VS Code gives `deactivate` 5 s. */
const GRACE_MS = 10_000;

/** @typedef {Awaited<ReturnType<typeof descendantsOf>>} Processes */

/** The extension hosts that a server has at this moment. Linux only; elsewhere none. @param {number} serverPid */
export async function extensionHostsOf(serverPid) {
  const family = await descendantsOf(serverPid);
  const isHost = await Promise.all(
    family.map(async ({ pid }) => {
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      return line.includes("--type=extensionHost");
    }),
  );
  return family.filter((_one, index) => isHost[index]);
}

/**
 * Resolves when none of them is there any more. A page that is left says goodbye to its extension host
 * while it goes, and now and then that is lost; the host would then wait for minutes for its window to
 * come back. It is ended as a desktop editor ends it, and a line says so.
 *
 * @param {Processes} hosts
 */
export async function extensionHostsEnded(hosts) {
  const deadline = Date.now() + GRACE_MS;
  for (const { pid, isAlive } of hosts) {
    while ((await isAlive()) && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (!(await isAlive())) continue;
    say(`Extension host ${pid} has outlived its window by ${GRACE_MS / 1000} s. It is ended.`);
    process.kill(pid, "SIGKILL");
  }
}
