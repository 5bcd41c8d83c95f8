/** The newest schema of records that this version knows. */
const known = 1;

/**
 * Returns why a record that a newer version wrote is left alone, in words for people; `undefined` if the
 * record is not newer.
 *
 * @param value the JSON of a file or a line
 */
export function newerSchema(value: unknown, path: string): string | undefined {
  const schema = (value as { schema?: unknown } | null)?.schema;
  if (typeof schema !== "number" || schema <= known) return undefined;
  return `${path} was written by a newer version of Rooroo Navigator. Update it to go on with this task.`;
}
