/** The exit codes of the command line. */
export const exitCode = {
  done: 0,
  failed: 1,
  /** The work waits for an answer, an approval, or another runner. */
  waiting: 2,
  /** The command line or its environment is at fault; nothing was begun. */
  wrongUse: 64,
} as const;
