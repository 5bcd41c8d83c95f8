import { mayHoldSecrets } from "../approvals/secretFiles.js";
import type { FileSystem } from "../ports.js";
import type { Hidden } from "./hiddenFiles.js";

/** What came of reading a file that a document of the workspace names. */
export type NamedFile =
  | {
      readonly type: "text";
      readonly text: string;
      /** Bytes of the whole file, which may be more than were read. */
      readonly size: number;
    }
  | { readonly type: "missing" }
  /** `why` goes on after the file's name, as in `is outside the workspace`. */
  | { readonly type: "refused"; readonly why: string };

const nothing: Hidden = { read: () => Promise.resolve(() => undefined) };

/**
 * Reads the beginning of a file that goes to a model because a file of the workspace says so. Nobody
 * was asked about it, so it is refused when it lies outside the workspace, is hidden from experts, may
 * hold secrets, leads to such a file by a link, or is no regular file. Throws a {@link FileError} when
 * it cannot be told what is hidden.
 *
 * @param most bytes that are read
 * @param hidden says what is hidden from experts; not needed where `files` refuses that by itself
 */
export async function readNamedFile(
  path: string,
  files: FileSystem,
  most: number,
  hidden: Hidden = nothing,
): Promise<NamedFile> {
  const { path: real, inside } = await files.locate(path);
  const shown = real === path ? "" : `is a link to ${real}, which `;
  if (!inside) return { type: "refused", why: `${shown}is outside the workspace` };
  if ((await hidden.read())(real) !== undefined) {
    return { type: "refused", why: `${shown}is hidden from experts by .rooignore` };
  }
  if (mayHoldSecrets(real)) return { type: "refused", why: `${shown}may hold keys or passwords` };
  const stat = await files.stat(real);
  if (stat === undefined) return { type: "missing" };
  if (stat.kind !== "file") return { type: "refused", why: `${shown}is not a regular file` };
  // The canonical path is read: a link that is put there meanwhile leads nowhere else.
  const bytes = await files.readRange(real, 0, most);
  return { type: "text", text: new TextDecoder().decode(bytes), size: stat.size };
}
