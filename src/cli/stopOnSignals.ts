import { constants } from "node:os";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof signals)[number];

/** What a shell reports of a process that a signal ended. */
export function signalExitCode(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}

/**
 * Tells of the first signal that asks this process to end; the second one ends it at once, and what
 * it started with it.
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
