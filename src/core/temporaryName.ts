/** Characters of a file's name that its temporary one repeats: names must not become too long. */
const kept = 100;

/**
 * The name of the file, beside the one called `name`, that is written first and takes its place as
 * a whole.
 *
 * @param random 12 characters of `0-9a-f`
 */
export function temporaryName(name: string, random: string): string {
  return `.${name.slice(0, kept)}.${random}.tmp`;
}

/** Whether it is a {@link temporaryName} of the file called `name`. */
export function isTemporaryName(candidate: string, name: string): boolean {
  const start = `.${name.slice(0, kept)}.`;
  return candidate.startsWith(start) && /^[0-9a-f]{12}\.tmp$/.test(candidate.slice(start.length));
}
