import { UserError } from "../../errors.js";
import { imageType } from "../../images/imageType.js";
import { isPdf } from "../../pdf/pdfAsText.js";
import type { FileSystem } from "../../ports/files.js";
import { decodeText } from "../../text/textFile.js";
import { type Words, words } from "../../text/words.js";

/** The number of a file's first bytes that say what kind of file it is. */
const tellingBytes = 8_192;

/** Looks at a file of the workspace, and returns the same as {@link unusableFile}, or why it cannot be read. */
export async function whyUnusable(path: string, files: FileSystem): Promise<Words | undefined> {
  try {
    return unusableFile(path, await files.readRange(path, 0, tellingBytes));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return words("cannot be read: {problem}", { problem: error });
  }
}

/**
 * Returns why a file cannot be attached, as it continues a sentence after its name, with what would help; `undefined` if it
 * can be: a text, a PDF, or an image that models take.
 *
 * @param start its first bytes, {@link tellingBytes} or more
 */
export function unusableFile(path: string, start: Uint8Array): Words | undefined {
  if (imageType(start) !== undefined) return undefined;
  if (isPdf(start) || decodeText(start) !== undefined) return undefined;
  const magic = String.fromCharCode(...start.subarray(0, 16));
  const isImage =
    /^[^]{4}ftyp(?:hei|hev|mif1|msf1|avif)/.test(magic) ||
    /^(?:II\*\0|MM\0\*|BM|\0\0\x01\0)/.test(magic);
  if (isImage) {
    return words("is a kind of image that models do not take. Save it as PNG or JPEG");
  }
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (/^(?:xls[xmb]?|ods|numbers|parquet)$/.test(ending)) {
    return words("is a table that is not read. Save it as CSV");
  }
  if (/^(?:docx?|odt|rtf|pages|pptx?|odp|key|epub)$/.test(ending)) {
    return words("is a document that is not read. Save it as text, Markdown or HTML");
  }
  return words("is not a text file");
}
