/**
 * The steps that this program must undo when it ends, however it ends: last in, first out.
 */
/** @type {(() => unknown)[]} */
const tasks = [];
/** @type {Promise<void> | undefined} */
let running;

/**
 * Registers `task` to run once, at the end.
 *
 * @param {() => unknown} task
 */
export function atEnd(task) {
  tasks.push(task);
}

/** Runs what is registered. Idempotent; a task that fails does not keep the others from running. */
export function cleanUp() {
  return (running ??= (async () => {
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
      try {
        await task();
      } catch (error) {
        console.error(error);
      }
    }
  })());
}

/**
 * Ctrl-C, a closed terminal and a polite kill clean up first. A second Ctrl-C does not wait.
 *
 * @param {{ interrupted?: number }} [codes] The exit code after Ctrl-C, where that is the usual end.
 */
export function cleanUpOnSignals({ interrupted = 130 } = {}) {
  const codes = { SIGINT: interrupted, SIGTERM: 143, SIGHUP: 129 };
  for (const [name, code] of Object.entries(codes)) {
    let seen = false;
    process.on(name, () => {
      if (seen) process.exit(code);
      seen = true;
      void cleanUp().then(() => process.exit(code));
    });
  }
}
