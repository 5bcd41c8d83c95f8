import { isUtf8 } from "node:buffer";
import { readdirSync } from "node:fs";

/**
 * Returns the names in a folder, and apart from them those that are no UTF-8: of these, bytes beyond ASCII are written as
 * `\\xff`, so that they can be told but name no file. Throws as the system does.
 */
export function folderNames(folder: string): {
  readonly names: readonly string[];
  readonly notUtf8: readonly string[];
} {
  const names = readdirSync(folder);
  // What cannot be decoded has this character, which a name may have by itself, too.
  if (!names.some((name) => name.includes("\uFFFD"))) return { names, notUtf8: [] };
  const all = readdirSync(folder, { encoding: "buffer" });
  return {
    names: all.filter((name) => isUtf8(name)).map((name) => name.toString()),
    notUtf8: all.filter((name) => !isUtf8(name)).map(escaped),
  };
}

function escaped(name: Buffer): string {
  return name
    .toString("latin1")
    .replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}
