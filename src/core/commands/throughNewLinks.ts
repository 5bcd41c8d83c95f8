import type { FileSystem } from "../ports.js";
import type { MadePath, Writes } from "./resolveWrites.js";

/**
 * Returns a sentence if it cannot be told where a line writes: one of its commands makes, copies or
 * moves a link, and another one writes through it. The files as they are now do not show that.
 *
 * @param writes of the line's commands, one item for each
 */
export async function throughNewLinks(
  writes: readonly Writes[],
  files: FileSystem,
): Promise<string | undefined> {
  for (const [index, { made }] of writes.entries()) {
    for (const one of made) {
      for (const [other, { paths }] of writes.entries()) {
        if (other === index) continue;
        for (const path of paths) {
          if (path !== one.path && !path.startsWith(`${one.path}/`)) continue;
          if (await leadsElsewhere(one, path, files))
            return `It writes ${path} through ${one.path}, which it makes itself.`;
        }
      }
    }
  }
  return undefined;
}

/** Returns whether a created path will be a link; for a copy, the original tells. */
async function leadsElsewhere(
  { path: made, copyOf }: MadePath,
  path: string,
  files: FileSystem,
): Promise<boolean> {
  if (copyOf === undefined) return true;
  const original = copyOf + path.slice(made.length);
  return (await files.locate(original)).path !== original;
}
