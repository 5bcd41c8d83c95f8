/**
 * Returns a function that computes a value once for each object, and keeps it as long as the object is there.
 *
 * @param compute of objects that do not change once they are given
 */
export function perObject<Key extends object, Value>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}
