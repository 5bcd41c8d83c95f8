/**
 * Waits for a promise, but no longer than told: rejects with the signal's reason when it aborts, and
 * with what `tooLate` makes when the time is up. The promise itself goes on, and may fail unheard.
 */
export async function withinTime<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  limit?: { readonly ms: number; readonly tooLate: () => Error },
): Promise<T> {
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let stop: () => void = () => undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      promise.then(resolve, reject);
      stop = () => {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever the signal's owner chose
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true });
      if (limit) {
        timer = setTimeout(() => {
          reject(limit.tooLate());
        }, limit.ms);
      }
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
