import { type IgnoreSource, IgnoredFiles } from "../../access/ignoredFiles.js";
import { mayHoldSecrets } from "../../access/secretFiles.js";
import type { Attachment } from "../../conversation/input/attachment.js";
import { attachmentDetail } from "../../conversation/input/attachmentLabel.js";
import { messageOf, UserError } from "../../errors.js";
import { visibleChanges } from "../../experts/visibleChanges.js";
import type { WorkspaceHost } from "../../experts/workspaceHost.js";
import type { TaskId } from "../../ids.js";
import { imageType } from "../../images/imageType.js";
import { type KeptImages, maxImageBytes } from "../../images/keptImages.js";
import { isPdf, maxPdfBytes, pdfAsText } from "../../pdf/pdfAsText.js";
import type { MessageImage } from "../../ports/messages.js";
import type { ServerContent } from "../../ports/serverContent.js";
import { splitLines } from "../../text/lines.js";
import { lastPart } from "../../text/pathParts.js";
import { quoteUntrusted } from "../../text/quoteUntrusted.js";
import { decodeText, formatSize } from "../../text/textFile.js";
import { english } from "../../text/translator.js";
import { visibleLine } from "../../text/visibleText.js";
import { beginningOf } from "../../text/wellFormed.js";
import { spoken, type Words, words } from "../../text/words.js";
import { judgePlace } from "./attachmentProblem.js";
import { promptArguments, promptCommand } from "./serverPrompts.js";
import { unusableFile } from "./unusableFile.js";

/** The most characters of one attachment, and of all together: about 2,300 and 7,000 tokens. */
const maxEach = 8_000;
const maxAll = 24_000;
/** The most bytes of a file that are read to find its lines. */
const maxRead = 4_000_000;
/** The most files of a folder, and problems, that are listed. */
const most = { files: 200, problems: 50 };

/** What is read of attachments. */
export interface ReadAttachments {
  /** A block for each attachment, in order; Markdown. */
  readonly texts: readonly string[];
  readonly images: readonly MessageImage[];
  /** The selections among the attachments. */
  readonly selections: readonly SelectionAttachment[];
  /** A sentence for the person about each attachment that exists and could not be read. */
  readonly problems: readonly Words[];
}

type SelectionAttachment = Extract<Attachment, { kind: "selection" }>;

export const nothingAttached: ReadAttachments = {
  texts: [],
  images: [],
  selections: [],
  problems: [],
};

/** Where attachments are read. */
export interface AttachmentPlaces {
  readonly host: Pick<WorkspaceHost, "files" | "documents" | "problems" | "git" | "search" | "pdf">;
  readonly images: KeptImages;
  /** Absent: there are no MCP servers. */
  readonly content?: ServerContent | undefined;
  /** Returns what became of a task. */
  taskOutcome(taskId: TaskId): Promise<string>;
}

/**
 * Reads attachments, once, so that what a request holds is what its author saw. What cannot be read is named with the
 * reason; what is too long is cut, and says where to read on.
 */
export async function readAttachments(
  attachments: readonly Attachment[],
  places: AttachmentPlaces,
  signal: AbortSignal,
): Promise<ReadAttachments> {
  if (attachments.length === 0) return nothingAttached;
  const reader = new AttachmentReader(places, signal);
  const texts: string[] = [];
  for (const attachment of attachments) {
    signal.throwIfAborted();
    texts.push(await reader.read(attachment));
  }
  const selections = attachments.filter((one) => one.kind === "selection");
  const { images, unread } = reader;
  return { texts, images, selections, problems: unread };
}

class AttachmentReader {
  readonly images: MessageImage[] = [];
  readonly unread: Words[] = [];
  private left = maxAll;
  private readonly hidden: IgnoreSource;

  constructor(
    private readonly places: AttachmentPlaces,
    private readonly signal: AbortSignal,
  ) {
    this.hidden = new IgnoredFiles(places.host.files).once();
  }

  async read(attachment: Attachment): Promise<string> {
    try {
      return await this.text(attachment);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const name = visibleLine(attachmentDetail(attachment, english), 300);
      this.unread.push(words("{name} is not read: {problem}", { name, problem: error }));
      return notRead(attachment, `cannot be read: ${messageOf(error)}`);
    }
  }

  private text(attachment: Attachment): Promise<string> | string {
    switch (attachment.kind) {
      case "file":
      case "symbol":
        return this.file(attachment);
      case "folder":
        return this.folder(attachment);
      case "selection":
        return this.selection(attachment);
      case "problems":
        return this.problems(attachment);
      case "terminal":
        return this.quoted("Selected in the terminal:", "terminal", attachment.text, "");
      case "input":
        return this.quoted("Piped into the command (<stdin>):", "stdin", attachment.text, "");
      case "gitChanges":
        return this.changes(attachment, undefined);
      case "commit":
        return this.changes(attachment, attachment.hash);
      case "url":
        return `Attached address: ${shownLine(attachment.url, 2_000)} (web_fetch reads it)`;
      case "task":
        return this.task(attachment);
      case "image":
        return this.image(attachment);
      case "resource":
      case "prompt":
        return this.ofServer(attachment);
    }
  }

