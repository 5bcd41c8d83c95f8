/** Says which names fit a pattern with `*` and `?`, as the shell takes one part of a path. */
export function namePattern(pattern: string): (name: string) => boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\/]/g, "\\$&")
    .replace(/\*+/g, "[^/]*")
    .replace(/\?/g, "[^/]");
  const fits = new RegExp(`^${source}$`, "su");
  const showsDots = pattern.startsWith(".");
  return (name) => (showsDots || !name.startsWith(".")) && fits.test(name);
}
