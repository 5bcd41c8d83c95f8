import type { Said, Words } from "./words.js";

/** Returns what is said in several parts, which follow one another as they are. */
export function joined(...parts: readonly Said[]): Words {
  const params = Object.fromEntries(parts.map((part, index) => [index, part]));
  return { template: parts.map((_, index) => `{${index}}`).join(""), params };
}

/** Returns what is said as a list. */
export function listed(parts: readonly Said[]): Words {
  return joined(...parts.flatMap((part, index) => (index === 0 ? [part] : [", ", part])));
}
