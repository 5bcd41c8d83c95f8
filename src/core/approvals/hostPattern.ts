/**
 * True for a host's name, as in `registry.example.test`, and for `*.example.test`, which stands for all names
 * below it. False for numeric addresses and whole top-level domains.
 */
export function isHostPattern(text: string): boolean {
  if (text.length > 253 || /^[\d.]+$/.test(text)) return false;
  const isBelow = text.startsWith("*.");
  const labels = (isBelow ? text.slice(2) : text).split(".");
  if (labels.length < 2) return false;
  return labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
}
