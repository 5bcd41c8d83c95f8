/** Puts `fake` in the place of a function of an object for as long as `work` lasts. */
export async function replaced<O extends object>(
  owner: O,
  name: keyof O,
  fake: unknown,
  work: () => Promise<void>,
): Promise<void> {
  const real = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value: fake, configurable: true, writable: true });
  try {
    await work();
  } finally {
    if (real) Object.defineProperty(owner, name, real);
  }
}
