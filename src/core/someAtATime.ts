/** Returns the results of work on each item, in the items' order; only `most` of it runs at a time. */
export async function someAtATime<T, U>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<U>,
): Promise<U[]> {
  const results: U[] = [];
  results.length = items.length;
  // One iterator for all: each takes the next item that nobody has taken.
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of left) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
