import { constants } from "node:os";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof signals)[number];

/** Returns the exit code that a shell reports for a process that this signal ended. */
export function signalExitCode(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}

/**
 * Calls `onStop` at the first signal that asks this process to end; the second signal ends the process at
 * once, and with it the commands that it started.
 */
export function stopOnSignals(onStop: (signal: StopSignal) => void): void {
  let seen = false;
  for (const signal of signals) {
    process.on(signal, () => {
      if (seen) process.exit(signalExitCode(signal));
      seen = true;
      onStop(signal);
    });
  }
}