  private async file(
    attachment: Extract<Attachment, { kind: "file" | "symbol" }>,
  ): Promise<string> {
    const { host } = this.places;
    const place = await judgePlace(attachment.path, host.files, this.hidden);
    if (!place.ok) return notRead(attachment, spoken(place.why));
    if (place.kind === "folder") return this.listed(place.path);
    const bytes =
      (await host.documents?.unsaved(place.path)) ??
      (await host.files.readRange(place.path, 0, maxRead));
    if (imageType(bytes) !== undefined) return this.imageFile(place.path);
    const why = unusableFile(place.path, bytes);
    if (why !== undefined) return notRead(attachment, spoken(why));
    const text = isPdf(bytes) ? await this.pdf(place.path) : (decodeText(bytes)?.text ?? "");
    const lines = splitLines(text);
    const { from = 1, to = lines.length } = attachment;
    const last = Math.min(to, lines.length);
    if (from > lines.length) {
      return lines.length === 0
        ? `Attached: ${linked(place.path)} (empty)`
        : notRead(attachment, `has only ${lines.length} lines`);
    }
    const part = lines.slice(from - 1, last).map((line) => line.text);
    const isWhole = from === 1 && last === lines.length;
    const range = isWhole ? "" : `, ${linesText(from, last)}`;
    const named = attachment.kind === "symbol" ? `${shownLine(attachment.name, 200)} in ` : "";
    const shown = this.cutLines(
      part,
      (line) => `read_file shows the rest from line ${from + line}`,
    );
    const intro = `Attached: ${named}${linked(place.path)}${range}`;
    return `${intro}\n${data(`${place.path}${range}`, shown)}`;
  }

  private async pdf(path: string): Promise<string> {
    return pdfAsText(await this.whole(path, maxPdfBytes), this.places.host.pdf, this.signal);
  }

  /** Returns all bytes of a file. Throws a `UserError` if it has more than `most`. */
  private async whole(path: string, most: number): Promise<Uint8Array> {
    const found = await this.places.host.files.readLocated(path, most);
    if (found?.bytes !== undefined && found.location.path === path) return found.bytes;
    throw new UserError("attachmentTooLarge", "It is larger than {size}. Attach a part of it.", {
      size: formatSize(most),
    });
  }

  /** Keeps an image of the workspace as one that was attached: it is sent as it is now. */
  private async imageFile(path: string): Promise<string> {
    const bytes = await this.whole(path, maxImageBytes);
    const kept = await this.places.images.keep(bytes, lastPart(path));
    return this.image({ kind: "image", ...kept });
  }

  private async image(attachment: Extract<Attachment, { kind: "image" }>): Promise<string> {
    const { path, name } = attachment;
    if ((await this.places.images.read(path)) === undefined) {
      return notRead(attachment, "is not there any more");
    }
    this.images.push({ path, name });
    return `Attached image ${this.images.length}: ${shownLine(name, 100)}`;
  }

  private async folder(attachment: Extract<Attachment, { kind: "folder" }>): Promise<string> {
    const place = await judgePlace(attachment.path, this.places.host.files, this.hidden);
    return place.ok ? this.listed(place.path) : notRead(attachment, spoken(place.why));
  }

  private async listed(path: string): Promise<string> {
    const { search } = this.places.host;
    const isHidden = await this.hidden.read();
    const hides = (one: string) => isHidden(one) !== undefined || mayHoldSecrets(one);
    const query = { path, recursive: true, limit: most.files, hides };
    const { paths, truncated } = await search.files(query, this.signal);
    const files = paths.filter((one) => !one.endsWith("/")).map((one) => shownLine(one, 300));
    const more = truncated ? ["(there are more; list_files shows them)"] : [];
    const shown = this.cutLines([...files, ...more], () => "list_files shows the rest");
    return `Attached: the folder ${linked(path)}, with these files:\n${data(path, shown)}`;
  }

  private async selection(attachment: SelectionAttachment): Promise<string> {
    const { path, from, to, text } = attachment;
    const place = await judgePlace(path, this.places.host.files, this.hidden);
    if (!place.ok) return notRead(attachment, spoken(place.why));
    const where = `${place.path}, ${linesText(from, to)}`;
    const intro = `Attached: the text selected in ${linked(place.path)}, ${linesText(from, to)}:`;
    return this.quoted(intro, where, text, "read_file shows the rest");
  }

