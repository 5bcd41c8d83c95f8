/**
 * Returns a test for names that fit a pattern with `*` and `?`, as the shell takes one part of a
 * path.
 *
 * @param fitsDots whether a wildcard at the beginning may stand for a dot, as it may not in a shell
 */
export function namePattern(pattern: string, fitsDots = false): (name: string) => boolean {
  const wanted = Array.from(pattern.replace(/\*+/g, "*"));
  const showsDots = fitsDots || pattern.startsWith(".");
  return (name) => (showsDots || !name.startsWith(".")) && fits(wanted, Array.from(name));
}

/**
 * Returns whether a name fits. Other lengths are tried only for the last `*`: that is enough, and
 * never takes long.
 */
function fits(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let tried = 0;
  for (let index = 0; index < name.length;) {
    if (pattern[at] === "*") {
      star = at++;
      tried = index;
    } else if (pattern[at] === "?" || (at < pattern.length && pattern[at] === name[index])) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++tried;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
