import { fileURLToPath } from "node:url";
import { RequestError, type ContentBlock, type EmbeddedResource } from "@agentclientprotocol/sdk";
import type { Attachment } from "../../core/conversation/input/attachment.js";
import { UserError } from "../../core/errors.js";
import { KeptImages } from "../../core/images/keptImages.js";
import { namedPlace } from "../../core/navigator/attachments/typedMentions.js";
import { isPdf, pdfAsText } from "../../core/pdf/pdfAsText.js";
import type { FileSystem } from "../../core/ports/files.js";
import type { PdfReader } from "../../core/ports/pdf.js";
import { splitLines } from "../../core/text/lines.js";
import { quoteUntrusted } from "../../core/text/quoteUntrusted.js";
import { visibleLine } from "../../core/text/visibleText.js";
import { beginningOf } from "../../core/text/wellFormed.js";
import { t } from "../language/language.js";

/** A client's prompt as the Navigator takes it: the user's words and their attachments. */
export interface ReadPrompt {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** The most characters of a text that a client attaches; see the attachments' own limit. */
const longestText = 20_000;

/** Reads the parts of a prompt. Throws a `RequestError` for a part that cannot be taken. */
export async function readPrompt(
  blocks: readonly ContentBlock[],
  files: FileSystem,
  pdf: PdfReader,
  signal: AbortSignal,
): Promise<ReadPrompt> {
  const reader = new PromptReader(files, (bytes) => pdfAsText(bytes, pdf, signal));
  const pieces: Piece[] = [];
  for (const block of blocks) {
    pieces.push({ text: await reader.read(block), isTyped: block.type === "text" });
  }
  return { text: joined(pieces) + reader.quoted.join(""), attachments: reader.attachments };
}

interface Piece {
  readonly text: string;
  /** Whether the user has typed it; else it is what stands for something attached. */
  readonly isTyped: boolean;
}

/** Returns the user's words. A command stays one if the client puts what is attached before it. */
function joined(pieces: readonly Piece[]): string {
  const first = pieces.findIndex(({ text, isTyped }) => isTyped && text.trim() !== "");
  const isCommand = /^\s*\/[a-z]/i.test(pieces[first]?.text ?? "");
  const ordered = isCommand ? [...pieces.slice(first), ...pieces.slice(0, first)] : pieces;
  let text = "";
  let isTyped = true;
  for (const piece of ordered) {
    // Typed pieces are one text, which the client may have cut anywhere.
    const meet = !(isTyped && piece.isTyped) && /[^\s([{"']$/.test(text);
    text += meet && /^[^\s)\]}"'.,;:!?]/.test(piece.text) ? ` ${piece.text}` : piece.text;
    if (piece.text !== "") ({ isTyped } = piece);
  }
  return text;
}

/** Returns what the work returns; throws a `RequestError` that says why a part cannot be taken. */
async function taken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw RequestError.invalidParams(undefined, error.message);
  }
}

class PromptReader {
  readonly attachments: Attachment[] = [];
  /** Texts from elsewhere that come after the user's words. */
  readonly quoted: string[] = [];

  constructor(
    private readonly files: FileSystem,
    private readonly pdfText: (bytes: Uint8Array) => Promise<string>,
  ) {}

  /** Takes a part, and returns what stands in the user's words in its place. */
  async read(block: ContentBlock): Promise<string> {
    switch (block.type) {
      case "text":
        return block.text;
      case "resource_link":
        return this.link(block.uri, block.name);
      case "resource":
        return this.embedded(block);
      case "image":
        return this.image(block.data, nameOf(block.uri ?? "") || "image");
      case "audio":
        throw RequestError.invalidParams(undefined, t("Audio is not supported."));
    }
  }

  private async link(uri: string, name: string): Promise<string> {
    if (/^https?:\/\/\S+$/i.test(uri) && uri.length <= 8_192) {
      this.attachments.push({ kind: "url", url: uri });
      return uri;
    }
    const place = await this.placeOf(uri);
    if (place === undefined) return `${visibleLine(name, 200)} (${visibleLine(uri, 1_000)})`;
    if ("outside" in place) return `\`${place.outside}\``;
    this.attachments.push(place.attachment);
    return `\`${place.attachment.path}\``;
  }

  private async embedded({ resource }: EmbeddedResource): Promise<string> {
    const { uri } = resource;
    if ("blob" in resource) {
      const isImage = resource.mimeType?.startsWith("image/") === true;
      if (isImage) return this.image(resource.blob, nameOf(uri) || "image");
      const bytes = Buffer.from(resource.blob, "base64");
      // One of the workspace is read with the other attachments.
      if (!isPdf(bytes) || (await this.placeOf(uri)) !== undefined) return this.link(uri, uri);
      this.quote(uri, await taken(this.pdfText(bytes)));
      return "";
    }
    const { text } = resource;
    const place = await this.placeOf(uri);
    if (place === undefined || "outside" in place) {
      this.quote(uri, text);
      return "outside" in (place ?? {}) ? `\`${visibleLine(nameOf(uri), 300)}\`` : "";
    }
    const { attachment } = place;
    // The client's text may not be saved, so that it goes along as it is.
    if (attachment.kind === "file" && text.length <= longestText) {
      const { path, from = 1 } = attachment;
      const to = attachment.to ?? from + Math.max(0, splitLines(text).length - 1);
      this.attachments.push({ kind: "selection", path, from, to, text });
    } else this.attachments.push(attachment);
    return `\`${attachment.path}\``;
  }

  private quote(uri: string, text: string): void {
    const shown = beginningOf(text, longestText);
    const cut = shown.length < text.length ? "\n(cut here)" : "";
    this.quoted.push(`\n\n${quoteUntrusted(visibleLine(uri, 400), shown + cut)}`);
  }

  private async image(data: string, name: string): Promise<string> {
    const images = new KeptImages(this.files);
    const kept = await taken(images.keep(Buffer.from(data, "base64"), name));
    this.attachments.push({ kind: "image", ...kept });
    return "";
  }

  /** Returns the file or folder of an address, with the lines that follow it as in `#L10:20`. */
  private async placeOf(
    uri: string,
  ): Promise<
    | { readonly attachment: Extract<Attachment, { kind: "file" | "folder" }> }
    | { readonly outside: string }
    | undefined
  > {
    const path = localPath(uri);
    if (path === undefined) return undefined;
    try {
      const { path: located, inside } = await this.files.locate(path);
      if (!inside) return { outside: visibleLine(path, 1_000) };
      const found = await namedPlace(located, this.files);
      if (found?.kind === "folder") return { attachment: found };
      if (found?.kind !== "file") return undefined;
      const [, first, last] = /#L(\d{1,9})(?:[-:]L?(\d{1,9}))?/.exec(uri) ?? [];
      if (first === undefined) return { attachment: { kind: "file", path: located } };
      const from = Math.max(1, Number(first));
      const to = Math.max(from, Number(last ?? first));
      return { attachment: { kind: "file", path: located, from, to } };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return undefined;
    }
  }
}

/** Returns the path of a `file:` address of this machine; `undefined` for any other. */
function localPath(uri: string): string | undefined {
  if (!/^file:\/\//i.test(uri) || !URL.canParse(uri)) return undefined;
  try {
    const url = new URL(uri);
    url.hash = "";
    url.search = "";
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function nameOf(uri: string): string {
  const [path = ""] = uri.split(/[?#]/, 1);
  return path.replace(/^.*[\\/]/, "");
}
