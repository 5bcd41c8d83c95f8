/**
 * Waits for a promise within a time limit. Rejects with the signal's reason on an abort, and with the
 * error of `tooLate` when the time is up. The promise itself continues, and its failure is then
 * ignored.
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
