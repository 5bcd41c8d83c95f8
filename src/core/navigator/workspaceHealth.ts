import type { MachineFacts } from "./machineReport.js";
import type { LockHolder } from "../ports/locks.js";
import type { Overview } from "./overview.js";

/** Returns what the overview knows of a workspace, in the form of the machine report. */
export function workspaceHealth(
  path: string,
  { holder, other, problems, modeProblems }: Overview,
): MachineFacts["workspace"] {
  const holders = [holder, other].filter((one) => one !== undefined).map(shownHolder);
  return {
    path,
    holders: [...new Set(holders)],
    problems: [
      ...problems.map(({ line, reason }) => `Line ${line} of the queue: ${reason}`),
      ...modeProblems.map(({ message }) => `.roomodes: ${message}`),
    ],
  };
}

function shownHolder({ label, pid, host, since }: LockHolder): string {
  return `${label} (process ${pid} on ${host}, since ${since})`;
}
