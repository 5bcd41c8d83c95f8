import { FileError, UserError } from "../errors.js";
import type { FileSystem, ReadableFiles } from "../ports/files.js";
import { readableText } from "../text/readableText.js";
import { formatSize } from "../text/textFile.js";
import { type Words, words } from "../text/words.js";
import { type IgnoreSource, IgnoredFiles } from "./ignoredFiles.js";
import { whyNotUnasked } from "./unasked.js";
import { belowPlaces } from "./userPlaces.js";

/** The result of reading a file that a document of the workspace names. */
export type NamedFile =
  | {
      readonly type: "text";
      readonly text: string;
      /** Bytes of the whole file, which may be more than were read. */
      readonly size: number;
    }
  | { readonly type: "missing" }
  /** `why` continues a sentence after the file's name, as in `is outside the workspace`. */
  | { readonly type: "refused"; readonly why: Words };

const nothing: IgnoreSource = { read: () => Promise.resolve(() => undefined) };

/**
 * Reads the beginning of a file that goes to a model because a file of the workspace says so. The
 * user was not asked about it, so it is refused when it lies outside the workspace, is ignored by
 * `.rooignore`, may hold secrets, leads to such a file by a link, or is no regular file.
 *
 * @param most bytes that are read
 * @param hidden says what is hidden from experts; not needed where `files` refuses that by itself
 * @param places absolute paths of folders outside the workspace that count as it does
 * @throws a {@link FileError} when it cannot be told what is hidden
 */
export async function readNamedFile(
  path: string,
  files: ReadableFiles,
  most: number,
  hidden: IgnoreSource = nothing,
  places: readonly string[] = [],
): Promise<NamedFile> {
  const { path: real, inside } = await files.locate(path);
  const refused = (why: Words): NamedFile => ({
    type: "refused",
    why: real === path ? why : words("is a link to {path}, which {why}", { path: real, why }),
  });
  const below = inside ? undefined : await belowPlaces(real, places, files);
  const place = below === undefined ? { path: real, inside } : { path: below, inside: true };
  const why = await whyNotUnasked(place, files, hidden);
  if (why !== undefined) return refused(why);
  const stat = await files.stat(real);
  if (stat === undefined) return { type: "missing" };
  if (stat.kind !== "file") return refused(words("is not a regular file"));
  // The canonical path is read: a link that is put there meanwhile leads nowhere else.
  const bytes = await files.readRange(real, 0, most);
  return { type: "text", text: readableText(bytes), size: stat.size };
}

/**
 * Reads a document that code looks for under its own name, such as a job's file. It may be hidden from
 * experts itself, but a link must not lead to anything that they could not read. Throws a
 * {@link UserError} that names the document when it is such a link, no regular file, or too long.
 *
 * @param most bytes that such a document may have
 * @returns `undefined` when there is none
 */
export async function readOwnDocument(
  path: string,
  files: FileSystem,
  most?: number,
): Promise<Uint8Array | undefined> {
  return (await findOwnDocument(path, files, most))?.bytes;
}

/** Reads a document as {@link readOwnDocument} does; returns with it when it was last changed, as `FileStat` has it. */
export async function findOwnDocument(
  path: string,
  files: FileSystem,
  most = 5_000_000,
): Promise<{ readonly bytes: Uint8Array; readonly modifiedAt: number } | undefined> {
  const found = await files.readLocated(path, most).catch((error: unknown) => {
    if (error instanceof FileError) return "failed" as const;
    throw error;
  });
  if (found === undefined) return undefined;
  const isInPlace = found !== "failed" && found.location.path === path;
  if (isInPlace && found.bytes !== undefined) {
    return { bytes: found.bytes, modifiedAt: found.modifiedAt };
  }
  // Something is wrong with the file: the rest finds out what, and says so.
  const refused = (why: Words) =>
    new UserError(
      "documentRefused",
      "{path} {reason}, so it is not read. Move it away, or put a regular file there.",
      { path, reason: why },
    );
  const [{ path: real }, stat] = await Promise.all([files.locate(path), files.stat(path)]);
  if (real !== path) {
    const linked = await readNamedFile(path, files, 0, new IgnoredFiles(files).once());
    if (linked.type === "refused") throw refused(linked.why);
  }
  if (stat === undefined) return undefined;
  if (stat.kind !== "file") throw refused(words("is not a regular file"));
  if (stat.size > most) throw refused(words("is longer than {size}", { size: formatSize(most) }));
  const bytes = await files.readFile(path);
  return bytes && { bytes, modifiedAt: stat.modifiedAt };
}
