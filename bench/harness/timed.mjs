/**
 * Milliseconds that the work takes.
 *
 * @param {() => unknown} work
 */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
