/**
 * The number of characters of a file's name that its temporary name repeats, so that it does not get too
 * long.
 */
const kept = 60;

/** The end of a temporary name. */
const mark = /^([0-9a-f]{16})[0-9a-f]{8}\.tmp$/;

/**
 * Returns the name of the temporary file that is written beside the file called `name` and then replaces
 * it as a whole.
 *
 * @param writer 16 characters of `0-9a-f` that identify the writing process
 * @param random 8 characters of `0-9a-f`
 */
export function temporaryName(name: string, writer: string, random: string): string {
  return `.${name.slice(0, kept)}.${writer}${random}.tmp`;
}

/** Reads a {@link temporaryName} of any file; `undefined` for other names. */
export function readTemporaryName(candidate: string): { readonly writer: string } | undefined {
  const [, end = ""] = /^\..*\.([0-9a-f]+\.tmp)$/s.exec(candidate) ?? [];
  const [, writer] = mark.exec(end) ?? [];
  return writer === undefined ? undefined : { writer };
}
