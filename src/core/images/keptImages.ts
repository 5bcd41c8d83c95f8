import { UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import type { MessageImage } from "../ports/messages.js";
import { sha256 } from "../text/sha256.js";
import { formatSize } from "../text/textFile.js";
import { visibleLine } from "../text/visibleText.js";
import { imageType, type ImageType } from "./imageType.js";
import { imagesFolder, keptImagePattern } from "./keptImagePath.js";

/** The most bytes of an image; servers take about as much. */
export const maxImageBytes = 5_000_000;

export interface ReadImage {
  readonly bytes: Uint8Array;
  readonly type: ImageType;
}

/** The images that people attach to their requests, in the workspace's `.rooroo/attachments`. */
export class KeptImages {
  constructor(private readonly files: FileSystem) {}

  /**
   * Keeps an image and returns where. The same image is kept once.
   *
   * @param name what the image is called, as in `screenshot.png`
   * @throws a `UserError` if this is no PNG, JPEG, GIF or WebP image, or too large
   */
  async keep(bytes: Uint8Array, name: string): Promise<MessageImage> {
    const shown = visibleLine(name, 100) || "image";
    const type = imageType(bytes);
    if (type === undefined) {
      throw new UserError(
        "notAnImage",
        "{name} is not a PNG, JPEG, GIF or WebP image. Save it as one of these first.",
        {
          name: shown,
        },
      );
    }
    if (bytes.length > maxImageBytes) {
      throw new UserError(
        "imageTooLarge",
        "{name} is larger than {size}. Attach a smaller image.",
        {
          name: shown,
          size: formatSize(maxImageBytes),
        },
      );
    }
    const path = `${imagesFolder}/${await sha256(bytes)}.${type.ending}`;
    await this.files.createFile(path, bytes);
    return { path, name: shown };
  }

  /** Reads a kept image; `undefined` if it is not there, or its content is no longer the one that was kept. */
  async read(path: string): Promise<ReadImage | undefined> {
    if (!keptImagePattern.test(path)) return undefined;
    try {
      const found = await this.files.readLocated(path, maxImageBytes);
      if (found?.bytes === undefined || found.location.path !== path) return undefined;
      const { bytes } = found;
      const type = imageType(bytes);
      const isSame = path.startsWith(`${imagesFolder}/${await sha256(bytes)}.`);
      return type === undefined || !isSame ? undefined : { bytes, type };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return undefined;
    }
  }
}
