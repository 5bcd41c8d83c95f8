/** Characters of a file's name that its temporary one repeats: names must not become too long. */
const kept = 60;

/** Names without a writer are of earlier versions. */
const mark = /^(?:([0-9a-f]{16})[0-9a-f]{8}|[0-9a-f]{12})\.tmp$/;

/**
 * The name of the file, beside the one called `name`, that is written first and takes its place as
 * a whole.
 *
 * @param writer 16 characters of `0-9a-f` that say which process writes it
 * @param random 8 characters of `0-9a-f`
 */
export function temporaryName(name: string, writer: string, random: string): string {
  return `.${name.slice(0, kept)}.${writer}${random}.tmp`;
}

/** Whether it is a {@link temporaryName} of the file called `name`. */
export function isTemporaryName(candidate: string, name: string): boolean {
  const start = `.${name.slice(0, kept)}.`;
  return candidate.startsWith(start) && mark.test(candidate.slice(start.length));
}

/**
 * Whether it is a {@link temporaryName} of any file, and of which writer; the writer is `undefined`
 * in names of earlier versions.
 */
export function readTemporaryName(
  candidate: string,
): { readonly writer: string | undefined } | undefined {
  const [, end = ""] = /^\..*\.([0-9a-f]+\.tmp)$/s.exec(candidate) ?? [];
  const read = mark.exec(end);
  return read === null ? undefined : { writer: read[1] };
}
