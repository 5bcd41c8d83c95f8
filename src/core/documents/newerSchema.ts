/** The newest form of records that this version knows. */
const known = 1;

/**
 * Why a record that a newer version wrote is left alone, in words for people; `undefined` when it is
 * none.
 *
 * @param value a file's or a line's JSON
 */
export function newerSchema(value: unknown, path: string): string | undefined {
  const schema = (value as { schema?: unknown } | null)?.schema;
  if (typeof schema !== "number" || schema <= known) return undefined;
  return `${path} was written by a newer version of Rooroo Navigator. Update it to go on with this task.`;
}
