import { createHash } from "node:crypto";

/** The most characters of a name that models' servers accept. */
const longest = 64;
const hashLength = 12;

/**
 * Returns the name of a server's tool for models and for permissions. No other tool of any server has it, and it depends
 * on nothing else, so that it is the same in every session. It is `SERVER_TOOL` where that can be read in one way only,
 * and else ends with a hash of both names.
 */
export function toolName(server: string, tool: string): string {
  const plain = `${server}_${tool}`;
  const isClear = /^[A-Za-z0-9-]+$/.test(server) && /^[A-Za-z0-9_-]+$/.test(tool);
  if (isClear && plain.length <= longest && !/_[0-9a-f]{12}$/.test(plain)) return plain;
  const both = createHash("sha256").update(JSON.stringify([server, tool]));
  const hash = both.digest("hex").slice(0, hashLength);
  const start = plain.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, longest - hashLength - 1);
  return `${start}_${hash}`;
}
