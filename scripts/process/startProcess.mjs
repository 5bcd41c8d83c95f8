import { spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { descendantsOf } from "./descendantsOf.mjs";

/**
 * @typedef {object} Running
 * @property {number} pid
 * @property {import("node:child_process").ChildProcess} child
 * @property {Promise<number>} stopped The exit code once it has ended; 1 when a signal ended it.
 * @property {() => Promise<void>} stop Ends it and all that it started. Idempotent.
 * @property {() => Promise<void>} kill As `stop`, but at once and without asking.
 */

const GRACE_MS = 3000;
/** Windows has no process groups, but this. */
const windowsKiller = "taskkill.exe";

/**
 * Starts a long-lived command as the head of its own process group.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio?: import("node:child_process").StdioOptions }} [options]
 * @returns {Running}
 */
export function startProcess(command, args, { cwd, env, stdio = ["ignore", "pipe", "pipe"] } = {}) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio,
    detached: process.platform !== "win32",
  });
  const pid = child.pid ?? 0;
  /** @type {Promise<number>} */
  const stopped = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
  stopped.catch(() => {}); // whoever awaits it hears of it
  // If we end without having stopped it, at least the group goes with us.
  const last = () => signal(-pid, "SIGKILL");
  if (pid !== 0) process.once("exit", last);
  child.once("exit", () => process.removeListener("exit", last));
  /** @type {Promise<void> | undefined} */
  let ending;
  const end = (/** @type {number} */ graceMs) => (ending ??= endTree(pid, stopped, graceMs));
  return { pid, child, stopped, stop: () => end(GRACE_MS), kill: () => end(0) };
}

/**
 * Asks, unless there is no grace, then insists. Programs in terminals and an agent's commands lead
 * groups of their own, so the family is written down before its head dies.
 *
 * @param {number} pid
 * @param {Promise<unknown>} stopped
 * @param {number} graceMs
 */
async function endTree(pid, stopped, graceMs) {
  const ended = stopped.catch(() => {});
  if (pid === 0) return;
  if (process.platform === "win32") {
    spawn(windowsKiller, ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
    return void (await ended);
  }
  const family = await descendantsOf(pid);
  if (graceMs > 0) {
    signal(-pid, "SIGTERM");
    const timer = new AbortController();
    await Promise.race([
      ended,
      setTimeout(graceMs, undefined, { signal: timer.signal }).catch(() => {}),
    ]);
    timer.abort();
  }
  signal(-pid, "SIGKILL");
  for (const member of family) if (await member.isAlive()) signal(member.pid, "SIGKILL");
  await ended;
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // already gone
  }
}
