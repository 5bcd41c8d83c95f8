import * as vscode from "vscode";
import type { Attachment, ShownAttachment } from "../../core/conversation/input/attachment.js";
import { UserError } from "../../core/errors.js";
import { imageType } from "../../core/images/imageType.js";
import { KeptImages, maxImageBytes } from "../../core/images/keptImages.js";
import { shownAttachments } from "../../core/navigator/attachments/attachmentProblem.js";
import type { FileSystem } from "../../core/ports/files.js";
import { allSpoken } from "../../core/text/allSpoken.js";
import { toBase64 } from "../../core/text/base64.js";
import { lastPart } from "../../core/text/pathParts.js";
import type { AttachedPlaces } from "../../protocol/messages.js";
import { errorText } from "../errors/errorText.js";
import { t } from "../text/words.js";
import { folderPath } from "../workspace/folderPath.js";
import { readUri } from "../workspace/readUri.js";

/** A workspace in which attachments are judged and kept. */
export interface AttachmentWorkspace {
  readonly folder: vscode.Uri;
  readonly files: FileSystem;
}

/**
 * Judges the files and folders that a page names, as they were dropped on it. One outside of the workspace is refused,
 * whatever it is: a page may not make this process read it.
 */
export async function droppedPlaces(
  uris: readonly string[],
  { folder, files }: AttachmentWorkspace,
): Promise<AttachedPlaces> {
  const found: Attachment[] = [];
  const outside: string[] = [];
  for (const given of uris) {
    const uri = parsed(given);
    const path = uri && workspacePath(folder, uri);
    const stat = path === undefined ? undefined : await files.stat(path).catch(() => undefined);
    if (path === undefined || stat === undefined || stat.kind === "other") {
      outside.push(uri?.path ?? given);
    } else found.push({ kind: stat.kind, path });
  }
  const attachments = await judged(found, files);
  if (outside.length === 0) return { attachments };
  const problem = t("Not attached, because it is not in the workspace: {0}", outside.join(", "));
  return { attachments, problem };
}

/** Lets the user choose what to attach. Images may be anywhere; a copy of them is kept with the workspace. */
export async function chosenPlaces(workspace: AttachmentWorkspace): Promise<AttachedPlaces> {
  const { folder, files } = workspace;
  const chosen = await vscode.window.showOpenDialog({
    defaultUri: folder,
    canSelectMany: true,
    openLabel: t("Attach"),
    title: t("Attach Files and Images"),
  });
  const found: Attachment[] = [];
  const refused: string[] = [];
  for (const uri of chosen ?? []) {
    const path = workspacePath(folder, uri);
    try {
      found.push(path === undefined ? await imageAt(uri, files) : { kind: "file", path });
    } catch (error) {
      refused.push(errorText(error));
    }
  }
  const attachments = await judged(found, files);
  return refused.length === 0 ? { attachments } : { attachments, problem: refused.join(" ") };
}

/** Returns the attachments with why they are not read; images of the workspace are kept as they are now. */
export async function judged(
  attachments: readonly Attachment[],
  files: FileSystem,
): Promise<ShownAttachment[]> {
  const shown = allSpoken(await shownAttachments(attachments, files), t);
  return Promise.all(
    shown.map(async (one) => {
      const { attachment, problem } = one;
      if (problem !== undefined || attachment.kind !== "file") return one;
      const found = await files.readLocated(attachment.path, maxImageBytes).catch(() => undefined);
      if (found?.bytes === undefined || imageType(found.bytes) === undefined) return one;
      return keepImage(found.bytes, lastPart(attachment.path), files);
    }),
  );
}

/** Keeps an image and returns its attachment. Throws a `UserError` if it is none, or too large. */
export async function keepImage(
  bytes: Uint8Array,
  name: string,
  files: FileSystem,
): Promise<ShownAttachment> {
  const kept = await new KeptImages(files).keep(bytes, name);
  return { attachment: { kind: "image", ...kept } };
}

/** Returns a kept image as a `data:` address; `null` if it is not there. */
export async function pictureAddress(path: string, files: FileSystem): Promise<string | null> {
  const image = await new KeptImages(files).read(path);
  if (image === undefined) return null;
  return `data:${image.type.mime};base64,${toBase64(image.bytes)}`;
}

async function imageAt(uri: vscode.Uri, files: FileSystem): Promise<Attachment> {
  const bytes = await readUri(uri, maxImageBytes);
  if (bytes === undefined) {
    throw new UserError("imageTooLarge", "{name} is larger than {size}. Attach a smaller image.", {
      name: lastPart(uri.path),
      size: "5 MB",
    });
  }
  return { kind: "image", ...(await new KeptImages(files).keep(bytes, lastPart(uri.path))) };
}

/** Returns the path in the workspace's folder; `undefined` for anything else. */
export function workspacePath(folder: vscode.Uri, uri: vscode.Uri): string | undefined {
  const path = folderPath(folder, uri)?.replace(/(?<!\/)\/+$/, "");
  return path === "" ? undefined : path;
}

function parsed(given: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(given, true);
  } catch {
    return undefined;
  }
}
