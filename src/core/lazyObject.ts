import { once } from "./once.js";

/** Methods that may return a promise of what they return. */
type AsyncMethods<T> = {
  [Name in keyof T]: T[Name] extends (...given: never[]) => infer Result
    ? Promise<Awaited<Result>> extends Result
      ? T[Name]
      : never
    : never;
};

/**
 * Returns an object with the methods of another one, which is loaded at the first call.
 *
 * @typeParam T methods only, each of which may return a promise
 */
export function lazyObject<T extends AsyncMethods<T>>(load: () => Promise<T>): T {
  const loaded = once(load);
  const method =
    (name: string) =>
    async (...given: unknown[]): Promise<unknown> => {
      const object = await loaded();
      return Reflect.apply(Reflect.get(object, name) as () => unknown, object, given);
    };
  return new Proxy({} as T, {
    // Something with a method `then` would be taken for a promise.
    get: (_, name) => (typeof name === "symbol" || name === "then" ? undefined : method(name)),
  });
}
