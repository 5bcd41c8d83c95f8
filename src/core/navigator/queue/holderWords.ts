import type { LockHolder } from "../../ports/locks.js";
import { type Words, words } from "../../text/words.js";

/** Returns what a person is told of the process that holds a lock. */
export function holderWords({ label, pid, host, since }: LockHolder): Words {
  return words("{label} (process {pid} on {host}, since {since})", {
    label,
    pid: String(pid),
    host,
    since,
  });
}
