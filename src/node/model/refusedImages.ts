import { imageNote } from "../../core/images/imageNote.js";
import type { MessageImage, ModelMessage } from "../../core/ports/messages.js";
import type { ModelRequest } from "../../core/ports/model.js";
import { visibleLine } from "../../core/text/visibleText.js";

/**
 * Words for an image that is damaged, too large or of another kind than it says. They speak of one image, and not of
 * models that see none.
 */
const ofOneImage =
  /(could not|cannot|unable to|failed to) (process|identify|load|decode|read)( \w+){0,2} image\b|(unsupported|invalid|corrupt(ed)?) (\w+ )?image\b(?! input)|\ba valid image\b|image (dimensions|exceeds|length)\b|image\b.{0,60}(too (large|small)|exceeds|does not match|could not be|is (invalid|corrupt))/i;

/** Returns whether a refusal speaks of a certain image. */
export function refusesAnImage(refusal: string): boolean {
  return ofOneImage.test(refusal);
}

/** The images that a model's server has refused for what they are; it is sent the others as before. */
export class RefusedImages {
  /** Paths of kept images, which are named for their content. */
  private readonly refused = new Set<string>();

  /** Returns the request with a note in place of each image that is known to be refused. */
  without(request: ModelRequest): ModelRequest {
    if (this.refused.size === 0) return request;
    return { ...request, messages: request.messages.map((one) => this.fitted(one)) };
  }

  /**
   * Notes that one of the images of a request is refused: those of the newest message count, because earlier ones have
   * been taken before. Returns their names; if there are any, the request may be taken without them.
   */
  learn({ messages }: ModelRequest): readonly string[] {
    const newest = messages.findLast((one) => imagesOf(one).some((image) => this.isSent(image)));
    const images = newest === undefined ? [] : imagesOf(newest);
    for (const { path } of images) this.refused.add(path);
    return images.map(({ name }) => visibleLine(name, 100));
  }

  private isSent({ path, content }: MessageImage): boolean {
    return content !== undefined && !this.refused.has(path);
  }

  private fitted(message: ModelMessage): ModelMessage {
    if (message.role !== "user" && message.role !== "tool") return message;
    const left = imagesOf(message).filter(({ path }) => this.refused.has(path));
    if (left.length === 0) return message;
    const from = message.role === "tool" ? "tool" : "person";
    const notes = left.map(({ name }) => imageNote(name, "refused", from));
    const images = imagesOf(message).filter((one) => !left.includes(one));
    return { ...message, content: [message.content, ...notes].join("\n\n"), images };
  }
}

function imagesOf(message: ModelMessage): readonly MessageImage[] {
  return "images" in message ? (message.images ?? []) : [];
}
