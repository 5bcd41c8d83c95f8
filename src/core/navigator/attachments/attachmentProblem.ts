import { type IgnoreSource, IgnoredFiles } from "../../access/ignoredFiles.js";
import { whyNotUnasked } from "../../access/unasked.js";
import type { Attachment, ShownAttachment } from "../../conversation/input/attachment.js";
import { UserError } from "../../errors.js";
import type { FileSystem } from "../../ports/files.js";
import { type Drafted, type Words, words } from "../../text/words.js";

/** A place that an attachment names, as it was judged. */
type JudgedPlace =
  | { readonly ok: true; readonly path: string; readonly kind: "file" | "folder" }
  /** `why` continues a sentence after the path, as in `is outside the workspace`. */
  | { readonly ok: false; readonly why: Words };

/**
 * Judges a path that a person attaches. What experts could not read without approval is not read, because a name in a
 * message can come from elsewhere, by a paste or a link.
 */
export async function judgePlace(
  path: string,
  files: FileSystem,
  hidden: IgnoreSource,
): Promise<JudgedPlace> {
  try {
    const place = await files.locate(path);
    const meant = place.inside ? await meantBy(place.path, files, hidden) : place.path;
    const { path: real, inside } =
      typeof meant === "string" && meant !== place.path ? await files.locate(meant) : place;
    const isLink = place.path !== path && !path.startsWith("/") && inside;
    const refused = (why: Words): JudgedPlace => ({
      ok: false,
      why: isLink ? words("is a link to {path}, which {why}", { path: real, why }) : why,
    });
    const why = await whyNotUnasked({ path: real, inside }, files, hidden);
    if (why !== undefined) return refused(why);
    const stat = await files.stat(real);
    if (stat === undefined) return { ok: false, why: words("does not exist") };
    if (stat.kind === "other") return refused(words("is not a regular file"));
    return { ok: true, path: real, kind: stat.kind };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ok: false, why: words("cannot be read: {problem}", { problem: error }) };
  }
}

/** Returns what a path means that is typed, or what it may mean. The code is needed for few, and loads then. */
async function meantBy(
  path: string,
  files: FileSystem,
  hidden: IgnoreSource,
): Promise<string | readonly string[]> {
  if ((await files.stat(path)) !== undefined) return path;
  const { spelledAlike } = await import("../../access/spelledAlike.js");
  const isHidden = await hidden.read();
  return spelledAlike(path, files, (one) => isHidden(one) !== undefined);
}

/** Returns the attachments as the conversation shows them, with why those are not read that are not. */
export async function shownAttachments(
  attachments: readonly Attachment[],
  files: FileSystem,
): Promise<Drafted<ShownAttachment>[]> {
  const hidden = new IgnoredFiles(files).once();
  return Promise.all(
    attachments.map(async (attachment) => {
      const problem = await placeProblem(attachment, files, hidden);
      return problem === undefined ? { attachment } : { attachment, problem };
    }),
  );
}

async function placeProblem(
  attachment: Attachment,
  files: FileSystem,
  hidden: IgnoreSource,
): Promise<Words | undefined> {
  if (attachment.kind === "image" || !("path" in attachment)) return undefined;
  if (attachment.path === undefined) return undefined;
  const place = await judgePlace(attachment.path, files, hidden);
  if (!place.ok) return place.why;
  if (attachment.kind !== "file" || place.kind !== "file") return undefined;
  const { whyUnusable } = await import("./unusableFile.js");
  return whyUnusable(place.path, files);
}
