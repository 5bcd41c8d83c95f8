import { UserError } from "../errors.js";

/** The newest schema of records that this version knows. */
const known = 1;

/**
 * Returns an error that says why a record that a newer version wrote is not read; `undefined` if the
 * record is not newer.
 *
 * @param value the JSON of a file or a line
 */
export function newerSchema(value: unknown, path: string): UserError | undefined {
  const schema = (value as { schema?: unknown } | null)?.schema;
  if (typeof schema !== "number" || schema <= known) return undefined;
  return new UserError(
    "newerVersion",
    "{path} was written by a newer version of Rooroo Navigator. Update it to continue this task.",
    { path },
  );
}