  private async problems(attachment: Extract<Attachment, { kind: "problems" }>): Promise<string> {
    const { problems } = this.places.host;
    const { path = "", line } = attachment;
    if (problems === undefined) return notRead(attachment, "are known only in the editor");
    const isHidden = await this.hidden.read();
    const found = problems
      .known(path)
      .filter(
        (one) =>
          (line === undefined || one.line === line) &&
          isHidden(one.path) === undefined &&
          !mayHoldSecrets(one.path),
      );
    const where = path === "" ? "the workspace" : linked(path);
    if (found.length === 0) return `Attached: the problems in ${where}: none are known now.`;
    const shown = found
      .slice(0, most.problems)
      .map(({ path: file, line: at, severity, source, message }) =>
        shownLine(`${file}:${at} ${severity}${source && ` (${source})`}: ${message}`, 500),
      );
    const more = found.length > shown.length ? [`(and ${found.length - shown.length} more)`] : [];
    const text = [...shown, ...more].join("\n");
    return this.quoted(`Attached: the problems in ${where}:`, "problems", text, "");
  }

  private async changes(
    attachment: Extract<Attachment, { kind: "gitChanges" | "commit" }>,
    commit: string | undefined,
  ): Promise<string> {
    const found = await visibleChanges(
      this.places.host,
      commit === undefined ? { of: "workTree" } : { of: "commit", commit },
    );
    if (!found.ok) return notRead(attachment, found.why);
    const { files: visible, diff } = found;
    const what =
      commit === undefined
        ? "what has changed since the last commit"
        : `the commit ${shownLine(attachmentDetail(attachment, english), 200)}`;
    if (visible.length === 0) return `Attached: ${what}: no files.`;
    const names = visible.map((path) => shownLine(path, 300)).join("\n");
    const text = `${names}\n\n${diff}`.trim();
    const further = commit === undefined ? "git diff shows the rest" : "git show shows the rest";
    return this.quoted(`Attached: ${what}:`, "git", text, further);
  }

  private async task(attachment: Extract<Attachment, { kind: "task" }>): Promise<string> {
    const { taskId, goal } = attachment;
    const outcome = await this.places.taskOutcome(taskId);
    const intro = `Attached: the task \`${shownLine(taskId, 200)}\`, "${shownLine(goal, 300)}":`;
    return this.quoted(intro, `.rooroo/tasks/${taskId}`, outcome, "its report.json has the rest");
  }

  private async ofServer(
    attachment: Extract<Attachment, { kind: "resource" | "prompt" }>,
  ): Promise<string> {
    const { kind, server, name, input = "" } = attachment;
    const { content } = this.places;
    if (content === undefined) return notRead(attachment, "is known only where MCP servers are");
    const what = `the ${kind} ${shownLine(name, 1_000)} of the MCP server ${shownLine(server, 100)}:`;
    if (kind === "resource") {
      const text = await content.resource(server, name, this.signal);
      return this.quoted(`Attached: ${what}`, name, text, "");
    }
    const prompts = await content.prompts({ server });
    const prompt = prompts.find((one) => one.server === server && one.name === name);
    if (prompt === undefined) return notRead(attachment, "is not offered any more");
    const given = promptArguments(input, prompt.arguments);
    if (given === undefined) return notRead(attachment, "needs other arguments by now");
    const text = await content.prompt(server, name, given, this.signal);
    return this.quoted(`Attached: ${what}`, promptCommand(prompt), text, "");
  }

  /** Quotes a text, cut to what is left for it. */
  private quoted(intro: string, from: string, text: string, further: string): string {
    const shown = beginningOf(text, this.take(text.length));
    const note = shown.length < text.length ? `\n(cut here${further && `; ${further}`})` : "";
    return `${intro}\n${data(from, `${shown}${note}`)}`;
  }

  /** Returns the first lines that fit, and where to read on. */
  private cutLines(lines: readonly string[], further: (shown: number) => string): string {
    const room = this.take(lines.reduce((sum, line) => sum + line.length + 1, 0));
    let used = 0;
    let shown = 0;
    while (shown < lines.length && used + (lines[shown]?.length ?? 0) + 1 <= room) {
      used += (lines[shown++]?.length ?? 0) + 1;
    }
    const text = lines.slice(0, shown).join("\n");
    if (shown === lines.length) return text;
    return `${text}\n(cut here; ${further(shown)})`;
  }

  /** Takes the characters for a text of this length from what is left for all attachments. */
  private take(length: number): number {
    const taken = Math.min(length, maxEach, this.left);
    this.left -= taken;
    return taken;
  }
}

/**
 * Returns a name on one line. It stands outside of the quoted data, so that it can neither open nor close one of its
 * tags, nor look like an order.
 */
function shownLine(text: string, length: number): string {
  return visibleLine(text, length).replaceAll("<", "&lt;");
}

function data(from: string, text: string): string {
  return quoteUntrusted(visibleLine(from, 400), text);
}

function notRead(attachment: Attachment, why: string): string {
  const name = shownLine(attachmentDetail(attachment, english), 300);
  return `Attached, but not read: ${name} ${why.replace(/\.$/, "")}.`;
}

function linesText(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${from} to ${to}`;
}

function linked(path: string): string {
  return `\`${shownLine(path, 300)}\``;
}
