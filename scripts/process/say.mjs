const startedAt = performance.now();

/**
 * One progress line for the person who waits, with the seconds since the start.
 *
 * @param {string} text
 */
export function say(text) {
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${text}`);
}
