import { UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import type { MessageImage } from "../ports/messages.js";
import { formatSize } from "../text/textFile.js";
import { imageType } from "./imageType.js";
import { KeptImages, maxImageBytes } from "./keptImages.js";

/** The most images of one answer. */
const mostAnswered = 8;

/**
 * Keeps the images that a tool has answered with.
 *
 * @param tool the tool's name, after which they are called
 * @returns references to those that could be kept, and a line for the model on each
 */
export async function keepAnswered(
  given: readonly Uint8Array[],
  tool: string,
  files: FileSystem,
): Promise<{ readonly images: readonly MessageImage[]; readonly lines: readonly string[] }> {
  const kept = new KeptImages(files);
  const images: MessageImage[] = [];
  const lines: string[] = [];
  for (const [index, bytes] of given.slice(0, mostAnswered).entries()) {
    const problem = problemOf(bytes);
    if (problem !== undefined) {
      lines.push(`(Image ${index + 1} is left out: ${problem}.)`);
      continue;
    }
    try {
      const image = await kept.keep(bytes, `${tool} ${index + 1}`);
      images.push(image);
      lines.push(`(Image ${index + 1} is "${image.name}", kept in ${image.path}.)`);
    } catch (error) {
      // The tool has run all the same.
      if (!(error instanceof UserError)) throw error;
      lines.push(`(Image ${index + 1} is left out: ${error.message})`);
    }
  }
  const more = given.length - mostAnswered;
  if (more > 0) lines.push(`(${more} more images are left out.)`);
  return { images, lines };
}

function problemOf(bytes: Uint8Array): string | undefined {
  if (imageType(bytes) === undefined) return "it is no PNG, JPEG, GIF or WebP image";
  if (bytes.length > maxImageBytes) return `it is larger than ${formatSize(maxImageBytes)}`;
  return undefined;
}
