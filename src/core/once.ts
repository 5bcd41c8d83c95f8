/** Returns a function that calls `make` at its first call, and returns that result at all calls. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
