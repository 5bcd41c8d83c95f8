import type { Translate } from "../../text/translator.js";
import type { Attachment } from "./attachment.js";

/** Returns the short name of an attachment, as its chip shows it, as in `cart.js:10-20`. */
export function attachmentLabel(attachment: Attachment, t: Translate): string {
  switch (attachment.kind) {
    case "file":
    case "selection":
      return `${baseName(attachment.path)}${linesText(attachment)}`;
    case "folder":
      return `${baseName(attachment.path)}/`;
    case "symbol":
      return attachment.name;
    case "problems": {
      const { path, line } = attachment;
      if (path === undefined) return t("Problems");
      return t("Problems in {0}", `${baseName(path)}${line === undefined ? "" : `:${line}`}`);
    }
    case "terminal":
      return t("Terminal");
    case "input":
      return "<stdin>";
    case "gitChanges":
      return t("Git changes");
    case "commit":
      return `${attachment.hash.slice(0, 7)} ${attachment.subject}`.trim();
    case "url":
      return attachment.url.replace(/^https?:\/\//i, "");
    case "task":
      return attachment.goal;
    case "image":
      return attachment.name;
    case "resource":
      return `${attachment.server}: ${baseName(attachment.name)}`;
    case "prompt":
      return `/${attachment.server}:${attachment.name}`;
  }
}

/** Returns the whole name of an attachment, for a hover: a path with its lines, an address, a text. */
export function attachmentDetail(attachment: Attachment, t: Translate): string {
  switch (attachment.kind) {
    case "file":
    case "selection":
    case "symbol":
      return `${attachment.path}${linesText(attachment)}`;
    case "folder":
      return attachment.path;
    case "problems":
      return attachment.path ?? t("All problems of the workspace");
    case "terminal":
    case "input":
      return attachment.text.slice(0, 300);
    case "gitChanges":
      return t("What has changed since the last commit");
    case "commit":
      return `${attachment.hash} ${attachment.subject}`;
    case "url":
      return attachment.url;
    case "task":
      return `${attachment.goal} (${attachment.taskId})`;
    case "image":
      return attachment.name;
    case "resource":
      return `${attachment.name} (${attachment.server})`;
    case "prompt":
      return `/${attachment.server}:${attachment.name} ${attachment.input ?? ""}`.trim();
  }
}

function linesText({ from, to }: { from?: number | undefined; to?: number | undefined }): string {
  if (from === undefined) return "";
  return to === undefined || to === from ? `:${from}` : `:${from}-${to}`;
}

function baseName(path: string): string {
  return path.replace(/(?<!\/)\/+$/, "").replace(/^.*\//, "") || path;
}
