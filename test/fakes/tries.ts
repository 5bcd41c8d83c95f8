/** Whether everything is tried, as before a release. */
export const isWhole = process.env["ROOROO_TEST_EVERY_OPERATION"] !== undefined;

/** Returns how many of so many inputs by chance a usual run tries: half of them. The first ones are the same. */
export function tries(whole: number): number {
  return isWhole ? whole : Math.ceil(whole / 2);
}
